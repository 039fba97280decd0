"""Why a step is refused in Gravity Superstar, in addition to the codes that all games share."""

from enum import StrEnum


class GravityCode(StrEnum):
    """Refusals by the rules of this game, with their parameters in parentheses."""

    BLOCKED = "blocked"
    """A platform stands in the way (x, y, side: the side of that space that can't be crossed)."""
    CARD_NOT_IN_HAND = "card-not-in-hand"
    """The card is not in the hand of the seat to move (card)."""
    NOTHING_TO_COMPLETE = "nothing-to-complete"
    """No card lies in front, so there is nothing to take back."""
    ALREADY_ON_DOOR = "already-on-door"
    """A teleport by a pawn that stands on the open door already."""
    NO_TOKEN = "no-token"
    """A second action costs a replay token, and there is none."""
    REPLAY_USED = "replay-used"
    """A replay token has been spent this turn."""
    STEAL_FIRST = "steal-first"
    """What to steal must be chosen first (victims: seats as text, in order of ejection)."""
    NOTHING_TO_STEAL = "nothing-to-steal"
    """There is nobody to steal from."""
    WRONG_VICTIM = "wrong-victim"
    """Steals are chosen in the order of ejection (victim, expected)."""
    NOT_IN_LOOT = "not-in-loot"
    """The victim has no such item (victim, item)."""
    ACTION_FIRST = "action-first"
    """A replay comes after a first action."""
