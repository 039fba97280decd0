"""What the database keeps of games. The move log (`Entry`) is the truth; what is derived from it says so.

Nothing here decides anything: changes are made by `games.commands`, and read by `games.queries`.
"""

from games.models.consent import Consent, Proposal
from games.models.game import (
    DIGEST_LENGTH,
    EXPIRY_NOTICE,
    HIDDEN,
    KEY_ALPHABET,
    KEY_LENGTH,
    OPEN_FOR,
    TURN_LENGTH,
    Entry,
    Game,
    Seat,
    default_time_control,
    defer_hidden,
    new_key,
)
from games.models.people import (
    MESSAGE_LENGTH,
    NOTE_LENGTH,
    Friend,
    Invitation,
    MailInvitation,
    Message,
    Note,
    Removal,
    Unwanted,
)
from games.models.plan import MOST_PLANS, Plan, PlanState
from games.models.puzzle import (
    DailyPuzzle,
    JudgedTurn,
    Puzzle,
    PuzzleAttempt,
    PuzzleSearch,
    PuzzleSource,
    PuzzleTheme,
    Solver,
)
from games.models.rating import Punctuality, Rating, RatingChange, RatingCounter, RatingMonth
from games.models.remark import Remark
from games.models.report import REPORT_LENGTH, Report, ReportKind, ReportOutcome, ReportState
from games.models.results import Career, Mark, Result, Rivalry
from games.models.review import Review, ReviewTurn
from games.models.setback import Setback
from games.models.talk import (
    EVERYBODY,
    Muted,
    Reaction,
    ReactionKind,
    SeenMark,
    Spectator,
    SpectatorMessage,
    TalkMute,
)
from games.models.time import Charge, Heartbeat, Holiday, Pause
from games.models.turn_key import TurnKey

__all__ = (
    "DIGEST_LENGTH",
    "EVERYBODY",
    "EXPIRY_NOTICE",
    "HIDDEN",
    "KEY_ALPHABET",
    "KEY_LENGTH",
    "MESSAGE_LENGTH",
    "MOST_PLANS",
    "NOTE_LENGTH",
    "OPEN_FOR",
    "REPORT_LENGTH",
    "TURN_LENGTH",
    "Career",
    "Charge",
    "Consent",
    "DailyPuzzle",
    "Entry",
    "Friend",
    "Game",
    "Heartbeat",
    "Holiday",
    "Invitation",
    "JudgedTurn",
    "MailInvitation",
    "Mark",
    "Message",
    "Muted",
    "Note",
    "Pause",
    "Plan",
    "PlanState",
    "Proposal",
    "Punctuality",
    "Puzzle",
    "PuzzleAttempt",
    "PuzzleSearch",
    "PuzzleSource",
    "PuzzleTheme",
    "Rating",
    "RatingChange",
    "RatingCounter",
    "RatingMonth",
    "Reaction",
    "ReactionKind",
    "Remark",
    "Removal",
    "Report",
    "ReportKind",
    "ReportOutcome",
    "ReportState",
    "Result",
    "Review",
    "ReviewTurn",
    "Rivalry",
    "Seat",
    "SeenMark",
    "Setback",
    "Solver",
    "Spectator",
    "SpectatorMessage",
    "TalkMute",
    "TurnKey",
    "Unwanted",
    "default_time_control",
    "defer_hidden",
    "new_key",
)
