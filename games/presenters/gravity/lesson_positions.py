"""The positions of the lessons: small real ones, found by playing and looking which turns reach what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.contract import JsonObject
from engine.gravity.record import FORMAT
from engine.gravity.setup import our_faces

LEARNER: Final = "Juno"
RIVAL: Final = "Nova"


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A set-up for two on our own faces, and the turns that were played from it."""

    tiles: tuple[tuple[str, int], ...]
    """Left and right: the name of the face, and by how many degrees it is turned."""
    stars: Sequence[str]
    open_door: int
    goodies: Mapping[str, str] = field(default_factory=dict)
    turns: str = ""
    """Separated by commas."""

    def record(self) -> JsonObject:
        """Return the record, with the turns as its log; the learner is the one who moves next."""
        turns = self.turns.split(", ") if self.turns else []
        faces = our_faces()
        return {
            "format": FORMAT,
            "players": [LEARNER, RIVAL] if len(turns) % 2 == 0 else [RIVAL, LEARNER],
            "options": {"expert": False},
            "board": {
                "columns": 2,
                "rows": 1,
                "tiles": [{"face": name, "turn": turned} for name, turned in self.tiles],
                "faces": {name: list(faces[name]) for name, _turned in self.tiles},
            },
            "stars": list(self.stars),
            "open_door": self.open_door,
            "goodies": dict(self.goodies),
            "log": [{"seat": 1 + number % 2, "turn": turn} for number, turn in enumerate(turns)],
        }


DOWN: Final = Position(
    tiles=(("2a", 0), ("4a", 90)),
    stars=(
        ".y.b....p.go",
        "..y...op....",
        "w....p..p.p.",
        "..p.y.w....b",
        "p......b...o",
        "..w.b..o.g..",
    ),
    open_door=0,
    turns="H<, S<(R)",
)
SIMPLE_MOVE: Final = Position(
    tiles=(("1b", 0), ("2a", 270)),
    stars=(
        "g..p.w..b...",
        ".y.y.....b.g",
        "....w.b.....",
        "by..p..p.b.b",
        "..p...y.....",
        "g....g..g.g.",
    ),
    open_door=0,
    turns="L<, R=",
)
EDGES: Final = Position(
    tiles=(("6b", 0), ("4a", 270)),
    stars=(
        "...o.p..p.p.",
        "g.p...p...p.",
        "....o.o....b",
        ".y.o...w.o..",
        ".y...g....gg",
        "w.wyy.gb.p..",
    ),
    open_door=1,
    turns="R+, R=",
)
JUMPS: Final = Position(
    tiles=(("5a", 0), ("6b", 90)),
    stars=(
        "y..o.ow...y.",
        "..w....yg...",
        "bw..y.y...g.",
        ".....yo.p..o",
        ".y.o..w..p..",
        "...p.y.g...p",
    ),
    open_door=0,
    turns="D, S>(R)",
)
DROP_ROTATE: Final = Position(
    tiles=(("5a", 0), ("4a", 0)),
    stars=(
        "p..w.wo..bp.",
        "..o...g.y...",
        "ww..o......w",
        ".....ob.g...",
        ".y.p...b..oy",
        "...p.p.b.y..",
    ),
    open_door=1,
    turns="WL<, WR+",
)
WILD: Final = Position(
    tiles=(("4b", 270), ("1b", 270)),
    stars=(
        "o....yy....p",
        "..o.....bb..",
        "w...g.gp....",
        ".g........o.",
        "...g.y.p.o..",
        ".p..g.w..b.o",
    ),
    open_door=0,
    turns="L>, WR-",
)
CARDS_BACK: Final = Position(
    tiles=(("3a", 90), ("5a", 0)),
    stars=(
        "y.p.p.g..p.y",
        ".....b..w...",
        "...pp.wo..b.",
        "p....b.....o",
        "...w...b.b..",
        ".w...g...p.y",
    ),
    open_door=0,
    turns="L>, H<, D & R- x2p, L> & S<(D)",
)
COLLECTING: Final = Position(
    tiles=(("4b", 270), ("1b", 270)),
    stars=(
        "o....yy....p",
        "..o.....bb..",
        "w...g.gp....",
        ".g........o.",
        "...g.y.p.o..",
        ".p..g.w..b.o",
    ),
    open_door=0,
    turns="L>, WR-",
)
STEALING: Final = Position(
    tiles=(("1b", 0), ("2b", 270)),
    stars=(
        "o..w.g.w..o.",
        ".b.y..o.y...",
        "....w....og.",
        "gy..o.yy....",
        "..p......o.w",
        "g....opy....",
    ),
    open_door=1,
    turns="L<, L<",
)
OPEN_DOOR: Final = Position(
    tiles=(("4b", 270), ("3a", 180)),
    stars=(
        "o....b..p..g",
        "..w...g.....",
        "p...y......y",
        ".o.....b.p..",
        "...w.o...g.w",
        ".o..p.p.b.p.",
    ),
    open_door=0,
)
REPLAY: Final = Position(
    tiles=(("3b", 180), ("2b", 0)),
    stars=(
        "g..y..o.y.p.",
        ".g...gp.g..y",
        "p.ow......p.",
        ".....g.y.g..",
        ".w.g.....g.w",
        "..y.pw.w....",
    ),
    open_door=1,
    turns="L<, S>(R), D, D",
)
THE_END: Final = Position(
    tiles=(("4b", 90), ("1a", 180)),
    stars=(
        ".b..o.b.w.y.",
        "w.w........y",
        "....b..by...",
        ".o...gp....b",
        "...y.....g..",
        "w....p...p.w",
    ),
    open_door=1,
    turns="H>, L>, S>(R), D & WL>, L>, H>, WR+ x2y, H<, D, R-, D & L<",
)
GOODIES: Final = Position(
    tiles=(("5b", 90), ("1a", 0)),
    stars=(
        "b.o...o.w...",
        "....b...y...",
        "..g..op....o",
        ".p..g....po.",
        "w..b..p.....",
        ".gy....w.p.y",
    ),
    open_door=1,
    goodies={"1": "J", "2": "PT"},
    turns="L>, R-",
)
