"""Puzzles: the page of them, the daily ones, and each as a practice board on which one turn is played."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import wraps
from http import HTTPStatus
from random import SystemRandom
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.models import User
from games import commands
from games.models.puzzle import puzzle_day
from games.presenters.registry import PRESENTERS, new_games
from games.queries import puzzles
from games.queries.practice import Practice, practise
from games.queries.puzzles import ReadPuzzle
from games.web import practice
from games.web.answers import Request
from games.web.pictures import answer_with_position, as_picture
from games.web.practice import Board
from games.web.puzzles import (
    WAITING,
    Today,
    after_answer,
    as_left,
    board_of,
    may_be_told,
    rating_change,
    shown_answer,
    start_of,
    state_of,
    with_query,
)

MONTH: Final = "%Y-%m"


def today() -> date:
    """Return the day whose daily puzzle is there."""
    return puzzle_day(timezone.now())


def about_a_puzzle(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view of a puzzle find it by its number, with what its reader has answered; 404 where there is none."""

    @wraps(view)
    def answer(request: HttpRequest, number: int, **more: object) -> HttpResponse:
        found = puzzles.puzzle_for(number, request.user, today())
        if found is None:
            raise Http404
        return view(request, found, **more)

    return answer


def with_a_puzzle(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view `about_a_puzzle` never be cached. htmx gets a part."""
    return never_cache(vary_on_headers("HX-Request")(about_a_puzzle(view)))


@require_safe
@never_cache
def overview(request: HttpRequest) -> HttpResponse:
    """Show today's puzzle, how good the reader is at puzzles, and what there is to solve."""
    day = today()
    daily = commands.pick_daily(day=day, rng=SystemRandom())
    themes = next(iter(new_games().values()))[1].theme_names
    context = {
        "day": day,
        "daily": daily and Today.of(daily.puzzle_id, puzzles.attempt_at(daily.puzzle_id, request.user)),
        "standing": puzzles.standing_of(request.user, day) if isinstance(request.user, User) else None,
        "themes": [(code, name, words) for code, (name, words) in themes.items()],
        "none_left": request.GET.get("none") == "1",
    }
    return render(request, "games/puzzles.html", context)


@require_safe
@never_cache
def of_today(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view's first argument
    """Lead to today's puzzle, or to the page of puzzles where there is none."""
    daily = commands.pick_daily(day=today(), rng=SystemRandom())
    return redirect("puzzles") if daily is None else redirect("puzzle", daily.puzzle_id)


@require_safe
@never_cache
def days(request: HttpRequest) -> HttpResponse:
    """Show the daily puzzles of ``?month=``, or of this one, and how the reader did."""
    day, text = today(), request.GET.get("month", "")
    try:
        month = datetime.strptime(text, MONTH).replace(tzinfo=UTC).date() if text else day
    except ValueError as error:
        raise Http404 from error
    if not date(2000, 1, 1) <= month <= day:
        raise Http404
    before, after = puzzles.months_around(month, day)
    context = {
        "month": month,
        "days": puzzles.days_of(month, request.user, day),
        "before": before and before.strftime(MONTH),
        "after": after and after.strftime(MONTH),
    }
    return render(request, "games/daily_puzzles.html", context)


@require_safe
@never_cache
def following(request: HttpRequest) -> HttpResponse:
    """Lead to a puzzle that suits the reader, of ``?theme=`` if one is given, after the number ``?after=``."""
    theme, after = request.GET.get("theme", ""), request.GET.get("after", "")
    known = theme if theme in next(iter(new_games().values()))[1].theme_names else ""
    number = puzzles.next_puzzle(
        request.user, today(), theme=known, after=int(after) if after.isdecimal() and len(after) < 10 else 0
    )
    if number is None:
        return redirect(with_query(reverse("puzzles"), {"none": 1}))
    return redirect(with_query(reverse("puzzle", args=[number]), {"theme": known} if known else {}))


@require_safe
@with_a_puzzle
def puzzle(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Show a puzzle as it is at first, or as its reader left it; with ``?again`` at its beginning all the same."""
    board = _board(request, found)
    left = None if "again" in request.GET else as_left(board, found)
    if left is None:
        return practice.show_board(request, board)
    played, told = left
    return practice.show_board(request, board, played, more=told)


@require_POST
@with_a_puzzle
def preview(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Show what the steps so far would do."""
    return practice.answer_preview(request, _board(request, found))


@require_POST
@with_a_puzzle
def choices(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Hand out what each choice would do, as drawings."""
    return practice.answer_choices(request, board_of(found))


@require_POST
@with_a_puzzle
def turn(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Take a turn as an answer: what is known of it is said at once, what is not by a worker, soon."""

    def judge(played: Practice) -> dict[str, Any]:
        user = request.user if isinstance(request.user, User) else None
        judged = commands.answer_puzzle(puzzle=found.puzzle, user=user, turn=played.turns[0], now=timezone.now())
        again = _found_again(request, found)
        board = _board(request, again)
        return {**board.context, "here": board.page, **after_answer(board, again, judged)}

    return practice.answer_turn(request, _board(request, found), judge)


@require_safe
@with_a_puzzle
def judgement(request: Request, found: ReadPuzzle, judged: int) -> HttpResponse:
    """Show what became of an answer; htmx, which asks again and again, gets nothing until that is known."""
    row = puzzles.judged_turn(found.puzzle, pk=judged)
    if row is None:
        raise Http404
    state = state_of(row, found.attempt)
    if found.reader is not None and not may_be_told(state, found.attempt):
        raise Http404
    if request.htmx and state == WAITING:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    board = _board(request, found)
    return practice.show_board(request, board, practise(board.start, (row.turn,)), more=after_answer(board, found, row))


@require_POST
@with_a_puzzle
def moves(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Hand out the turn that was played for the script that plays it on the board."""
    return practice.answer_moves(request, board_of(found))


@require_POST
@with_a_puzzle
def answer(request: Request, found: ReadPuzzle) -> HttpResponse:
    """Show the best turn on the board. Who has not answered has missed it."""
    if isinstance(request.user, User):
        commands.show_answer(puzzle=found.puzzle, user=request.user, now=timezone.now())
        if not request.htmx:
            return redirect("puzzle", found.puzzle.pk)
        found = _found_again(request, found)
    board = _board(request, found)
    played, told = as_left(board, found) or shown_answer(board, found)
    return practice.show_board(request, board, played, more=told)


@require_safe
@as_picture
@about_a_puzzle
def picture(request: HttpRequest, found: ReadPuzzle) -> HttpResponse:
    """Draw the board of a puzzle, the same for everyone, in the colours of ``?scheme=``."""
    return answer_with_position(request, practise(start_of(found)))


def _found_again(request: Request, found: ReadPuzzle) -> ReadPuzzle:
    """Return a puzzle after a command: with the reader's attempt as it is now."""
    return puzzles.puzzle_for(found.puzzle.pk, request.user, today()) or found


def _board(request: HttpRequest, found: ReadPuzzle) -> Board:
    theme = request.GET.get("theme", "")
    known = PRESENTERS[found.puzzle.ruleset].theme_names.get(theme)
    before, after = puzzles.days_around(found.day, today()) if found.day else (None, None)
    return board_of(
        found,
        day_before=before,
        day_after=after,
        rating_change=rating_change(found.attempt),
        theme=theme if known else "",
        theme_name=known[0] if known else "",
    )
