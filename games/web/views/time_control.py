"""The terms of a running game: what they are, and what the people in it propose and agree to."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import commands, queries
from games.errors import GameCode, GameError
from games.log.consent import may_be_cancelled, open_proposal
from games.log.table import people_in
from games.models import Game
from games.models.choices import Status
from games.timing.panel import clock_panel
from games.web.forms.time import TimeControlForm
from games.words.refusals import explain

LONGEST_NUMBER: Final = 18
"""Digits that a proposal's number can have."""


@require_safe
@never_cache
def show_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show a started game's time control, what is proposed, and what the reader can propose or answer."""
    return show_time_control(request, key)


@require_POST
def propose_cancel(request: HttpRequest, key: str) -> HttpResponse:
    """Propose to cancel the game."""

    def propose(user: User) -> str:
        game = commands.propose_cancel(game_key=key, user=user, now=timezone.now())
        if game.status == Status.CANCELLED:
            return gettext("The game is cancelled.")
        return gettext("The others are asked whether to cancel the game.")

    return change_time_control(request, key, propose)


@require_POST
def propose_time_control(request: HttpRequest, key: str) -> HttpResponse:
    """Propose another time control."""
    form = TimeControlForm(request.POST)
    if not form.is_valid():
        return show_time_control(request, key, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)

    def propose(user: User) -> str:
        game = commands.propose_time_control(
            game_key=key, user=user, time_control=form.time_control(), now=timezone.now()
        )
        return said(game, gettext("The others are asked whether to change the time control."))

    return change_time_control(request, key, propose)


@require_POST
def agree(request: HttpRequest, key: str) -> HttpResponse:
    """Agree to what is proposed."""
    return answer(request, key, agrees=True)


@require_POST
def refuse(request: HttpRequest, key: str) -> HttpResponse:
    """Refuse what is proposed, or take one's own proposal back."""
    return answer(request, key, agrees=False)


def answer(request: HttpRequest, key: str, *, agrees: bool) -> HttpResponse:
    """Give an answer to the proposal that the page showed."""
    number = request.POST.get("proposal", "")
    proposal = int(number) if number.isascii() and number.isdecimal() and len(number) <= LONGEST_NUMBER else 0

    def give(user: User) -> str:
        game = commands.answer_proposal(game_key=key, user=user, proposal_id=proposal, agree=agrees, now=timezone.now())
        if game.status == Status.CANCELLED:
            return gettext("All agree: the game is cancelled.")
        if not agrees:
            return gettext("The proposal is closed.")
        return said(game, gettext("You agree. The others are still asked."))

    return change_time_control(request, key, give)


def said(game: Game, waiting: str) -> str:
    """Return the words for a proposal that waits, or for terms that have just changed."""
    return waiting if open_proposal(game) is not None else gettext("All agree: the new time control holds from now on.")


def change_time_control(request: HttpRequest, key: str, change: Callable[[User], str]) -> HttpResponse:
    """Run one command and go back to the terms with its words; guests are asked to sign in first."""
    address = reverse("game_time_control", args=[key])
    if not request.user.is_authenticated:
        return redirect_to_login(address)
    try:
        words = change(request.user)
    except GameError as error:
        if error.code == GameCode.NO_SUCH_GAME:
            raise Http404 from error
        return show_time_control(request, key, refusal=error, status=error.http_status)
    messages.success(request, words)
    return redirect(address)


def show_time_control(
    request: HttpRequest,
    key: str,
    *,
    form: TimeControlForm | None = None,
    refusal: GameError | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """Render the terms of a started game; an open one has them in its invitation."""
    try:
        page = queries.game_page(key, request.user, lines=0)
    except GameError as error:
        raise Http404 from error
    game = page.game
    if game.setup is None:
        return redirect("invitation", key)
    proposal = open_proposal(game)
    agreed = set(proposal.consents.values_list("seat", flat=True)) if proposal is not None else set()
    people = people_in(game)
    own = page.viewer_number
    context: dict[str, Any] = {
        "page": page,
        "game": game,
        "clocks": clock_panel(game, timezone.now()),
        "proposal": proposal,
        "answers": [(seat, seat.number in agreed) for seat in page.seats if seat.number in people],
        "has_agreed": own in agreed,
        "takes_part": game.status == Status.ACTIVE and own in people,
        "alone": len(people) == 1,
        "may_be_cancelled": may_be_cancelled(game),
        "form": form or TimeControlForm(),
        "refusal": refusal and explain(refusal),
    }
    return render(request, "games/terms.html", context, status=status)
