"""The rules once more, written from their text alone: slow, with coordinates and dictionaries, sharing nothing with the
engine. Where the two disagree, one of them has misread the rules.
"""

from collections import Counter
from typing import Any

VECTOR = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
LEFT = {"S": "W", "E": "S", "N": "E", "W": "N"}
RIGHT = {"S": "E", "E": "N", "N": "W", "W": "S"}
UP = {"S": "N", "E": "W", "N": "S", "W": "E"}
CLOCKWISE = {"S": "W", "W": "N", "N": "E", "E": "S"}
QUARTERS = {"+": 1, "=": 2, "-": 3}
CARDS = "LHDRWPJT"
LOOT = "bypgowr"
ARROWS = {"^": "N", ">": "E", "v": "S", "<": "W"}
DOOR_ORDER = {2: [0, 1], 4: [0, 1, 3, 2], 6: [0, 1, 2, 5, 4, 3]}
STARS_AT_END = {2: 4, 3: 8, 4: 8, 5: 12, 6: 12}
EXPERT_POINTS = {2: 18, 3: 24, 4: 18, 5: 24, 6: 18}

ALL_STEPS = (
    ["C", "T", "&", "."]
    + [f"S{side}({card})" for side in "<>" for card in CARDS]
    + [f"{wild}{jump}{side}" for wild in ("", "W") for jump in "LH" for side in "<>"]
    + ["D", "WD"]
    + [f"{wild}R{how}" for wild in ("", "W") for how in QUARTERS]
    + [f"P{how}" for how in QUARTERS]
    + [f"J{first}{second}" for first in "<>" for second in "<>"]
    + [f"x{seat}{item}" for seat in range(1, 7) for item in LOOT]
)


class IllegalStep(Exception):
    """The rules forbid it."""


def quarter(point: tuple[int, int]) -> tuple[int, int]:
    """Turn a point of a 6 × 6 tile a quarter clockwise; points just outside work too."""
    x, y = point
    return 5 - y, x


