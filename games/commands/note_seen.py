"""Up to where a player has read what the others wrote."""

from datetime import datetime

from accounts.models import User
from games.errors import GameCode, GameError
from games.models import Message, Seat, SeenMark


def note_seen(*, reader_id: int, game_id: int, up_to: int, now: datetime) -> None:
    """Move a player's mark up to a message; it never goes back. One query, two the first time."""
    marks = SeenMark.objects.filter(user=reader_id, game=game_id)
    if marks.filter(up_to__lt=up_to).update(up_to=up_to, at=now):
        return
    mark = SeenMark(user_id=reader_id, game_id=game_id, up_to=up_to, at=now)
    SeenMark.objects.bulk_create([mark], ignore_conflicts=True)


def read_messages(*, game_key: str, user: User, up_to: int, now: datetime) -> None:
    """Note that ``user`` has read the messages of a game up to a number. Raises `GameError` (``not-yours``)."""
    seat = Seat.objects.filter(game__key=game_key, user=user, number__isnull=False).first()
    if seat is None:
        raise GameError(GameCode.NOT_YOURS)
    newest = Message.objects.filter(game=seat.game_id, pk__lte=up_to).order_by("-pk").values_list("pk", flat=True)
    if (last := newest.first()) is not None:
        note_seen(reader_id=user.pk, game_id=seat.game_id, up_to=last, now=now)
