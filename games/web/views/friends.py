"""A person's list of friends."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.views import not_for_guests
from games import commands, queries
from games.errors import GameError
from games.web.answers import reader_of
from games.web.cards import PAGE_SIZE, card_of
from games.web.forms.invite import FriendForm
from games.words.refusals import explain


@not_for_guests
@login_required
@require_safe
def friends(request: HttpRequest) -> HttpResponse:
    """List a person's friends, and whose turn it is in the games with them."""
    return _show(request, FriendForm())


@not_for_guests
@login_required
@require_POST
def add_friend(request: HttpRequest) -> HttpResponse:
    """Put the person of the name that was typed on the list; it stays on the page if something is wrong with it."""
    form = FriendForm(request.POST)
    if form.is_valid():
        try:
            person = commands.add_friend(user=reader_of(request), name=form.cleaned_data["name"], now=timezone.now())
        except GameError as error:
            form.add_error("name", explain(error))
        else:
            messages.success(request, gettext("%(name)s is on your list of friends.") % {"name": person.shown_name})
            return redirect("friends")
    return _show(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)


@not_for_guests
@login_required
@require_POST
def drop_friend(request: HttpRequest, number: int) -> HttpResponse:
    """Take a person off the list."""
    commands.drop_friend(user=reader_of(request), person_id=number)
    messages.success(request, gettext("Removed from your list of friends."))
    return redirect("friends")


def _show(request: HttpRequest, form: FriendForm, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    user = reader_of(request)
    page = Paginator(queries.friends_of(user), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = queries.with_games(user, [row.friend for row in page.object_list])
    friends = [(row.person, [card_of(game, user) for game in row.games]) for row in rows]
    return render(request, "games/friends.html", {"form": form, "page": page, "friends": friends}, status=status)
