"""The state of a game, as values that nobody changes once they are made (the tests see to that).

A pile of cards is a bit set: bit *i* stands for ``CARDS[i]``. The content of a space is one byte: its low three bits
are 0 for no star or 1 + the index of the star's colour, and `REPLAY` is set where a replay symbol is printed. Seats
are indices from 0 inside the engine, and numbers from 1 wherever they leave it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

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


@final
@dataclass(slots=True, init=False, unsafe_hash=True)
class Player:
    """What a seat has: its pawn's place (or `OFF`), three piles of cards, and loot (a count for each of `ITEMS`)."""

    pawn: int
    hand: int
    face_up: int
    face_down: int
    loot: tuple[int, ...]

    def __init__(self, pawn: int, hand: int, face_up: int, face_down: int, loot: tuple[int, ...]) -> None:
        self.pawn = pawn
        self.hand = hand
        self.face_up = face_up
        self.face_down = face_down
        self.loot = loot

    @property
    def points(self) -> int:
        """What the loot is worth."""
        return points_of(self.loot)


@final
@dataclass(slots=True, init=False)
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
    actions: int
    replayed: bool
    victims: tuple[int, ...]

    def __init__(  # noqa: PLR0917 - by position: names would cost a step a tenth of its time
        self,
        setup: Setup,
        board: Board,
        cells: bytes,
        players: tuple[Player, ...],
        supply: int,
        door: int,
        seat: int,
        round: int,  # noqa: A002 - the field's name
        turns: int,
        retired: tuple[int, ...],
        reached: bool,  # noqa: FBT001
        finished: bool,  # noqa: FBT001
        actions: int = 0,
        replayed: bool = False,  # noqa: FBT001, FBT002
        victims: tuple[int, ...] = (),
    ) -> None:
        self.setup = setup
        self.board = board
        self.cells = cells
        self.players = players
        self.supply = supply
        self.door = door
        self.seat = seat
        self.round = round
        self.turns = turns
        self.retired = retired
        self.reached = reached
        self.finished = finished
        self.actions = actions
        self.replayed = replayed
        self.victims = victims

    @property
    def stars_left(self) -> int:
        """The number of stars on the board."""
        return len(self.cells) - self.cells.count(0) - self.cells.count(REPLAY)

    def is_active(self, index: int) -> bool:
        """Whether the seat with that index is still in the game."""
        return index not in self.retired

    def next_active(self, index: int) -> int:
        """Return the index of the next active player on the left of that one."""
        following = (index + 1) % len(self.players)
        while following in self.retired:
            following = (following + 1) % len(self.players)
        return following


def points_of(loot: tuple[int, ...]) -> int:
    """Return one point for each star and token of a loot, and one more for each pair of stars of one colour."""
    b, y, p, g, o, w, r = loot
    return b + y + p + g + o + w + r + b // 2 + y // 2 + p // 2 + g // 2 + o // 2 + w // 2


def cards_text(pile: int) -> str:
    """Return the letters of a pile of cards, in the order of `CARDS`."""
    return "".join(card for i, card in enumerate(CARDS) if pile >> i & 1)


def cards_bits(letters: str) -> int:
    """Return the pile with those letters."""
    return sum(1 << CARDS.index(card) for card in letters)
