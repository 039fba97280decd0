"""Finding a game: to play among those that wait for players, and to watch."""

from functools import partial
from uuid import UUID, uuid4

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
from games.queries import Watched, ratings
from games.web.answers import reader_of
from games.web.cards import card_of, cards_of
from games.web.forms.create import read_token
from games.web.forms.lobby import LobbyForm
from games.web.places import read_place, write_place
from games.words.refusals import explain


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the open public games that fit, a page at a time; ``?after=`` says where a further page begins."""
    reader = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    form = LobbyForm(request.GET, reader)
    page = queries.lobby(read_place(request.GET.get("after", "")), form.wanted, request.user)
    creators = ratings.creators_ratings(page.games)
    refusals = {} if reader is None else ratings.refusals_for(reader, page.games)
    context = {
        "form": form,
        "token": uuid4(),
        "cards": [
            card_of(game, request.user, creator_rating=creators.get(game.pk), refused=refusals.get(game.pk))
            for game in page.games
        ],
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
    form = LobbyForm(request.POST, user)
    waited_in = queries.game_waited_in(user, form.wanted)
    if waited_in is not None:
        messages.info(request, gettext("You have a seat in such a game already: this one."))
        return redirect("invitation", waited_in.key)
    try:
        game = _seat(user, form) or _offer(user, form, read_token(request.POST))
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
    games, following = queries.games_to_watch(which, queries.Moment.read(request.GET.get("after", "")))
    context = {
        "which": which,
        "cards": cards_of(games, request.user),
        "further": "after" in request.GET,
        "next": following and following.text,
    }
    return render(request, "games/watch.html", context)


def _offer(user: User, form: LobbyForm, token: UUID | None) -> Game:
    """Create a game that waits for others: one, however often a form is sent at once; another, if it is sent later."""
    create = partial(commands.create_game, user=user, public=True, bots=[], now=timezone.now(), **form.terms())
    game = create(token=token)
    return game if game.status == Status.OPEN else create()


def _seat(user: User, form: LobbyForm) -> Game | None:
    """Take a seat in the first game that still has one and takes this person; None where no game does."""
    for game in queries.games_for(user, form.wanted):
        try:
            return commands.join_game(game_key=game.key, user=user, now=timezone.now())
        except GameError:
            continue
    return None
