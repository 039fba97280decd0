"""Who is at a game right now."""

from datetime import datetime

from games.notices.models import Presence


def seen_at(user_id: int, games: set[int]) -> dict[int, datetime]:
    """Return when a person was last at each of these games: one query."""
    rows = Presence.objects.filter(user_id=user_id, game_id__in=games)
    return dict(rows.values_list("game_id", "seen_at"))
