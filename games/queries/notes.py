"""What a player wrote down about a game for themselves."""

from typing import TYPE_CHECKING

from django.db.models import OuterRef, Subquery

from games.errors import GameCode, GameError
from games.models import Game, Note

if TYPE_CHECKING:
    from accounts.models import User


def note_on(key: str, user: "User") -> str:
    """Return a person's note on a game, empty if there is none: one query. Raises `GameError` (``no-such-game``).

    There is no such game for who has no seat in it.
    """
    written = Note.objects.filter(game=OuterRef("pk"), user=user).values("text")[:1]
    found = Game.objects.filter(key=key, seats__user=user).annotate(note=Subquery(written)).values_list("note").first()
    if found is None:
        raise GameError(GameCode.NO_SUCH_GAME)
    return found[0] or ""
