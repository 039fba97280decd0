"""What a person is told, and when: their choices, what was sent, the one click in a mail, muting a game."""

from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from games.models import Game
from games.notices import preferences
from games.notices.kinds import NoticeKind
from games.notices.models import Notice
from games.notices.outbox import enqueue_test
from games.notices.topics import topic_label
from games.web.forms.notices import NoticesForm
from games.web.views.lobby import reader_of

PAGE_SIZE: Final = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """Show and change what the reader is told, and when."""
    user = reader_of(request)
    sent = request.POST if request.method == "POST" else None
    form = NoticesForm(sent, present=preferences.choices_of(user))
    if sent is not None and form.is_valid():
        preferences.choose(user, form.choices())
        messages.success(request, gettext("Your choices are saved."))
        return redirect("notices")
    context = {"form": form, "muted": Game.objects.filter(mutes__user=user).prefetch_related("seats").order_by("pk")}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "notices/notices.html", context, status=status)


@login_required
@require_safe
def deliveries(request: HttpRequest) -> HttpResponse:
    """List every notice that the site tried to send the reader, and what became of it."""
    rows = Notice.objects.filter(user=reader_of(request), at__lte=timezone.now()).select_related("game")
    rows = rows.prefetch_related("game__seats").order_by("-at", "-pk")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    listed = [(topic_label(notice.topic), notice) for notice in page]
    return render(request, "notices/deliveries.html", {"page": page, "deliveries": listed})


@login_required
@require_POST
def send_test(request: HttpRequest) -> HttpResponse:
    """Put a test mail to the reader into the outbox."""
    enqueue_test(reader_of(request), timezone.now())
    messages.success(request, gettext("A test mail is on its way: it should reach you within a minute."))
    return redirect("deliveries")


@login_required
@require_POST
def trust_address(request: HttpRequest) -> HttpResponse:
    """Believe the reader that their address takes mail again."""
    preferences.trust_address(reader_of(request))
    messages.success(request, gettext("From now on mails are sent to your address again."))
    return redirect("notices")


@login_required
@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """Tell the reader nothing more of a game."""
    preferences.mute_game(reader_of(request), _own_game(request, key))
    messages.success(
        request, gettext("You get no more mails about this game, except warnings before your time runs out.")
    )
    return redirect("game", key=key)


@login_required
@require_POST
def unmute(request: HttpRequest, key: str) -> HttpResponse:
    """Tell the reader of a game again."""
    preferences.unmute_game(reader_of(request), _own_game(request, key))
    messages.success(request, gettext("You get mails about this game again."))
    return redirect("game", key=key)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mails of some kinds are to end (GET), or end them (POST): mail programs post here without a person.

    The signed word in the address is what gives the right; it gives no other.
    """
    return _answer(request, token, "unsubscribed" if request.method == "POST" else "asked")


@csrf_exempt
@never_cache
@require_POST
def resubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The way back from `unsubscribe`."""
    return _answer(request, token, "resubscribed")


def _answer(request: HttpRequest, token: str, step: str) -> HttpResponse:
    read = preferences.read_token(token)
    if read is None:
        raise Http404
    user, kinds = read
    if step == "unsubscribed":
        preferences.unsubscribe(user, kinds)
    elif step == "resubscribed":
        preferences.resubscribe(user, kinds)
    with translation.override(user.language):
        labels = [NoticeKind(kind).label for kind in kinds]
        return render(request, "notices/unsubscribe.html", {"step": step, "kinds": labels, "token": token})


def _own_game(request: HttpRequest, key: str) -> Game:
    user: User = reader_of(request)
    return get_object_or_404(Game, key=key, seats__user=user)
