"""A running game's time control, and what the people in it propose and agree to."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import commands, queries
from games.errors import GameError
from games.log.consent import open_proposal
from games.models import Game
from games.models.choices import Status
from games.timing.panel import clock_panel
from games.web.answers import about_a_game, parse_number, run_command
from games.web.forms.time import TimeControlForm
from games.words.refusals import explain


@require_safe
@never_cache
@about_a_game
def time_control(request: HttpRequest, key: str) -> HttpResponse:
    """Show a started game's time control, what is proposed, and what the reader can propose or answer."""
    return show_time_control(request, key)


@require_POST
@about_a_game
def propose_cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Propose to cancel the game."""

    def propose(user: User) -> str:
        game = commands.propose_cancel(game_key=key, user=user, now=timezone.now())
        if game.status == Status.CANCELLED:
            return gettext("The game is cancelled.")
        return gettext("The others have been asked whether to cancel the game.")

    return change_time_control(request, key, propose)


@require_POST
@about_a_game
def propose_time_control(request: HttpRequest, key: str) -> HttpResponse:
    """Propose another time control."""
    form = TimeControlForm(request.POST)
    if not form.is_valid():
        return show_time_control(request, key, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def propose(user: User) -> str:
        game = commands.propose_time_control(
            game_key=key, user=user, time_control=form.time_control(), now=timezone.now()
        )
        return words_of_consent(game, gettext("The others have been asked whether to change the time control."))

    return change_time_control(request, key, propose)


@require_POST
@about_a_game
def agree(request: HttpRequest, key: str) -> HttpResponse:
    """Agree to what is proposed."""
    return answer_proposal(request, key, agrees=True)


@require_POST
@about_a_game
def refuse(request: HttpRequest, key: str) -> HttpResponse:
    """Refuse what is proposed, or take one's own proposal back."""
    return answer_proposal(request, key, agrees=False)


def answer_proposal(request: HttpRequest, key: str, *, agrees: bool) -> HttpResponse:
    """Give an answer to the proposal that the page showed."""
    proposal = parse_number(request.POST.get("proposal", "")) or 0

    def answer(user: User) -> str:
        game = commands.answer_proposal(game_key=key, user=user, proposal_id=proposal, agree=agrees, now=timezone.now())
        if game.status == Status.CANCELLED:
            return gettext("Everyone agrees: the game is cancelled.")
        if not agrees:
            return gettext("The proposal is closed.")
        return words_of_consent(game, gettext("You agree. Waiting for the others to answer."))

    return change_time_control(request, key, answer)


def words_of_consent(game: Game, waiting: str) -> str:
    """Return ``waiting`` while the proposal is open, else that the time control has changed."""
    return (
        waiting
        if open_proposal(game) is not None
        else gettext("Everyone agrees: the new time control applies from now on.")
    )


def change_time_control(request: HttpRequest, key: str, command: Callable[[User], str]) -> HttpResponse:
    """Run a command and go back to the page, which also shows refusals."""
    return run_command(
        request,
        command,
        address=reverse("game_time_control", args=[key]),
        refuse=lambda error: show_time_control(request, key, refusal=error, status=error.http_status),
    )


def show_time_control(
    request: HttpRequest,
    key: str,
    *,
    form: TimeControlForm | None = None,
    refusal: GameError | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render the page of a started game; an open one shows its time control in its invitation.

    Raises `GameError` (``no-such-game``).
    """
    page = queries.game_page(key, request.user, lines=0)
    if not page.game.was_set_up:
        return redirect("invitation", key)
    context: dict[str, Any] = {
        "page": page,
        "game": page.game,
        "clocks": clock_panel(page.table, timezone.now()),
        "consent": queries.consent_page(page),
        "form": form or TimeControlForm(),
        "refusal": refusal and explain(refusal),
    }
    return render(request, "games/time_control.html", context, status=status)
