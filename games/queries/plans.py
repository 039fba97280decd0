"""The turns that somebody has planned in a game: for them alone."""

from games.models import Plan
from games.models.choices import Status
from games.queries.game_page import GamePage


def plans_of(page: GamePage) -> list[Plan]:
    """Return the plans of the reader of a page in the order in which they are looked at: one query, none for others."""
    if page.viewer is None or page.game.status != Status.ACTIVE:
        return []
    return list(Plan.objects.filter(seat=page.viewer).order_by("place"))
