"""A turn while it is being composed: it travels in the form, the server keeps nothing of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Composition:
    """The steps so far, and what narrows the choice: a place on the board, something of one's own (each or empty)."""

    steps: tuple[str, ...] = ()
    spot: str = ""
    pick: str = ""

    @property
    def text(self) -> str:
        """The steps so far as a turn is written."""
        return " ".join(self.steps)

    @property
    def is_begun(self) -> bool:
        """Whether there is something that a fresh page would lose."""
        return bool(self.steps or self.spot)
