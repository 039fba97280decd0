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
from games.models.people import MESSAGE_LENGTH, NOTE_LENGTH, Invitation, Message, Note
from games.models.rating import Punctuality, Rating, RatingChange, RatingCounter, RatingMonth
from games.models.remark import Remark
from games.models.setback import Setback
from games.models.time import Charge, Heartbeat, Holiday, Pause

__all__ = (
    "DIGEST_LENGTH",
    "EXPIRY_NOTICE",
    "HIDDEN",
    "KEY_ALPHABET",
    "KEY_LENGTH",
    "MESSAGE_LENGTH",
    "NOTE_LENGTH",
    "OPEN_FOR",
    "TURN_LENGTH",
    "Charge",
    "Consent",
    "Entry",
    "Game",
    "Heartbeat",
    "Holiday",
    "Invitation",
    "Message",
    "Note",
    "Pause",
    "Proposal",
    "Punctuality",
    "Rating",
    "RatingChange",
    "RatingCounter",
    "RatingMonth",
    "Remark",
    "Seat",
    "Setback",
    "default_time_control",
    "defer_hidden",
    "new_key",
)
