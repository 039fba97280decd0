"""What a person is notified of, and when: their choices, what was sent, the one click in a mail, muting a game."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import commands
from games.errors import GameError
from games.notices.kinds import NoticeKind
from games.notices.preferences import choices_of
from games.notices.schedule import KEPT_FOR
from games.notices.topics import topic_label
from games.queries import notices as queries
from games.web.answers import reader_of
from games.web.forms.notices import NoticesForm

PAGE_SIZE: Final = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """Show and change what the reader is notified of, and when."""
    user = reader_of(request)
    sent = request.POST if request.method == "POST" else None
    form = NoticesForm(sent, present=choices_of(user))
    if sent is not None and form.is_valid():
        commands.choose_notices(user=user, choices=form.choices())
        messages.success(request, gettext("Your choices have been saved."))
        return redirect("notices")
    context = {"form": form, "muted": queries.muted_games(user)}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    return render(request, "notices/notices.html", context, status=status)


@login_required
@require_safe
def deliveries(request: HttpRequest) -> HttpResponse:
    """List the notices of the reader that the site still keeps, and what became of each."""
    numbers = queries.delivered(reader_of(request), timezone.now())
    page = Paginator(numbers, PAGE_SIZE).get_page(request.GET.get("page"))
    listed = [(topic_label(notice.topic), notice) for notice in queries.deliveries(list(page))]
    context = {"page": page, "deliveries": listed, "days": KEPT_FOR.days}
    return render(request, "notices/deliveries.html", context)


@login_required
@require_POST
def send_test(request: HttpRequest) -> HttpResponse:
    """Put a test mail to the reader into the outbox."""
    commands.send_test_notice(user=reader_of(request), now=timezone.now())
    messages.success(request, gettext("A test e-mail is on its way: it should reach you within a minute."))
    return redirect("deliveries")


@login_required
@require_POST
def trust_address(request: HttpRequest) -> HttpResponse:
    """Believe the reader that their address takes mail again, and send what it did not take."""
    commands.reopen(people=[reader_of(request)], now=timezone.now())
    messages.success(request, gettext("From now on e-mails are sent to your address again."))
    return redirect("notices")


@login_required
@require_POST
def mute(request: HttpRequest, key: str) -> HttpResponse:
    """End the mails about a game for the reader."""
    _change_own_game(commands.mute_game, request, key)
    messages.success(
        request, gettext("You will get no more e-mails about this game, except warnings before your time runs out.")
    )
    return redirect("game", key=key)


@login_required
@require_POST
def unmute(request: HttpRequest, key: str) -> HttpResponse:
    """Undo `mute`."""
    _change_own_game(commands.unmute_game, request, key)
    messages.success(request, gettext("You will get e-mails about this game again."))
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
    read = queries.read_token(token)
    if read is None:
        raise Http404
    user, kinds = read
    if step == "unsubscribed":
        commands.unsubscribe(user=user, kinds=kinds)
    elif step == "resubscribed":
        commands.resubscribe(user=user, kinds=kinds)
    with translation.override(user.language):
        labels = [NoticeKind(kind).label for kind in kinds]
        return render(request, "notices/unsubscribe.html", {"step": step, "kinds": labels, "token": token})


def _change_own_game(change: Callable[..., None], request: HttpRequest, key: str) -> None:
    try:
        change(game_key=key, user=reader_of(request))
    except GameError as error:
        raise Http404 from error
