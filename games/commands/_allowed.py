"""Who may do what is theirs to do with others: not who is barred from it by the staff, nor those who are kept apart."""

from datetime import datetime

from accounts.blocks import blocked_between
from accounts.models import User
from games.errors import GameCode, GameError
from games.log.seats import seats_of
from games.models import Game


def refuse_suspended(person: User, now: datetime) -> None:
    """Refuse what begins something new to who is suspended. Raises `GameError` (``suspended``)."""
    if person.is_suspended(now):
        raise GameError(GameCode.SUSPENDED)


def refuse_silenced(person: User, now: datetime) -> None:
    """Refuse what others would read to who may not write. Raises `GameError`: ``suspended``, ``silenced``."""
    refuse_suspended(person, now)
    if person.is_silenced(now):
        raise GameError(GameCode.SILENCED)


def refuse_bot(person: User) -> None:
    """Refuse what people alone do to a bot: inviting, writing, reporting. Raises `GameError` (``not-for-bots``)."""
    if person.is_bot:
        raise GameError(GameCode.NOT_FOR_BOTS)


def refuse_apart(person: User, game: Game, code: GameCode, **params: str) -> None:
    """Refuse to bring a person, who is locked, together with those in a locked game if any of them are kept apart.

    Blocking somebody locks both people first: so a block comes before or after this, and never in between.
    """
    if blocked_between(person, (seat.user for seat in seats_of(game))):
        raise GameError(code, **params)
