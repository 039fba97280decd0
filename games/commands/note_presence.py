"""Who is at a game right now: the page was asked for, or touched with pointer, key or wheel."""

from datetime import datetime
from typing import Final

from django.core.cache import cache

from games.log.table import Reader
from games.notices.models import Presence

EVERY: Final = 30
"""Seconds between two writings of the same presence."""


def note_presence(*, reader: Reader, game_id: int, now: datetime) -> None:
    """Remember that a person is at a game: one query, at most once in half a minute. Guests leave no trace."""
    if reader is None or not reader.is_authenticated or not cache.add(f"presence:{reader.pk}:{game_id}", 1, EVERY):
        return
    Presence.objects.bulk_create(
        [Presence(user_id=reader.pk, game_id=game_id, seen_at=now)],
        update_conflicts=True,
        unique_fields=["user", "game"],
        update_fields=["seen_at"],
    )
