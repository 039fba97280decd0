"""Leaderboards: who is best of all time, and whose rating gained most in a month."""

from datetime import date
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from games.models.choices import Pool
from games.queries import ratings

MONTHS: Final = 12
"""How many months can be looked at: this one, and those before."""


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show a leaderboard: ``?games=`` are for two or for more, ``?month=`` is the first day of one, else all time."""
    try:
        pool = Pool(request.GET.get("games", Pool.DUEL))
    except ValueError as error:
        raise Http404 from error
    months = last_months(timezone.now().date())
    asked = request.GET.get("month", "")
    month = next((one for one in months if f"{one:%Y-%m}" == asked), None)
    if asked and month is None:
        raise Http404
    reader = request.user if isinstance(request.user, User) and not request.user.is_guest else None
    board = ratings.leaderboard(pool, reader) if month is None else ratings.monthly_leaderboard(pool, month, reader)
    context = {
        "pool": pool,
        "pools": Pool.choices,
        "months": months,
        "month": month,
        "board": board,
        "reader": reader,
        "most": ratings.MOST_COUNTED,
    }
    return render(request, "leaderboards.html", context)


def last_months(today: date) -> list[date]:
    """Return the first days of the months that can be looked at, the newest first."""
    number = today.year * MONTHS + today.month - 1
    return [date((number - back) // MONTHS, (number - back) % MONTHS + 1, 1) for back in range(MONTHS)]
