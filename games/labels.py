"""The words for every generic code: of the site, of any board game's engine, and of what the database stores."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from engine.errors import RulesCode
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


class RemarkKind(TextChoices):
    """What happened in a game beside its entries: the part of its log that the rules do not know."""

    OUTAGE = "outage", _("time given back after an outage")
    PAUSED = "paused", _("clock stopped by the staff")
    RESUMED = "resumed", _("clock started by the staff")
    ASKED = "asked", _("consent asked")
    AGREED = "agreed", _("consent given")
    REFUSED = "refused", _("consent refused")
    WITHDRAWN = "withdrawn", _("proposal withdrawn")
    LAPSED = "lapsed", _("proposal lapsed")
    NEW_CONTRACT = "new-contract", _("other terms of time")
    CANCELLED = "cancelled", _("game cancelled")
    EXPIRED = "expired", _("open game expired")


class ProposalKind(TextChoices):
    """What the people in a game can consent to."""

    CANCEL = "cancel", _("to cancel the game")
    CONTRACT = "contract", _("other terms of time")


class Outcome(TextChoices):
    """How a proposal was closed."""

    ACCEPTED = "accepted", _("accepted")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("lapsed")


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
    Code.TOO_MANY_OPEN_GAMES: _(
        "You have created %(most)s games that wait for players, which is as many as there can be. "
        "Cancel one of them, or wait until one has started."
    ),
    Code.UNKNOWN_BOT: _("There is no computer player named “%(bot)s”."),
    Code.TOO_LATE_TO_CANCEL: _("The second round has begun: this game can't be cancelled any more."),
    Code.PROPOSAL_OPEN: _("Something else is proposed in this game already: answer that first."),
    Code.NO_SUCH_PROPOSAL: _("This proposal is closed."),
    Code.SAME_CONTRACT: _("The game has these terms of time already."),
    Code.NOT_ASKED: _("Only the people who still play in this game can answer."),
    Code.NO_SUCH_HOLIDAY: _("You have no such holiday."),
    Code.NO_SUCH_PERSON: _("Nobody here is called “%(name)s”."),
    Code.INVITED_SELF: _("You can't invite yourself."),
    Code.PERSON_SEATED: _("%(name)s has a seat in this game already."),
    Code.PERSON_DECLINED: _("%(name)s was invited already and has declined."),
    Code.TOO_MANY_INVITATIONS: _(
        "You have sent %(most)s invitations that wait for an answer or are less than a day old, which is as many as "
        "there can be."
    ),
    Code.NOT_INVITED: _("You are not invited to this game."),
    RulesCode.UNKNOWN_STEP: _("“%(text)s” is not a step of this game."),
    RulesCode.GAME_OVER: _("The game is over."),
    RulesCode.TURN_INCOMPLETE: _("The turn is not complete yet: it needs an action."),
    RulesCode.TURN_COMPLETE: _("The turn is complete: nothing more can be added to it."),
    RulesCode.NOT_ACTIVE: _("Seat %(seat)s is not in the game."),
    RulesCode.BAD_OPTIONS: _("These options do not make a game: look at “%(option)s”."),
}
"""A sentence for each code of `games.errors` and `engine.errors`; named placeholders are the code's parameters."""


def refusal_words(code: "StrEnum", params: Mapping[str, object]) -> str | None:
    """Return the sentence of a generic refusal in the active language, or None if the code is a board game's own."""
    words = REFUSALS.get(code.value)
    return None if words is None else str(words) % params
