"""A player as others see them, and finished games of anybody."""

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games import queries
from games.models.puzzle import puzzle_day
from games.presenters.registry import new_games
from games.queries import ratings
from games.queries.puzzles import standing_of
from games.web.answers import reader_of
from games.web.cards import cards_of
from games.web.forms.past import PastForm
from games.web.rating_curve import curve_of


@require_safe
def player_named(request: HttpRequest, name: str) -> HttpResponse:  # noqa: ARG001 - a view's first argument
    """Lead on from the address that a player's page had before it went by number."""
    number = queries.player_number(name)
    if number is None:
        raise Http404
    return redirect("player", number)


@require_safe
def player(request: HttpRequest, number: int) -> HttpResponse:
    """Show what a player's games came to, whom they played, and their games, a page at a time."""
    person = queries.person_for(number, request.user)
    if person is None:
        raise Http404
    user, own = person.user, person.user == request.user
    context: dict[str, Any] = {
        "person": user,
        "befriends": _may_befriend(request, user),
        "is_friend": person.befriended,
        "blocked": person.blocked,
        "hidden": not user.ratings_shown and not own,
    }
    if context["hidden"]:
        return render(request, "player.html", context)
    form = PastForm(request.GET, request.user, player=user)
    other = form.other if form.is_valid() else None
    shown = ratings.ratings_of(user)
    curves = [] if other else [curve_of(rating, ratings.curve_of(rating)) for rating in shown]
    career = queries.career_of(user, unlisted=own)
    _ruleset, presenter = next(iter(new_games().values()))
    context |= {
        "career": career,
        "deeds": presenter.describe_counts(career.counts) if career.games else [],
        "rivals": [] if other else queries.rivals_of(user, unlisted=own),
        "other": other,
        "rivalry": None if other is None else queries.rivalry_of(user, other, unlisted=own),
        "ratings": shown,
        "standing": standing_of(user, puzzle_day(timezone.now())),
        "curves": [curve for curve in curves if curve is not None],
        "hidden_from_others": not user.ratings_shown,
    }
    return render(request, "player.html", context | _games(request, form), status=_status(form))


@require_safe
def past_games(request: HttpRequest) -> HttpResponse:
    """Show finished games that fit, newest first, a page at a time."""
    form = PastForm(request.GET, request.user)
    return render(request, "games/past.html", _games(request, form), status=_status(form))


def _games(request: HttpRequest, form: PastForm) -> dict[str, Any]:
    """Return what a page of finished games shows; none where what was asked for can't be read."""
    after = queries.Moment.read(request.GET.get("after", ""))
    games, following = queries.finished_games(form.sought, after) if form.is_valid() else ([], None)
    return {
        "form": form,
        "cards": cards_of(games, request.user),
        "further": after is not None,
        "next": following and following.text,
    }


def _status(form: PastForm) -> HTTPStatus:
    return HTTPStatus.OK if form.is_valid() else HTTPStatus.UNPROCESSABLE_ENTITY


def _may_befriend(request: HttpRequest, person: User) -> bool:
    if not request.user.is_authenticated or person.is_guest or person.is_bot:
        return False
    reader = reader_of(request)
    return not reader.is_guest and reader != person
