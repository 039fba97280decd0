"""The words for every generic code: of the site, of any board game's engine, and of what the database stores."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from engine.errors import Code as EngineCode
from games.errors import Code

if TYPE_CHECKING:
    from enum import StrEnum

    from django.utils.functional import _StrPromise


class Status(TextChoices):
    """Where a game is in its life."""

    OPEN = "open", _("open")
    ACTIVE = "active", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class EntryEvent(TextChoices):
    """What an entry of the move log can be besides a turn."""

    RETIRE = "retire", _("left the game")


class By(TextChoices):
    """Who brought an entry about."""

    PLAYER = "player", _("the player")
    BOT = "bot", _("a computer player")
    AUTOPILOT = "autopilot", _("the autopilot")
    CLOCK = "clock", _("the clock")
    STAFF = "staff", _("the staff")


class Reason(TextChoices):
    """Why a seat left a running game."""

    RESIGNED = "resigned", _("resigned")
    TIMEOUT = "timeout", _("ran out of time")
    REMOVED = "removed", _("was put out by the staff")


REFUSALS: Final[Mapping[str, "_StrPromise"]] = {
    Code.NO_SUCH_GAME: _("There is no game at this address."),
    Code.NO_SUCH_POSITION: _("This game has no position number %(seq)s."),
    Code.STALE: _("The game has moved on since this page was shown. Here is the board as it is now."),
    Code.NOT_YOURS: _("You do not play in this game."),
    Code.NOT_YOUR_TURN: _("It is not your turn."),
    Code.NOT_OPEN: _("This game does not take players any more."),
    Code.NOT_RUNNING: _("This game is not running."),
    Code.ALREADY_JOINED: _("You have a seat in this game already."),
    Code.NOT_JOINED: _("You have no seat in this game."),
    Code.NOT_CREATOR: _("Only the player who created this game can do that."),
    Code.CREATOR_STAYS: _("You created this game: you can cancel it, but not leave it."),
    Code.UNKNOWN_RULESET: _("There are no rules named “%(ruleset)s”."),
    Code.BAD_SIZE: _("This game is for %(least)s to %(most)s players."),
    Code.TOO_MANY_BOTS: _("At most %(most)s seats of this game can go to computer players."),
    Code.UNKNOWN_BOT: _("There is no computer player named “%(bot)s”."),
    EngineCode.UNKNOWN_STEP: _("“%(step)s” is not a step of this game."),
    EngineCode.GAME_OVER: _("The game is over."),
    EngineCode.TURN_INCOMPLETE: _("The turn is not complete yet: it needs an action."),
    EngineCode.TURN_COMPLETE: _("The turn is complete: nothing more can be added to it."),
    EngineCode.NOT_ACTIVE: _("Seat %(seat)s is not in the game."),
    EngineCode.BAD_OPTIONS: _("These options do not make a game: look at “%(option)s”."),
}
"""A sentence for each code of `games.errors` and `engine.errors`; named placeholders are the code's parameters."""


def refusal_words(code: "StrEnum", params: Mapping[str, object]) -> str | None:
    """Return the sentence of a generic refusal in the active language, or None if the code is a board game's own."""
    words = REFUSALS.get(code.value)
    return None if words is None else str(words) % params
