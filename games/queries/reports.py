"""What a person can report: the players of a game, a message in it, somebody with a page."""

from typing import TYPE_CHECKING

from accounts.models import User
from games.log.table import Table
from games.log.unseen import shown_to
from games.models import Game
from games.queries.by_key import game_by_key
from games.queries.messages import MessageLine

if TYPE_CHECKING:
    from games.log.table import Reader


def person_to_report(number: int, reader: User) -> User | None:
    """Return somebody else who has a page that anyone may see, or None: one query."""
    return User.objects.shown().filter(pk=number).exclude(pk=reader.pk).first()


def people_to_report(key: str, reader: "Reader") -> tuple[Game, list[tuple[int, str]]]:
    """Return a game with the numbers and names of the other people in it, those who are still here: two queries.

    Raises `GameError` (``no-such-game``), also for one that the reader may not watch.
    """
    game = game_by_key(key, reader)
    table = Table.of(game, reader)
    others = [(seat, name) for seat, name in table.seated if seat.user is not None and seat != table.viewer]
    return game, [(seat.user_id, name) for seat, name in others if seat.user_id is not None]


def message_to_report(key: str, number: int, reader: User) -> MessageLine | None:
    """Return what another player wrote who is still here, if the reader can read it: three queries.

    Raises `GameError` (``no-such-game``).
    """
    game = game_by_key(key, reader)
    table = Table.of(game, reader)
    if table.viewer is None:
        return None
    message = shown_to(game.messages.filter(pk=number), reader.pk).first()
    if message is None or message.seat == table.viewer_number or table.seats[message.seat - 1].user_id is None:
        return None
    name = table.names[message.seat - 1]
    return MessageLine(number=message.pk, seat=message.seat, name=name, own=False, text=message.text, at=message.at)
