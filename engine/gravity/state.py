"""The state of a game, as immutable values.

A pile of cards is a bit set: bit *i* stands for ``CARDS[i]``. The content of a space is one byte: its low three bits
are 0 for no star or 1 + the index of the star's colour, and `REPLAY` is set where a replay symbol is printed. Seats
are indices from 0 inside the engine, and numbers from 1 wherever they leave it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.gravity.board import Board, board_of

CARDS: Final = "LHDRWPJT"
"""Five action cards, then the three goodies."""
BASE: Final = 0b11111
"""The five action cards."""
GOODIES: Final = 0b11100000

ITEMS: Final = "bypgowr"
"""What players collect: stars of six colours, then replay tokens."""
COLOURS: Final = ITEMS[:-1]
TOKEN: Final = 6
STAR: Final = 0b111
"""Mask of the star in a space's content."""
REPLAY: Final = 0b1000
"""Flag of a replay symbol in a space's content."""

STARS_A_COLOUR: Final = 13
TOKENS: Final = 18
OFF: Final = -1
"""The place of a pawn that is off the board."""

LAST_STARS: Final = {2: 4, 3: 8, 4: 8, 5: 12, 6: 12}
"""The base game ends when at most this many stars are left, by number of players."""
EXPERT_POINTS: Final = {2: 18, 3: 24, 4: 18, 5: 24, 6: 18}
"""The expert game ends when someone has at least this many points, by number of players."""

NOTHING: Final = (0, 0, 0, 0, 0, 0, 0)
"""Empty loot."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A set-up as drawn, and as the record holds it.

    ``tiles`` are pairs of a face's name and a rotation (degrees clockwise); ``goodies`` maps seat numbers to cards.
    """

    players: tuple[str, ...]
    expert: bool
    columns: int
    rows: int
    tiles: tuple[tuple[str, int], ...]
    faces: Mapping[str, tuple[str, ...]]
    stars: tuple[str, ...]
    open_door: int
    goodies: Mapping[int, str]

    def drawings(self) -> tuple[tuple[str, ...], ...]:
        """Return the drawing of each tile's face, in tile order."""
        return tuple(self.faces[name] for name, _ in self.tiles)

    def board(self, rotations: tuple[int, ...]) -> Board:
        """Return the geometry with the tiles in those rotations."""
        return board_of(self.columns, self.rows, self.drawings(), rotations)


@dataclass(frozen=True, slots=True)
class Player:
    """What a seat has: its pawn's place (or `OFF`), three piles of cards, and loot (a count for each of `ITEMS`)."""

    pawn: int
    hand: int
    face_up: int
    face_down: int
    loot: tuple[int, ...]

    @property
    def points(self) -> int:
        """One point for each star and token, and one more for each pair of stars of one colour."""
        b, y, p, g, o, w, r = self.loot
        return b + y + p + g + o + w + r + b // 2 + y // 2 + p // 2 + g // 2 + o // 2 + w // 2


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment, between turns or within one.

    Between turns ``actions`` is 0, ``replayed`` False and ``victims`` empty. Within a turn they are the number of
    actions taken, whether a token was spent, and the players (indices, in order) from whom something is still to be
    stolen. ``retired`` are indices, earliest first; ``reached`` is set once someone has had the expert points.
    """

    setup: Setup
    board: Board
    cells: bytes
    players: tuple[Player, ...]
    supply: int
    door: int
    seat: int
    round: int
    turns: int
    retired: tuple[int, ...]
    reached: bool
    finished: bool
    actions: int = 0
    replayed: bool = False
    victims: tuple[int, ...] = ()

    @property
    def stars_left(self) -> int:
        """The number of stars on the board."""
        return len(self.cells) - self.cells.count(0) - self.cells.count(REPLAY)

    def is_active(self, index: int) -> bool:
        """Whether the seat with that index is still in the game."""
        return index not in self.retired

    def next_active(self, index: int) -> int:
        """Return the index of the next active player on the left of that one."""
        count = len(self.players)
        return next(i for k in range(1, count + 1) if self.is_active(i := (index + k) % count))


def cards_text(pile: int) -> str:
    """Return the letters of a pile of cards, in the order of `CARDS`."""
    return "".join(card for i, card in enumerate(CARDS) if pile >> i & 1)


def cards_bits(letters: str) -> int:
    """Return the pile with those letters."""
    return sum(1 << CARDS.index(card) for card in letters)
