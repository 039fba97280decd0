"""The six travellers: from behind as pawns, as left and right are theirs, and from the front as faces.

Only boots are cream: whatever way a pawn lies on the board, they say where its feet are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

SHARED: Final = (
    '<g id="boots"><path class="pawn-boots" d="M-1 9.5V16.3q0 1.4-1.4 1.4h-8.4q-1.4 0-1.4-1.4v-1.5q0-2.6 3.2-3.4V9.5z'
    'M1 9.5V16.3q0 1.4 1.4 1.4h8.4q1.4 0 1.4-1.4v-1.5q0-2.6-3.2-3.4V9.5z"/>'
    '<path class="pawn-sole" d="M-10.9 15.7H-2.3M2.3 15.7H10.9"/></g>'
    '<path id="pack" class="pawn-pack" d="M-4-3.8h8q3 0 3 3v6.8q0 3-3 3h-8q-3 0-3-3V-.8q0-3 3-3z"/>'
    '<path id="suit" class="pawn-body" d="M-6-5H6q4.5.6 5.6 5.5l1.5 5q.4 2-1.6 2.6l-1.7.3Q9.5 12 6.2 12H-6.2'
    'q-3.3 0-3.6-3.6l-1.7-.3q-2-.6-1.6-2.6l1.5-5Q-10.5-4.4-6-5z"/>'
)
"""What several of them wear."""


@dataclass(frozen=True, slots=True)
class Character:
    """A traveller: the head, what is seen of it from behind and from the front, and a body if not the common suit."""

    name: str
    head: str
    back: str
    front: str
    body: str = '<use href="#suit"/>'


CHARACTERS: Final = (
    Character(
        "Comet",
        '<path class="pawn-trim" d="M0-21.4a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 1 1 0-5.4z"/>'
        '<path class="pawn-body" d="M0-17a7.5 7.5 0 0 1 7.5 7.5q0 3.5-2.5 5.5H-5q-2.5-2-2.5-5.5A7.5 7.5 0 0 1 0-17z"/>',
        '<path class="pawn-shine" d="M-4.5-11q.7-2.8 3.5-3.6"/>',
        '<path class="face-glass" d="M-5.4-11.5q5.4-2.6 10.8 0v3.5q-5.4 3.5-10.8 0z"/>'
        '<path class="face-light" d="M-2.3-9.7v.6M2.3-9.7v.6"/>',
    ),
    Character(
        "Bolt",
        '<path class="pawn-trim" d="M-11.5-13.5h23v6h-23zM-2.5-20h5v4h-5z"/>'
        '<path class="pawn-body" d="M-7.5-17.5h15q1.5 0 1.5 1.5v10.5q0 1.5-1.5 1.5h-15Q-9-4-9-5.5V-16'
        'q0-1.5 1.5-1.5z"/>',
        '<path class="pawn-line" d="M-4.5-14h9M-4.5-11h9M-4.5-8h9"/>',
        '<path class="face-glass" d="M-6.5-14.5h13v7.5h-13z"/>'
        '<path class="face-light" d="M-3.2-11.8v1M3.2-11.8v1M-1.5-8.6h3"/>',
        '<path class="pawn-body" d="M-8-5H8q4 0 4 4v7q0 2-2.5 2V12h-19V8Q-12 8-12 6v-7q0-4 4-4z"/>',
    ),
    Character(
        "Mimi",
        '<path class="pawn-body" d="M-8.6-20l5.2 3.8q3.4-.9 6.8 0L8.6-20q1.5 5.6.2 9.6-1 4.4-4 6.4h-9.6'
        'q-3-2-4-6.4-1.3-4 .2-9.6z"/>',
        '<path class="pawn-line" d="M0-15v3.5M-3-14.5v2.5M3-14.5v2.5"/>',
        '<path class="face-white" d="M-6.3-10.5q2.7-3 5 .5-2.5 2.3-5-.5zM6.3-10.5q-2.7-3-5 .5 2.5 2.3 5-.5z"/>'
        '<path class="face-dot" d="M-3.6-10.4h0M3.6-10.4h0"/>'
        '<path class="face-line" d="M-2.2-6.6q1.1 1 2.2 0 1.1 1 2.2 0M0-7.9v1.3"/>'
        '<path class="pawn-feeler" d="M-8-7.6l-3.8-.8M-7.8-6l-3.7.5M8-7.6l3.8-.8M7.8-6l3.7.5"/>',
        '<path class="pawn-body" d="M8 10.5c6.5.5 10.3-3.5 10-9.5-.2-3.2-1.6-4.8-3.3-4.8-1.9 0-2.4 2-1 3.3'
        'C15.5 1.3 14.5 6 8 6z"/>'
        '<use href="#suit"/>',
    ),
    Character(
        "Buzz",
        '<path class="pawn-feeler" d="M-3.5-14q-.5-5-5-5M3.5-14q.5-5 5-5"/>'
        '<path class="pawn-trim" d="M-8.7-21.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 1 1 0-4.4z'
        'M8.7-21.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 1 1 0-4.4z"/>'
        '<path class="pawn-body" d="M0-16.3c5 0 8.6 3 8.6 6.8 0 2.5-1.6 4.3-3.6 5.5H-5'
        'c-2-1.2-3.6-3-3.6-5.5 0-3.8 3.6-6.8 8.6-6.8z"/>',
        '<path class="pawn-shine" d="M-5-10.5q1-2.5 4-3"/>',
        '<path class="face-glass" d="M-4.3-13.3q3.3 1 3.3 3.5t-3 2.5q-3-.3-3-3 0-2.5 2.7-3z'
        'M4.3-13.3q-3.3 1-3.3 3.5t3 2.5q3-.3 3-3 0-2.5-2.7-3z"/>'
        '<path class="face-light" d="M-4.3-11.3h0M4.3-11.3h0"/><path class="face-line" d="M-2-6.3q2 1.3 4 0"/>',
        '<path class="pawn-wing" d="M-7-1c-3-7-11.5-7-11.5-1.5C-18.5 3-12 6-7 5z'
        'M7-1c3-7 11.5-7 11.5-1.5C18.5 3 12 6 7 5z"/>'
        '<path class="pawn-body" d="M-5-5H5q5.5 3 5.5 8.5T6 12H-6q-4.5-3-4.5-8.5T-5-5z"/>',
    ),
    Character(
        "Wiz",
        '<path class="pawn-trim" d="M-5.5-9h11v5h-11z"/>'
        '<path class="pawn-body" d="M2.5-22.5q-.8 3 1.5 6.5l2.8 6q5 .6 5 2.2 0 2-11.8 2t-11.8-2q0-1.6 5-2.2l3.3-7'
        'q2-4.5 6-5.5z"/>',
        '<path class="pawn-shine" d="M-2.8-11.5l2-4.6"/>',
        '<path class="face-white" d="M-4.8-5.5h9.6q2 5.5-4.8 7.2-6.8-1.7-4.8-7.2z"/>'
        '<path class="face-dot" d="M-2.3-3.8h0M2.3-3.8h0"/>'
        '<path class="face-line" d="M-1.6-1.6q1.6 1.5 3.2 0"/>',
        '<path class="pawn-body" d="M-6-5H6q2 7 6.5 13.5Q6 12.5 0 12.5t-12.5-4Q-8 2-6-5z"/>',
    ),
    Character(
        "Saturn",
        '<path class="pawn-trim" d="M-12.4-9c0-5.5 24.8-7.5 24.8-2z"/>'
        '<path class="pawn-body" d="M0-18.5a8 8 0 0 1 8 8q0 4-3 6.5H-5q-3-2.5-3-6.5a8 8 0 0 1 8-8z"/>'
        '<path class="pawn-trim" d="M-12.4-9.5C-12-3 12-4.5 12.4-11.5 10.5-7.5-9-6.5-12.4-9.5z"/>',
        '<path class="pawn-shine" d="M-5-12.5q.8-2.8 3.5-3.6"/>',
        '<path class="face-white" d="M-3-15.2q2.2.2 2.2 2.8T-3-9.6t-2.2-2.8T-3-15.2z'
        'M3-15.2q2.2.2 2.2 2.8T3-9.6.8-12.4 3-15.2z"/>'
        '<path class="face-dot" d="M-2.7-12.2h0M3.3-12.2h0"/>',
        '<path class="pawn-body" d="M0-5.5a10.5 9 0 0 1 10.5 9Q10.5 9 7 12H-7q-3.5-3-3.5-8.5A10.5 9 0 0 1 0-5.5z"/>',
    ),
)
"""By seat, from 1."""


def draw_characters() -> Iterator[str]:
    """Yield the symbol ``pawn-1``, and so for each seat, with what they refer to."""
    yield SHARED
    for seat, character in enumerate(CHARACTERS, start=1):
        yield (
            f'<g id="head-{seat}">{character.head}</g>'
            f'<g id="pawn-{seat}">'
            f'{character.body}<use href="#boots"/><use href="#pack"/>'
            f'<use href="#head-{seat}"/>{character.back}</g>'
        )


def draw_front(seat: int) -> SafeString:
    """Return the traveller of a seat as seen from the front, from the symbols that `draw_characters` yields."""
    character = CHARACTERS[seat - 1]
    parts = (character.body, '<use href="#boots"/>', f'<use href="#head-{seat}"/>', character.front)
    return SafeString("".join(parts))