class Oracle:
    """A game in progress."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.columns, self.rows = record["board"]["columns"], record["board"]["rows"]
        self.width, self.height = 6 * self.columns, 6 * self.rows
        self.faces = [record["board"]["faces"][tile["face"]] for tile in record["board"]["tiles"]]
        self.rotations = [tile["turn"] for tile in record["board"]["tiles"]]
        self.stars = {
            (x, y): colour for y, row in enumerate(record["stars"]) for x, colour in enumerate(row) if colour != "."
        }
        self.open_door = record["open_door"]
        self.expert = record["options"].get("expert", False)
        self.seats = len(record["players"])
        self.hand = {seat: set("LHDRW") for seat in range(1, self.seats + 1)}
        for seat, cards in record.get("goodies", {}).items():
            self.hand[int(seat)] |= set(cards)
        self.up: dict[int, set[str]] = {seat: set() for seat in self.hand}
        self.down: dict[int, set[str]] = {seat: set() for seat in self.hand}
        self.loot: dict[int, Counter[str]] = {seat: Counter() for seat in self.hand}
        self.pawn: dict[int, tuple[int, int] | None] = dict.fromkeys(self.hand)
        self.feet: dict[int, str] = dict.fromkeys(self.hand, "S")
        self.supply = 18
        self.seat, self.round, self.turns = 1, 1, 0
        self.retired: list[int] = []
        self.reached = self.finished = False
        self.actions, self.replayed = 0, False
        self.to_steal: list[int] = []
        self.draw()

    # The board

    def draw(self) -> None:
        """Work out platforms, doors and symbols of the tiles as they lie."""
        self.platforms: set[frozenset[tuple[int, int]]] = set()
        self.doors: dict[int, tuple[tuple[int, int], str]] = {}
        self.replay_symbols: set[tuple[int, int]] = set()
        for tile, face in enumerate(self.faces):
            lines = [line.ljust(25) for line in face]
            corner = 6 * (tile % self.columns), 6 * (tile // self.columns)
            for i in range(6):
                for k in range(7):
                    if lines[2 * k][4 * i + 1] == "-":
                        self.platforms.add(
                            frozenset([self.on_board(tile, corner, (i, k - 1)), self.on_board(tile, corner, (i, k))])
                        )
                    if lines[2 * i + 1][4 * k] == "|":
                        self.platforms.add(
                            frozenset([self.on_board(tile, corner, (k - 1, i)), self.on_board(tile, corner, (k, i))])
                        )
            for y in range(6):
                for x in range(6):
                    mark = lines[2 * y + 1][4 * x + 2]
                    if mark == "R":
                        self.replay_symbols.add(self.on_board(tile, corner, (x, y)))
                    elif mark in ARROWS:
                        feet = ARROWS[mark]
                        for _ in range(self.rotations[tile] // 90):
                            feet = CLOCKWISE[feet]
                        self.doors[tile] = self.on_board(tile, corner, (x, y)), feet

    def on_board(self, tile: int, corner: tuple[int, int], point: tuple[int, int]) -> tuple[int, int]:
        """Return where a tile's own point lies on the board."""
        for _ in range(self.rotations[tile] // 90):
            point = quarter(point)
        return (corner[0] + point[0]) % self.width, (corner[1] + point[1]) % self.height

    def beside(self, space: tuple[int, int], way: str) -> tuple[int, int]:
        """Return the next space that way; the board wraps around."""
        dx, dy = VECTOR[way]
        return (space[0] + dx) % self.width, (space[1] + dy) % self.height

    def blocked(self, space: tuple[int, int], way: str) -> bool:
        """Whether a platform stands on that side of the space."""
        return frozenset([space, self.beside(space, way)]) in self.platforms

    # A turn

    def begin(self) -> None:
        """Place the pawn of the seat to move if it is off the board."""
        if self.pawn[self.seat] is None:
            space, feet = self.doors[self.open_door]
            self.enter(space)
            self.feet[self.seat] = feet

    def step(self, text: str) -> None:
        """Play one step of the turn in progress."""
        if self.finished:
            raise IllegalStep("over")
        if text.startswith("x"):
            return self.steal(int(text[1]), text[2])
        if self.to_steal:
            raise IllegalStep("steal first")
        if text == "&":
            if self.actions != 1 or self.replayed or not self.loot[self.seat]["r"]:
                raise IllegalStep("no replay")
            self.loot[self.seat]["r"] -= 1
            self.supply += 1
            self.replayed = True
            return None
        if self.actions > (1 if self.replayed else 0):
            raise IllegalStep("no action left")
        self.act(text)
        self.actions += 1
        return self.after_action()

    def steal(self, victim: int, item: str) -> None:
        if not self.to_steal or self.to_steal[0] != victim or not self.loot[victim][item]:
            raise IllegalStep("no such steal")
        self.loot[victim][item] -= 1
        self.loot[self.seat][item] += 1
        self.to_steal.pop(0)
        self.after_action()

    def after_action(self) -> None:
        """Look for expert points when an action is over, steals included."""
        at_end = self.actions > (1 if self.replayed else 0) and not self.to_steal
        if at_end and any(self.points(seat) >= EXPERT_POINTS[self.seats] for seat in self.hand):
            self.reached = True

    def act(self, text: str) -> None:
        hand, feet = self.hand[self.seat], self.feet[self.seat]
        sides = {"<": LEFT[feet], ">": RIGHT[feet]}
        if text == "C":
            if not self.up[self.seat] | self.down[self.seat]:
                raise IllegalStep("nothing in front")
            self.take_back(self.seat)
            return self.fall()
        if text[0] == "S":
            self.check_free([sides[text[1]]])
            self.lay(text[3], self.down)
            self.walk([sides[text[1]]])
            return self.fall()
        card, what = (text[0], text[1:]) if text[0] == "W" else (text[0], text)
        if card not in hand:
            raise IllegalStep("card not in hand")
        match what[0]:
            case "L":
                self.jump(card, [sides[what[1]]] * 2)
            case "H":
                self.jump(card, [UP[feet], sides[what[1]]])
            case "D":
                self.lay(card, self.up)
                self.walk([feet])
                self.fall()
            case "R":
                self.lay(card, self.up)
                for _ in range(QUARTERS[what[1]]):
                    self.feet[self.seat] = CLOCKWISE[self.feet[self.seat]]
                self.fall()
            case "P":
                self.lay(card, self.up)
                self.turn_tile(QUARTERS[what[1]])
                self.fall()
            case "J":
                self.double_jump([sides[what[1]], sides[what[2]]])
            case "T":
                if self.pawn[self.seat] == self.doors[self.open_door][0]:
                    raise IllegalStep("there already")
                self.lay(card, self.up)
                space, feet = self.doors[self.open_door]
                self.enter(space)
                self.feet[self.seat] = feet
                self.fall()
        return None

    def jump(self, card: str, ways: list[str]) -> None:
        self.check_free(ways)
        self.lay(card, self.up)
        self.walk(ways)
        self.fall()

    def double_jump(self, ways: list[str]) -> None:
        trial = self.copy()
        for way in ways:
            trial.check_free([way])
            trial.walk([way])
            trial.fall()
        self.lay("J", self.up)
        for way in ways:
            self.walk([way])
            self.fall()

    def check_free(self, ways: list[str]) -> None:
        space = self.pawn[self.seat]
        assert space is not None
        for way in ways:
            if self.blocked(space, way):
                raise IllegalStep("blocked")
            space = self.beside(space, way)

    def walk(self, ways: list[str]) -> None:
        for way in ways:
            space = self.pawn[self.seat]
            assert space is not None
            self.enter(self.beside(space, way))

    def fall(self) -> None:
        while not self.blocked(self.pawn[self.seat] or (0, 0), self.feet[self.seat]):
            self.walk([self.feet[self.seat]])

    def turn_tile(self, quarters: int) -> None:
        x, y = self.pawn[self.seat] or (0, 0)
        tile = y // 6 * self.columns + x // 6
        left, top = x // 6 * 6, y // 6 * 6
        for _ in range(quarters):
            moved = {
                (left + i, top + k): (left + quarter((i, k))[0], top + quarter((i, k))[1])
                for i in range(6)
                for k in range(6)
            }
            self.stars = {moved.get(space, space): colour for space, colour in self.stars.items()}
            for seat, space in self.pawn.items():
                if space in moved:
                    self.pawn[seat] = moved[space]
                    self.feet[seat] = CLOCKWISE[self.feet[seat]]
            self.rotations[tile] = (self.rotations[tile] + 90) % 360
        self.draw()

    def lay(self, card: str, pile: dict[int, set[str]]) -> None:
        if card not in self.hand[self.seat]:
            raise IllegalStep("card not in hand")
        self.hand[self.seat].remove(card)
        if card in "PJT":
            self.hand[self.left_of(self.seat)].add(card)
        else:
            pile[self.seat].add(card)
        if not self.hand[self.seat]:
            self.take_back(self.seat)

    def take_back(self, seat: int) -> None:
        self.hand[seat] |= self.up[seat] | self.down[seat]
        self.up[seat], self.down[seat] = set(), set()

    def enter(self, space: tuple[int, int]) -> None:
        """Enter one space with the pawn of the seat to move."""
        self.pawn[self.seat] = None
        rival = next((seat for seat, there in self.pawn.items() if there == space), None)
        if rival is not None:
            self.pawn[rival] = None
            self.take_back(rival)
            if sum(self.loot[rival].values()):
                self.to_steal.append(rival)
        elif space in self.stars:
            self.loot[self.seat][self.stars.pop(space)] += 1
        elif space in self.replay_symbols and self.supply:
            self.supply -= 1
            self.loot[self.seat]["r"] += 1
        self.pawn[self.seat] = space
        if self.doors[self.open_door][0] == space:
            order = DOOR_ORDER[len(self.faces)]
            here = order.index(self.open_door)
            for k in range(1, len(order)):
                tile = order[(here + k) % len(order)]
                if self.doors[tile][0] not in self.pawn.values():
                    self.open_door = tile
                    break

    # Turns, rounds, the end

    def left_of(self, seat: int) -> int:
        """Return the next active player on the left."""
        while True:
            seat = seat % self.seats + 1
            if seat not in self.retired:
                return seat

    def end_turn(self) -> None:
        if self.to_steal or self.actions != (2 if self.replayed else 1):
            raise IllegalStep("not at an end")
        self.turns += 1
        self.pass_on()

    def pass_on(self) -> None:
        self.actions, self.replayed = 0, False
        following = self.left_of(self.seat)
        if following <= self.seat:
            if self.expert:
                self.finished = self.reached
            else:
                self.finished = len(self.stars) <= STARS_AT_END[self.seats]
            if not self.finished:
                self.round += 1
        self.seat = following

    def retire(self, seat: int) -> None:
        if self.finished or seat in self.retired or seat not in self.hand:
            raise IllegalStep("not active")
        self.retired.append(seat)
        self.pawn[seat] = None
        goodies = self.hand[seat] & set("PJT")
        self.hand[seat] -= goodies
        self.hand[self.left_of(seat)] |= goodies
        if len(self.retired) == self.seats - 1:
            self.finished = True
        elif seat == self.seat:
            self.pass_on()

    def points(self, seat: int) -> int:
        loot = self.loot[seat]
        return sum(loot.values()) + sum(loot[colour] // 2 for colour in "bypgow")

    def ranking(self) -> list[int]:
        def beats(one: int, other: int) -> bool:
            if one in self.retired or other in self.retired:
                if one in self.retired and other in self.retired:
                    return self.retired.index(one) > self.retired.index(other)
                return other in self.retired
            if self.points(one) != self.points(other):
                return self.points(one) > self.points(other)
            return self.loot[one]["r"] < self.loot[other]["r"]

        return [1 + sum(beats(other, seat) for other in self.hand) for seat in self.hand]

    # For comparing

    def legal(self) -> set[str]:
        """Return the legal steps by trying every one, ``.`` for ending the turn."""
        found = set()
        for text in ALL_STEPS:
            trial = self.copy()
            try:
                if text == ".":
                    trial.end_turn()
                else:
                    trial.step(text)
            except IllegalStep:
                continue
            found.add(text)
        return found

    def copy(self) -> "Oracle":
        """Return a copy that may be played on alone; what is never changed in place is shared."""
        other = object.__new__(Oracle)
        other.__dict__.update(self.__dict__)
        for name in ("rotations", "stars", "pawn", "feet", "retired", "to_steal", "doors"):
            setattr(other, name, getattr(self, name).copy())
        for name in ("hand", "up", "down", "loot"):
            setattr(other, name, {seat: pile.copy() for seat, pile in getattr(self, name).items()})
        return other

    def position(self) -> dict[str, Any]:
        """Return the position in the form of the record's specification."""

        def cards(pile: set[str]) -> str:
            return "".join(sorted(pile, key=CARDS.index))

        seats = list(self.hand)
        shown = {
            "turns": self.turns,
            "round": self.round,
            "seat": None if self.finished else self.seat,
            "finished": self.finished,
            "open_door": self.open_door,
            "supply": self.supply,
            "tiles": list(self.rotations),
            "stars": ["".join(self.stars.get((x, y), ".") for x in range(self.width)) for y in range(self.height)],
            "pawns": [
                None if (there := self.pawn[seat]) is None else f"{there[0]},{there[1]},{self.feet[seat]}"
                for seat in seats
            ],
            "hands": [cards(self.hand[seat]) for seat in seats],
            "face_up": [cards(self.up[seat]) for seat in seats],
            "face_down": [cards(self.down[seat]) for seat in seats],
            "loot": [
                "".join(f"{item}{self.loot[seat][item]}" for item in LOOT if self.loot[seat][item]) for seat in seats
            ],
            "points": [self.points(seat) for seat in seats],
            "retired": list(self.retired),
        }
        return shown | ({"ranking": self.ranking()} if self.finished else {})
