"""Finding a game: to play among those that wait for players, and to watch."""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from engine.errors import RulesError
from games import commands, queries
from games.errors import GameError
from games.models import Game
from games.models.choices import Status
from games.queries import Watched
from games.web.answers import parse_number, reader_of
from games.web.cards import cards_of
from games.web.forms.lobby import LobbyForm
from games.words.refusals import explain

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MOST_HELPINGS: Final = 1_000
LAST_MICROSECOND: Final = 10**17
"""What an address may ask for: far beyond what there is, within what the database can compare."""


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the open public games that fit, a page at a time; ``?after=`` says where a further page begins."""
    form = LobbyForm(request.GET)
    page = queries.lobby(read_place(request.GET.get("after", "")), form.wanted, request.user)
    context = {
        "form": form,
        "cards": cards_of(page.games, request.user),
        "further": "after" in request.GET,
        "next": page.next and write_place(page.next),
    }
    return render(request, "games/lobby.html", context)


@login_required
@require_POST
def find_game(request: HttpRequest) -> HttpResponse:
    """Take a seat in the open game that fits best, or create one that others find here."""
    user = reader_of(request)
    if user.is_guest:
        return redirect("keep_games")
    form = LobbyForm(request.POST)
    waited_in = queries.game_waited_in(user, form.wanted)
    if waited_in is not None:
        messages.info(request, gettext("You have a seat in such a game already: this one."))
        return redirect("invitation", waited_in.key)
    try:
        game = _seat(user, form) or commands.create_game(
            user=user, public=True, bots=[], now=timezone.now(), **form.terms()
        )
    except (GameError, RulesError) as error:
        messages.error(request, explain(error))
        return redirect(f"{reverse('lobby')}?{form.query}")
    if game.status == Status.ACTIVE:
        messages.success(request, gettext("You took the last seat: the game has started."))
        return redirect("game", game.key)
    if game.creator_id == user.pk:
        words = gettext("Nobody was waiting for such a game, so here is one: others will find it in the lobby.")
    else:
        words = gettext("You have a seat in this game. It starts as soon as every seat is taken.")
    messages.success(request, words)
    return redirect("invitation", game.key)


@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """List public games that are played, or with ``?list=finished`` those that have ended, a page at a time."""
    try:
        which = Watched(request.GET.get("list", Watched.RUNNING))
    except ValueError as error:
        raise Http404 from error
    games, following = queries.games_to_watch(which, read_moment(request.GET.get("after", "")))
    context = {
        "which": which,
        "cards": cards_of(games, request.user),
        "further": "after" in request.GET,
        "next": following and f"{_micros(following.at)}-{following.pk}",
    }
    return render(request, "games/watch.html", context)


def read_moment(text: str) -> queries.Moment | None:
    """Return where a page of games to watch begins; None, which is the first page, for what says nothing."""
    match [parse_number(part) for part in text.split("-")]:
        case [int(micros), int(pk)] if micros < LAST_MICROSECOND:
            return queries.Moment(EPOCH + timedelta(microseconds=micros), pk)
        case _:
            return None


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def _seat(user: User, form: LobbyForm) -> Game | None:
    """Take a seat in the first game that still has one and takes this person; None where no game does."""
    for game in queries.games_for(user, form.wanted):
        try:
            return commands.join_game(game_key=game.key, user=user, now=timezone.now())
        except GameError:
            continue
    return None


def write_place(place: queries.Place) -> str:
    """Return where a page of the lobby begins, as text for an address."""
    micros = 0 if place.created_at is None else _micros(place.created_at)
    return f"{place.helping}-{place.free}-{micros}-{place.pk}"


def read_place(text: str) -> queries.Place | None:
    """Return what `write_place` wrote; None, which is the first page, for anything else."""
    numbers = [parse_number(part) for part in text.split("-")]
    match numbers:
        case [int(helping), 0, 0, 0] if helping < MOST_HELPINGS:
            return queries.Place(helping)
        case [int(helping), int(free), int(micros), int(pk)] if helping < MOST_HELPINGS and micros < LAST_MICROSECOND:
            return queries.Place(helping, free, EPOCH + timedelta(microseconds=micros), pk)
        case _:
            return None
