"""The facts that commands put into the outbox: what happened, not to whom it goes, nor how.

Seats are numbers; the game that a fact is about is given beside it.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from games.clock import ClockWarning
from games.models.choices import ProposalKind, ProposalOutcome, Reason


class CancelledBy(StrEnum):
    """What brought the cancelling of a game about."""

    CREATOR = "creator"
    """Its creator withdrew it before the start."""
    CONSENT = "consent"
    """All people in it agreed."""
    EXPIRY = "expiry"
    """It stayed open for too long."""
    ACCOUNT = "account"
    """Its creator deleted their account before the start."""
    STAFF = "staff"
    """The staff has suspended its creator before the start."""


class MovedBy(StrEnum):
    """Why the deadline of a running turn is another one now."""

    OUTAGE = "outage"
    HOLIDAY = "holiday"
    CALENDAR = "calendar"
    """The stored one was not what the calendars make it: corrected, which nobody needs to hear of."""
    TIME_CONTROL = "contract"
    STAFF = "staff"
    GIVEN = "given"
    """The staff gave the turn more time."""


@dataclass(frozen=True, slots=True)
class Invited:
    """A person asked another one to take a seat of an open game; ``anew`` names the removal that this takes back."""

    user_id: int
    by_id: int
    anew: int | None = None


@dataclass(frozen=True, slots=True)
class MessageWritten:
    """The player in a seat wrote to the others in the game."""

    seat: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A person took a seat of an open game."""

    user_id: int


@dataclass(frozen=True, slots=True)
class Removed:
    """Who created an open game took a person's seat away."""

    user_id: int
    removal_id: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """All seats are taken, the first turn has begun."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """It is the turn of a person's seat, after entry ``seq``."""

    seat: int
    seq: int


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """The running turn of a seat has another deadline, or none while the staff has stopped the clock."""

    seat: int
    deadline: datetime | None
    why: MovedBy


@dataclass(frozen=True, slots=True)
class TimeRunsShort:
    """These warnings are due for a seat's open turn, which ends at ``deadline``."""

    seat: int
    deadline: datetime | None
    warnings: tuple[ClockWarning, ...]


@dataclass(frozen=True, slots=True)
class AutopilotPlayed:
    """A seat's time ran out and a computer player played entry ``seq`` for it."""

    seat: int
    seq: int
    misses: int
    """Turns missed in a row, this one included."""


@dataclass(frozen=True, slots=True)
class SeatRetired:
    """A seat left the running game with entry ``seq``."""

    seat: int
    seq: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game is finished and has its ranking."""


@dataclass(frozen=True, slots=True)
class GameCancelled:
    """The game will not be played, or not be played on."""

    why: CancelledBy


@dataclass(frozen=True, slots=True)
class ExpiryNears:
    """The open game will be cancelled at ``expires_at`` unless it fills or its creator keeps it open."""

    expires_at: datetime


@dataclass(frozen=True, slots=True)
class ConsentAsked:
    """The person in ``seat`` proposes something; those in ``asked`` have to answer."""

    proposal_id: int
    kind: ProposalKind
    seat: int
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ProposalClosed:
    """A proposal needs no more answers. ``seat`` closed it, None where the game went past it."""

    proposal_id: int
    kind: ProposalKind
    outcome: ProposalOutcome
    seat: int | None


type Fact = (
    Invited
    | MessageWritten
    | Joined
    | Removed
    | GameStarted
    | TurnBegan
    | DeadlineMoved
    | TimeRunsShort
    | AutopilotPlayed
    | SeatRetired
    | GameOver
    | GameCancelled
    | ExpiryNears
    | ConsentAsked
    | ProposalClosed
)
