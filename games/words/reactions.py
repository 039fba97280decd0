"""Reactions as they are shown: a sign that every device has, and its name for who listens."""

from collections.abc import Mapping
from typing import Final

from games.models import ReactionKind

SIGNS: Final[Mapping[str, str]] = {
    ReactionKind.THUMB: "👍",
    ReactionKind.CLAP: "👏",
    ReactionKind.LAUGH: "😄",
    ReactionKind.WOW: "😮",
    ReactionKind.SAD: "😢",
    ReactionKind.HEART: "❤️",
}
"""In the order in which they are offered."""


def reaction_label(kind: str) -> str:
    """Return what a reaction is called in the active language."""
    return str(ReactionKind(kind).label)
