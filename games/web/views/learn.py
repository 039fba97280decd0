"""Learning by playing: the list of lessons, and each lesson as a practice board."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts import progress
from games.queries.practice import Practice
from games.web import practice
from games.web.answers import Request
from games.web.lessons import Taught, all_lessons, board_of, first_position
from games.web.pictures import answer_with_position, as_picture


def about_a_lesson(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view of a lesson find it by its name; 404 where there is none."""

    @wraps(view)
    def answer(request: HttpRequest, name: str) -> HttpResponse:
        taught = all_lessons().get(name)
        if taught is None:
            raise Http404
        return view(request, taught)

    return answer


def with_a_lesson(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view `about_a_lesson` never be cached. htmx gets a part."""
    return never_cache(vary_on_headers("HX-Request")(about_a_lesson(view)))


@require_safe
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    """List the lessons, and which of them the reader has completed."""
    lessons, completed = all_lessons().values(), progress.completed(request)
    context = {
        "lessons": [(taught, taught.lesson.name in completed) for taught in lessons],
        "count": len(lessons),
        "done": sum(taught.lesson.name in completed for taught in lessons),
        "next_lesson": next((taught for taught in lessons if taught.lesson.name not in completed), None),
    }
    return render(request, "games/learn.html", context)


@require_safe
@with_a_lesson
def lesson(request: Request, taught: Taught) -> HttpResponse:
    """Show a lesson at its beginning."""
    return practice.show_board(request, board_of(taught, progress.completed(request)))


@require_POST
@with_a_lesson
def preview(request: Request, taught: Taught) -> HttpResponse:
    """Show what the steps so far would do."""
    return practice.answer_preview(request, board_of(taught, progress.completed(request)))


@require_POST
@with_a_lesson
def choices(request: Request, taught: Taught) -> HttpResponse:
    """Hand out what each choice would do, as drawings."""
    return practice.answer_choices(request, board_of(taught, frozenset()))


@require_POST
@with_a_lesson
def turn(request: Request, taught: Taught) -> HttpResponse:
    """Play the turn, and say whether it reaches the goal; then the lesson is completed."""
    reached = False

    def judge(played: Practice) -> dict[str, Any]:
        nonlocal reached
        reached = taught.lesson.is_reached(played.moves(1, 1)[0])
        return {"reached": reached}

    response = practice.answer_turn(request, board_of(taught, progress.completed(request)), judge)
    if reached:
        progress.complete(request, response, taught.lesson.name)
    return response


@require_POST
@with_a_lesson
def moves(request: Request, taught: Taught) -> HttpResponse:
    """Hand out the turn that was played for the script that plays it on the board."""
    return practice.answer_moves(request, board_of(taught, frozenset()))


@require_safe
@as_picture
@about_a_lesson
def picture(request: HttpRequest, taught: Taught) -> HttpResponse:
    """Draw the board of a lesson, the same for everyone, in the colours of ``?scheme=``."""
    return answer_with_position(request, first_position(taught))
