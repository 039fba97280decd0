"""Planning a turn ahead: it is composed on a practice board, its conditions are chosen, and it waits for its turn."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from engine.errors import RulesError
from games import commands
from games.errors import GameCode, GameError
from games.log.positions import position_at, rules_of
from games.models import MOST_PLANS
from games.presenters.composition import Composition
from games.queries.game_page import GamePage, game_page
from games.queries.plans import plans_of, why_not_plan
from games.queries.practice import Start, new_seats
from games.web import practice
from games.web.addresses import TurnAddresses
from games.web.answers import Request, query_number, reader_of, with_a_board
from games.web.forms.plan import PlanForm, WithdrawForm
from games.web.game_answers import (
    ask_to_sign_in,
    render_done,
    render_illegal,
    render_refusal,
    render_unreadable,
)
from games.web.plans import conditions_of
from games.web.practice import Board
from games.words.lists import list_words
from games.words.refusals import explain

type PlanView = Callable[[Request, GamePage], HttpResponse]


def for_who_waits(view: PlanView) -> Callable[..., HttpResponse]:
    """Make a view be for a player who waits for their turn in the position after the entry ``?at=``, or now."""

    @wraps(view)
    def answer(request: Request, key: str) -> HttpResponse:
        if not request.user.is_authenticated:
            return ask_to_sign_in(request, key)
        at = query_number(request, "at")
        page = game_page(key, request.user, lines=0)
        if page.view is None:
            return redirect("invitation", key=key)
        if code := why_not_plan(page, page.game.seq if at is None else at):
            return _refuse(request, page, GameError(code))
        return view(request, page)

    return with_a_board(answer)


@require_safe
@for_who_waits
def plan(request: Request, page: GamePage) -> HttpResponse:
    """Show the position as the reader would move in it now."""
    if len(plans_of(page)) >= MOST_PLANS:
        return _refuse(request, page, GameError(GameCode.TOO_MANY_PLANS, most=MOST_PLANS))
    return practice.show_board(request, _board(page))


@require_POST
@for_who_waits
def preview(request: Request, page: GamePage) -> HttpResponse:
    """Show what the steps so far would do."""
    return practice.answer_preview(request, _board(page))


@require_POST
@for_who_waits
def turn(request: Request, page: GamePage) -> HttpResponse:
    """Ask on what the composed turn is to depend."""
    return practice.answer_composed(request, _board(page), lambda turn: {"conditions": conditions_of(page, turn)})


@require_POST
@with_a_board
def choices(request: Request, key: str) -> HttpResponse:
    """Hand out what each choice would do, as drawings."""
    at = query_number(request, "at")
    page = game_page(key, request.user, lines=0)
    if code := why_not_plan(page, page.game.seq if at is None else at):
        return JsonResponse({"choices": {}}, status=GameError(code).http_status)
    return practice.answer_choices(request, _board(page))


@require_POST
@with_a_board
def add(request: Request, key: str) -> HttpResponse:
    """Keep the plan."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, key)
    form = PlanForm(request.POST)
    page = game_page(key, request.user, lines=0)
    if not form.is_valid():
        return render_unreadable(request, page)
    data = form.cleaned_data
    try:
        commands.add_plan(
            game_key=key,
            user=reader_of(request),
            seq=data["seq"],
            turn=data["turn"],
            conditions=data["condition"],
            now=timezone.now(),
        )
    except GameError as error:
        return render_refusal(request, page, error)
    except RulesError as error:
        return render_illegal(request, page, Composition(), error)
    messages.success(
        request,
        _("Your plan is saved. It will be played as soon as it is your turn, if everything it relies on still holds."),
    )
    return redirect("game", key=key)


@require_POST
@with_a_board
def withdraw(request: Request, key: str) -> HttpResponse:
    """Give up one plan, or all."""
    if not request.user.is_authenticated:
        return ask_to_sign_in(request, key)
    form = WithdrawForm(request.POST)
    if not form.is_valid():
        return render_unreadable(request, game_page(key, request.user, lines=0))
    user, place = reader_of(request), form.cleaned_data["plan"]
    try:
        if place is None:
            game = commands.withdraw_plans(game_key=key, user=user)
        else:
            game = commands.withdraw_plan(game_key=key, user=user, place=place)
    except GameError as error:
        return render_refusal(request, game_page(key, user, lines=0), error)
    return render_done(request, game, _("Your plans are withdrawn.") if place is None else _("Your plan is withdrawn."))


def _refuse(request: Request, page: GamePage, error: GameError) -> HttpResponse:
    """Send who wanted to look to the game, with the reason; show it to who sent something."""
    if request.method == "POST":
        return render_refusal(request, page, error)
    messages.error(request, explain(error))
    return redirect("game", key=page.game.key)


def _board(page: GamePage) -> Board:
    """Return the board on which the reader of a game's page composes the turn that they would play in it now."""
    game, rules, number = page.game, rules_of(page.game), page.viewer_number or 0
    start = Start(
        ruleset=game.ruleset,
        options=game.options,
        state=rules.as_if_to_move(position_at(game, page.seq).state, number),
        names=page.table.names,
        seats=new_seats(page.table.names),
        learner=number,
    )
    for seat, stored in zip(start.seats, page.seats, strict=True):
        seat.bot = stored.bot
    composing, drawing, composed = (
        f"{reverse(f'plan_{verb}', args=[game.key])}?at={page.seq}" for verb in ("preview", "choices", "turn")
    )
    return Board(
        start=start,
        page=reverse("plan", args=[game.key]),
        addresses=TurnAddresses(composing, drawing, composed, moves=""),
        title=_("Plan a turn: %(players)s") % {"players": list_words(page.table.names)},
        head="games/_plan_head.html",
        foot="games/_plan_foot.html",
        most_turns=1,
        context={
            "key": game.key,
            "seq": page.seq,
            "confirm": _("Plan this turn"),
            "heading": _("Plan this turn, or choose another move"),
        },
    )
