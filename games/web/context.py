"""What every page of the site may show of games."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest

from games.queries.lists import count_games_to_move


def contact(_request: HttpRequest) -> dict[str, str]:
    """Offer ``contact``, where people write to the staff."""
    return {"contact": settings.CONTACT}


def live(_request: HttpRequest) -> dict[str, bool]:
    """Offer ``live``, whether pages may hear of changes over a stream (`games.live`)."""
    return {"live": settings.LIVE}


def waiting_games(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Offer ``waiting_games``, in how many games the reader is to move: one query, only where it is shown."""

    def count() -> int:
        return count_games_to_move(request.user) if request.user.is_authenticated else 0

    return {"waiting_games": count}
