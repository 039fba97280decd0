"""Finding a game before it starts: the lobby, creating, the invitation, joining, leaving, cancelling; my games."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from engine.errors import RulesError
from engine.rulesets import RULESETS
from games import commands, queries
from games.errors import GameCode, GameError
from games.log.table import seat_of
from games.models import Game, Seat
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.web.forms.create import CreateGameForm
from games.web.forms.invite import InviteForm
from games.web.forms.time import TimeControlForm
from games.words.refusals import explain

NEW_GAMES: Final = next(reversed(RULESETS))
"""The ruleset of the games that are created: the newest."""
PAGE_SIZE: Final = 20


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list, as its reader sees it."""

    game: Game
    seats: list[Seat]
    own_seat: Seat | None
    option_words: list[str]
    invited: bool = False
    """Whether the reader is asked to take a seat and has not answered."""
    invited_by: str = ""
    """Who asked them; empty if that person is gone."""

    @property
    def free(self) -> range:
        """One number a free seat."""
        return range(len(self.seats), self.game.size)

    @property
    def is_creator(self) -> bool:
        """Whether the reader created the game."""
        return self.own_seat is not None and self.own_seat.user_id == self.game.creator_id

    @property
    def seat_to_move(self) -> Seat | None:
        """The seat that is to move, None where the game does not run."""
        return next((seat for seat in self.seats if seat.number == self.game.to_move), None)

    @property
    def final_seats(self) -> list[Seat]:
        """The seats of a finished game, best first."""
        return sorted(self.seats, key=lambda seat: (seat.place or self.game.size, seat.number or 0))


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """List the open public games."""
    return render(request, "games/lobby.html", {"cards": cards(queries.lobby(), request)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_game(request: HttpRequest) -> HttpResponse:
    """Ask for a new game's terms and create it; what was typed stays on the page if something is wrong with it."""
    presenter = PRESENTERS[NEW_GAMES]
    sent = request.POST if request.method == "POST" else None
    form = CreateGameForm(sent, rules=RULESETS[NEW_GAMES], bot_names=presenter.bot_names)
    options_form, time_form = presenter.options_form(sent), TimeControlForm(sent)
    if sent is not None and all(part.is_valid() for part in (form, options_form, time_form)):
        try:
            game = commands.create_game(
                user=reader_of(request),
                ruleset=NEW_GAMES,
                size=form.cleaned_data["size"],
                options=options_form.options(),
                public=form.is_public,
                bots=form.bots,
                now=timezone.now(),
                time_control=time_form.time_control(),
            )
        except (GameError, RulesError) as error:
            form.add_error(None, explain(error))
        else:
            return redirect("game" if game.status == Status.ACTIVE else "invitation", game.key)
    context = {
        "form": form,
        "options_form": options_form,
        "options_template": f"{presenter.templates}/options.html",
        "time_form": time_form,
    }
    return render(request, "games/create.html", context, status=200 if sent is None else 422)


@require_safe
def invitation(request: HttpRequest, key: str) -> HttpResponse:
    """Show the terms of an open game to anyone who has its address, before they join."""
    return show_invitation(request, key)


def show_invitation(
    request: HttpRequest, key: str, refusal: GameError | None = None, *, form: InviteForm | None = None
) -> HttpResponse:
    """Render the invitation, or send to the game itself once it has started; with the reason of a refusal, if any.

    ``form`` is one that asked whom to invite and has errors.
    """
    try:
        page = queries.game_page(key, request.user, lines=0)
    except GameError as error:
        raise Http404 from error
    game = page.game
    if refusal is None and game.setup is not None:
        return redirect("game", key)
    invitations = list(game.invitations.select_related("user", "by").order_by("pk"))
    seated = {seat.user_id for seat in page.seats}
    asked = [invitation for invitation in invitations if invitation.user_id not in seated]
    own = next((one for one in asked if one.user_id == request.user.pk and one.declined_at is None), None)
    context = {
        "card": card_of(game, request, invited=own is not None, invited_by=name_of(own.by if own else None)),
        "asked": asked if page.viewer else [],
        "invite_form": form or InviteForm(),
        "bots": [(bot, PRESENTERS[game.ruleset].bot_names.get(bot, bot)) for bot in RULESETS[game.ruleset].bots],
        "refusal": refusal and explain(refusal),
        "link": request.build_absolute_uri(reverse("invitation", args=[key])),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form else HTTPStatus.OK
    return render(request, "games/invitation.html", context, status=refusal.http_status if refusal else status)


def name_of(person: User | None) -> str:
    """Return a person's display name, empty for nobody."""
    return "" if person is None else person.display_name


@require_POST
def join_game(request: HttpRequest, key: str) -> HttpResponse:
    """Take a seat."""

    def join(user: User) -> str:
        game = commands.join_game(game_key=key, user=user, now=timezone.now())
        if game.status == Status.ACTIVE:
            return gettext("You took the last seat: the game has started.")
        return gettext("You have a seat in this game. It starts as soon as every seat is taken.")

    return change_open_game(request, key, join)


@require_POST
def leave_game(request: HttpRequest, key: str) -> HttpResponse:
    """Give a seat up before the start."""

    def leave(user: User) -> str:
        commands.leave_game(game_key=key, user=user)
        return gettext("You gave up your seat in this game.")

    return change_open_game(request, key, leave)


@require_POST
def cancel_game(request: HttpRequest, key: str) -> HttpResponse:
    """Withdraw a game that one has created."""

    def cancel(user: User) -> str:
        commands.cancel_game(game_key=key, user=user, now=timezone.now())
        return gettext("You cancelled this game.")

    return change_open_game(request, key, cancel)


@require_POST
def keep_open(request: HttpRequest, key: str) -> HttpResponse:
    """Let a game that one has created wait longer for players."""

    def prolong(user: User) -> str:
        commands.keep_open(game_key=key, user=user, now=timezone.now())
        return gettext("The game stays open for two weeks from now.")

    return change_open_game(request, key, prolong)


@require_POST
def add_bot(request: HttpRequest, key: str) -> HttpResponse:
    """Give a free seat of one's own game to a computer player."""

    def seat_bot(user: User) -> str:
        game = commands.add_bot(game_key=key, user=user, bot=request.POST.get("bot", ""), now=timezone.now())
        if game.status == Status.ACTIVE:
            return gettext("The last seat is taken: the game has started.")
        return gettext("A computer player took a seat.")

    return change_open_game(request, key, seat_bot)


def change_open_game(request: HttpRequest, key: str, change: Callable[[User], str]) -> HttpResponse:
    """Run one command and go back to the invitation with its words; guests are asked to sign in first."""
    address = reverse("invitation", args=[key])
    if not request.user.is_authenticated:
        return redirect_to_login(address)
    try:
        words = change(request.user)
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            raise Http404 from error
        return show_invitation(request, key, error)
    messages.success(request, words)
    return redirect(address)


@login_required
@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """List the reader's games, those that wait for them first."""
    user = reader_of(request)
    games = queries.my_games(user)
    ended = Paginator(queries.ended_games(user), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "to_move": cards(games.to_move, request),
        "waiting": cards(games.waiting, request),
        "open": cards(games.open, request),
        "invited": [
            card_of(game, request, invited=True, invited_by=getattr(game, "invited_by", None)) for game in games.invited
        ],
        "ended": cards(ended.object_list, request),
        "page": ended,
    }
    return render(request, "games/my_games.html", context)


def cards(games: Iterable[Game], request: HttpRequest) -> list[GameCard]:
    """Return games as a list shows them to who asks. Their seats must be loaded."""
    return [card_of(game, request) for game in games]


def card_of(game: Game, request: HttpRequest, *, invited: bool = False, invited_by: str | None = None) -> GameCard:
    """Return one game as a list shows it to who asks."""
    return GameCard(
        game=game,
        seats=list(game.seats.all()),
        own_seat=seat_of(game, request.user),
        option_words=PRESENTERS[game.ruleset].describe_options(game.options),
        invited=invited and game.status == Status.OPEN,
        invited_by=invited_by or "",
    )


def reader_of(request: HttpRequest) -> User:
    """Return who is signed in, in a view that guests can't reach."""
    return cast("User", request.user)
