"""The turns that somebody has planned in a game: for them alone."""

from games.errors import GameCode
from games.models import Plan
from games.models.choices import Status
from games.queries.game_page import GamePage


def plans_of(page: GamePage) -> list[Plan]:
    """Return the plans of the reader of a page in the order in which they are looked at: one query, none for others."""
    if page.viewer is None or page.game.status != Status.ACTIVE:
        return []
    return list(Plan.objects.filter(seat=page.viewer).order_by("place"))


def why_not_plan(page: GamePage, seq: int) -> GameCode | None:
    """Return why the reader, who saw the game after entry ``seq``, may not plan a turn, or None."""
    if page.viewer is None:
        return GameCode.NOT_YOURS
    if page.game.status != Status.ACTIVE:
        return GameCode.NOT_RUNNING
    if page.viewer.retired:
        return GameCode.NOT_YOURS
    if seq != page.game.seq:
        return GameCode.STALE
    return GameCode.YOUR_TURN if page.to_move == page.viewer else None
