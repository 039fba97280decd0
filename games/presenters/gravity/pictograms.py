"""The pictures on the cards: what each one does, drawn in the colour of the letters around it."""

from collections.abc import Mapping
from typing import Final

IMP: Final = (
    '<path id="imp" class="card-imp" d="M-5.4 0v-2.3h.9v-2.2q0-2.6 2.7-2.6h3.6q2.7 0 2.7 2.6v2.2h.9V0H.8v-1.9H-.8V0z'
    "M-4.6-17.6l3 2.2q1.6-.4 3.2 0l3-2.2q1 3.4.2 6-1.2 3.5-4.8 3.5t-4.8-3.5q-.8-2.6.2-6z"
    'M-2.7-12.6v1.8q2.7 1.4 5.4 0v-1.8q-2.7-1-5.4 0z"/>'
)
"""The little figure that the pictures refer to; its feet stand on the point where it is put."""

CARD_ARTS: Final[Mapping[str, str]] = {
    # Long jump: over the space between, from one ledge to another
    "L": '<use href="#imp" x="-13" y="12"/><path d="M-13-9C-11-19 13-19 13 5"/>'
    '<path class="card-head" d="M7.5 3h11L13 10z"/>'
    '<path class="card-ledge" d="M-17.5 15h9M8.5 15h9"/><path class="card-soft" d="M-3 15h6"/>',
    # High jump: up, then aside
    "H": '<use href="#imp" x="-10.5" y="13"/><path d="M-10.5-7v-.5q0-5.5 5.5-5.5H9"/>'
    '<path class="card-head" d="M8-18.5v11l9-5.5z"/>'
    '<path class="card-ledge" d="M-16.5 16h12"/><path class="card-soft" d="M3-1.5h13"/>',
    # Drop: down, through the ledge
    "D": '<use href="#imp" y="-1.8"/><path class="card-ledge" d="M-17 1.2h9.5M7.5 1.2h9.5"/>'
    '<path class="card-soft" d="M-4 1.2h8"/><path d="M0 4v6"/><path class="card-head" d="M-6 10.5H6L0 18.5z"/>',
    # Rotate: either way, on the spot
    "R": '<use href="#imp" y="8"/><path d="M8.5-13.2a15.4 15.4 0 0 1 2.5 23.9M-8.5-13.2a15.4 15.4 0 0 0-2.5 23.9"/>'
    '<path class="card-head" d="M6 16.5l1-8.8 7.3 5zM-6 16.5l-1-8.8-7.3 5z"/>',
    # Wild: a star for any of the four, whose signs stand around it
    "W": '<path class="card-star" d="M0-11.2l3.2 6.8 7.4 1-5.4 5.2 1.3 7.4L0 5.7l-6.5 3.5 1.3-7.4-5.4-5.2 7.4-1z"/>'
    '<path class="card-thin" d="M-18.5-11c.5-7 8-7 8.5-.5m-2.8-1.5 2.8 2.3 2-2.9M9.5-10v-6.5h7m-2.5-2.5 3 2.5-3 2.5'
    'M-14 9.5v8.5m-3.2-3 3.2 3.3 3.2-3.3M17.5 13.5a4.3 4.3 0 1 1-2-3.7m-.8-2.6 1.3 2.9-3 1"/>',
    # Turn a tile
    "P": '<path class="card-tile" d="M-6.2-9.6L9.6-6.2 6.2 9.6-9.6 6.2z"/>'
    '<path class="card-thin" d="M1.7-7.9l-3.4 15.8M-7.9-1.7L7.9 1.7"/>'
    '<path d="M-16.5-2a16.6 16.6 0 0 1 17-14.5M16.5 2a16.6 16.6 0 0 1-17 14.5"/>'
    '<path class="card-head" d="M-.5-21.5l7.6 5-7.6 5zM.5 21.5l-7.6-5 7.6-5z"/>',
    # Double jump: a step with its fall, and another
    "J": '<use href="#imp" x="-12.5" y=".5"/><path d="M-6.5-12.5c3-5 7.5-3.5 7.5 5"/>'
    '<path class="card-head" d="M-3.6-8h9.2L1-.5z"/><path d="M5-1.5c4-5 9-3 9 6"/>'
    '<path class="card-head" d="M9.4 4h9.2L14 11.5z"/>'
    '<path class="card-ledge" d="M-17.5 3.5h9M-3 5.5h8M10 16h8"/>',
    # Teleport: to the open door
    "T": '<path class="card-tile" d="M-1 17V-6a9 9 0 0 1 18 0v23z"/>'
    '<use href="#imp" x="8" y="15.5"/><path d="M-17.5 3h7"/><path class="card-head" d="M-11.5-2.5v11l8-5.5z"/>'
    '<path class="card-soft" d="M-17-6h3M-10-6h1M-14 12h3M-7 12h1"/>',
}
