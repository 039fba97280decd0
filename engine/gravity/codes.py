"""Why a step is refused in Gravity Superstar, beside the codes that every game shares."""

from enum import StrEnum


class GravityCode(StrEnum):
    """A refusal of this game's rules, with its parameters in parentheses."""

    BLOCKED = "blocked"
    """A platform stands in the way (x, y, side: the side of that space that can't be crossed)."""
    CARD_NOT_IN_HAND = "card-not-in-hand"
    """The card is not in the hand of the seat to move (card)."""
    NOTHING_TO_COMPLETE = "nothing-to-complete"
    """No card lies in front, so there is nothing to take back."""
    ALREADY_ON_DOOR = "already-on-door"
    """Teleport while standing on the open door's space."""
    NO_TOKEN = "no-token"
    """A second action costs a replay token, and there is none."""
    REPLAY_USED = "replay-used"
    """Only one replay a turn."""
    STEAL_FIRST = "steal-first"
    """An ejected player's loss must be chosen first (victims: seats as text, in order)."""
    NOTHING_TO_STEAL = "nothing-to-steal"
    """Nobody who has anything was ejected."""
    WRONG_VICTIM = "wrong-victim"
    """Steals are chosen in the order of ejection (victim, expected)."""
    NOT_IN_LOOT = "not-in-loot"
    """The victim has no such thing (victim, item)."""
    ACTION_FIRST = "action-first"
    """A second action needs a first one."""
