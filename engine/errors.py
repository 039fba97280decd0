"""The errors that engines raise: codes with parameters, never sentences.

The words for each code belong to whoever shows them (``games.words`` on the site), in the reader's language.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

type Param = str | int | tuple[str, ...]


class RulesCode(StrEnum):
    """Why a step, a turn or an option is refused, whatever the game."""

    UNKNOWN_STEP = "unknown-step"
    """The text is not a step of this game's notation. Parameters: ``text``."""
    GAME_OVER = "game-over"
    """The game has ended, nobody may move."""
    TURN_INCOMPLETE = "turn-incomplete"
    """The turn ends before its mandatory part is done."""
    TURN_COMPLETE = "turn-complete"
    """The turn has had its actions; all that is left is to end it."""
    NOT_ACTIVE = "not-active"
    """The seat does not exist or has retired already. Parameters: ``seat``."""
    BAD_OPTIONS = "bad-options"
    """The options do not describe a game. Parameters: ``option``."""


class Refusal(Exception):  # noqa: N818 - the base of errors, never raised itself
    """A refused request, which has changed nothing: a code and the parameters that explain it.

    Rules and site raise subclasses; ``str()`` gives one line for logs, not for players.
    """

    code: StrEnum
    params: Mapping[str, Param]

    def __init__(self, code: StrEnum, **params: Param) -> None:
        super().__init__(code.value)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{name}={' '.join(v) if isinstance(v, tuple) else v}" for name, v in self.params.items())
        return one_line(f"{self.code.value} ({details})") if details else self.code.value


class RulesError(Refusal):
    """A refusal by the rules of a game.

    ``step`` is the index (from 0) of the refused step within its turn, or None where no step is meant.
    """

    def __init__(self, code: StrEnum, *, step: int | None = None, **params: Param) -> None:
        super().__init__(code, **params)
        self.step: Final = step

    def at_step(self, index: int) -> "RulesError":
        """Return the same refusal for the step at ``index`` of a turn."""
        return RulesError(self.code, step=index, **self.params)


class RecordError(Exception):
    """A record that can't be read or replayed; the message is one line for the person who wrote the record."""


def one_line(text: str) -> str:
    """Return a text with line breaks, control characters and the like escaped, so that it stays on one line."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
