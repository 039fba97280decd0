"""The codes that the database stores, with their names for forms and the admin."""

from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

DUELLISTS: Final = 2


class Status(TextChoices):
    """Where a game is in its life."""

    OPEN = "open", _("open")
    ACTIVE = "active", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class GameKind(TextChoices):
    """What is counted apart of finished games."""

    TWO = "two", _("2 players")
    MANY = "many", _("3 to 6 players")
    BOTS = "bots", _("with computer players or bots")


class EntryEvent(TextChoices):
    """What an entry of the move log can be besides a turn."""

    RETIRE = "retire", _("left the game")


class Actor(TextChoices):
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
    REMOVED = "removed", _("removed by the staff")
    ALONE = "alone", _("no people were left")


class RemarkKind(TextChoices):
    """What happened in a game beside its entries: the part of its log that the rules do not know."""

    OUTAGE = "outage", _("time given back after an outage")
    MAINTENANCE = "maintenance", _("clocks of all games stopped by the staff")
    OUTAGE_UNDONE = "undone", _("outage taken back by the staff")
    TIME_GIVEN = "given", _("time given by the staff")
    PAUSED = "paused", _("clock stopped by the staff")
    RESUMED = "resumed", _("clock started by the staff")
    REMOVED = "removed", _("seat put out by the staff")
    ASKED = "asked", _("consent asked for")
    AGREED = "agreed", _("consent given")
    REFUSED = "refused", _("consent refused")
    WITHDRAWN = "withdrawn", _("proposal withdrawn")
    LAPSED = "lapsed", _("proposal lapsed")
    NEW_TIME_CONTROL = "new-contract", _("different time control")
    CANCELLED = "cancelled", _("game cancelled")
    EXPIRED = "expired", _("open game expired")


class Pool(TextChoices):
    """Games whose results make one rating."""

    DUEL = "duel", _("2 players")
    TABLE = "table", _("3 to 6 players")

    @classmethod
    def of(cls, size: int) -> "Pool":
        """Return to which ratings a game for that many players belongs."""
        return cls.DUEL if size == DUELLISTS else cls.TABLE


class Unrated(TextChoices):
    """Why a game that was to be rated is not."""

    BOTS = "bots", _("with a computer player")
    GUESTS = "guests", _("with a guest")
    HOUSEHOLD = "household", _("within one household")
    UNPLAYED = "unplayed", _("ended before everyone had a turn")


class ProposalKind(TextChoices):
    """What the people in a game can consent to."""

    CANCEL = "cancel", _("to cancel the game")
    TIME_CONTROL = "contract", _("different time control")


class ProposalOutcome(TextChoices):
    """How a proposal was closed."""

    ACCEPTED = "accepted", _("accepted")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn")
    LAPSED = "lapsed", _("lapsed")
