"""Events carry everything: a small interpreter that knows no rules follows a game by them alone."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import Event
from engine.gravity.view import position
from tests.engine.play import CASES, GRAVITY, budget, case_states, load, loot_counts, random_turn, states

BASE = "LHDRW"
CARDS = "LHDRWPJT"
CLOCKWISE = {"N": "E", "E": "S", "S": "W", "W": "N"}
QUARTERS = {"+": 1, "=": 2, "-": 3}


class Follower:
    """A position that changes as events say."""

    def __init__(self, seen: dict[str, Any]) -> None:
        self.stars = [list(row) for row in seen["stars"]]
        self.columns = len(self.stars[0]) // 6
        self.pawns = [place.split(",") if place else None for place in seen["pawns"]]
        self.hands = [set(cards) for cards in seen["hands"]]
        self.up = [set(cards) for cards in seen["face_up"]]
        self.down = [set(cards) for cards in seen["face_down"]]
        self.loot = [loot_counts(loot) for loot in seen["loot"]]
        self.supply, self.door, self.tiles = seen["supply"], seen["open_door"], list(seen["tiles"])
        self.retired, self.round, self.finished = list(seen["retired"]), seen["round"], seen["finished"]

    def follow(self, event: Event) -> None:
        index = (event.seat or 0) - 1
        params: dict[str, Any] = dict(event.params)
        match str(event.kind), params:
            case "placed" | "teleported", {"x": x, "y": y, "feet": feet}:
                self.pawns[index] = [str(x), str(y), feet]
            case "moved" | "fell", {"x": x, "y": y}:
                self.pawns[index] = [str(x), str(y), self.pawns[index][2]]
            case "rotated", {"feet": feet}:
                self.pawns[index][2] = feet
            case "laid", {"card": card, "face_up": face_up}:
                self.hands[index].remove(card)
                (self.up if face_up else self.down)[index].add(card)
            case "passed", {"card": card, "to": to}:
                self.hands[index].remove(card)
                self.hands[to - 1].add(card)
            case "cards_returned", {"count": count}:
                assert count == len(self.up[index]) + len(self.down[index])
                self.hands[index] |= set(BASE)
                self.up[index], self.down[index] = set(), set()
            case "tile_turned", {"tile": tile, "how": how}:
                for _ in range(QUARTERS[how]):
                    self.turn_tile(tile)
            case "collected", {"item": "r"}:
                self.loot[index]["r"] += 1
                self.supply -= 1
            case "collected", {"item": item, "x": x, "y": y}:
                assert self.stars[y][x] == item
                self.stars[y][x] = "."
                self.loot[index][item] += 1
            case "ejected", {"victim": victim, "x": x, "y": y}:
                assert self.pawns[victim - 1][:2] == [str(x), str(y)]
                self.pawns[victim - 1] = None
            case "stole", {"victim": victim, "item": item}:
                self.loot[victim - 1][item] -= 1
                self.loot[index][item] += 1
            case "token_spent", _:
                self.loot[index]["r"] -= 1
                self.supply += 1
            case "door_moved", {"from": before, "to": to}:
                assert self.door == before
                self.door = to
            case "retired", _:
                self.pawns[index] = None
                self.retired.append(event.seat)
            case "round_ended", {"round": number}:
                assert number == self.round
                self.round += 1
            case "game_ended", {"why": why}:
                # A round that ends the game is not followed by another one.
                self.round -= why != "last-seat"
                self.finished = True
            case "wrapped", {"side": side}:
                assert side in CLOCKWISE
            case _:
                raise AssertionError(event)

    def turn_tile(self, tile: int) -> None:
        left, top = tile % self.columns * 6, tile // self.columns * 6
        block = [row[left : left + 6] for row in self.stars[top : top + 6]]
        for y in range(6):
            for x in range(6):
                self.stars[top + x][left + 5 - y] = block[y][x]
        for pawn in self.pawns:
            if pawn and left <= int(pawn[0]) < left + 6 and top <= int(pawn[1]) < top + 6:
                x, y = int(pawn[0]) - left, int(pawn[1]) - top
                pawn[:] = [str(left + 5 - y), str(top + x), CLOCKWISE[pawn[2]]]
        self.tiles[tile] = (self.tiles[tile] + 90) % 360

    def seen(self) -> dict[str, Any]:
        return {
            "stars": ["".join(row) for row in self.stars],
            "pawns": [pawn and ",".join(pawn) for pawn in self.pawns],
            "hands": ["".join(sorted(cards, key=CARDS.index)) for cards in self.hands],
            "face_up": ["".join(sorted(cards, key=CARDS.index)) for cards in self.up],
            "face_down": ["".join(sorted(cards, key=CARDS.index)) for cards in self.down],
            "loot": ["".join(f"{item}{n}" for item, n in counts.items() if n) for counts in self.loot],
            "supply": self.supply,
            "open_door": self.door,
            "tiles": self.tiles,
            "retired": self.retired,
            "round": self.round,
            "finished": self.finished,
        }


def follows(before, events, after) -> None:
    follower = Follower(position(before))
    for event in events:
        follower.follow(event)
    expected = position(after)
    assert follower.seen() == {key: expected[key] for key in follower.seen()}


@pytest.mark.parametrize("name", CASES)
def test_events_alone_lead_from_each_position_of_a_given_game_to_the_next(name):
    for entry, (before, after) in zip(load("cases", name)["log"], pairwise(case_states(name)), strict=True):
        if "event" in entry:
            applied = GRAVITY.retire(before, entry["seat"])
        else:
            applied = GRAVITY.apply_turn(before, entry["turn"])
        assert applied.state == after
        follows(before, applied.events, after)


@budget(60)
@given(states(), st.integers(0, 2**32), st.booleans())
def test_events_alone_lead_from_any_position_to_the_next(state, seed, retires):
    if state.finished:
        return
    rng = Random(seed)
    if retires:
        applied = GRAVITY.retire(state, rng.choice([i + 1 for i in range(len(state.players)) if state.is_active(i)]))
    else:
        steps = random_turn(state, rng)
        for length in range(len(steps) + 1):
            preview = GRAVITY.play_steps(state, steps[:length])
            follows(state, preview.events, preview.state)
        applied = GRAVITY.apply_turn(state, " ".join(steps))
    follows(state, applied.events, applied.state)


@budget(60)
@given(states(), st.integers(0, 2**32))
def test_a_pawn_goes_one_space_at_a_time_and_says_when_it_leaves_over_an_edge(state, seed):
    if state.finished:
        return
    follower = Follower(position(state))
    width, height = state.board.width, state.board.height
    ways = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    edge: str | None = None
    for event in GRAVITY.apply_turn(state, " ".join(random_turn(state, Random(seed)))).events:
        if event.kind == "wrapped":
            edge = str(event.params["side"])
        elif event.kind in {"moved", "fell"}:
            pawn = follower.pawns[(event.seat or 0) - 1]
            assert pawn is not None
            x, y, _ = pawn
            found = [
                side
                for side, (dx, dy) in ways.items()
                if ((int(x) + dx) % width, (int(y) + dy) % height) == (event.params["x"], event.params["y"])
            ]
            assert len(found) == 1
            dx, dy = ways[found[0]]
            leaves = not (0 <= int(x) + dx < width and 0 <= int(y) + dy < height)
            assert edge == (found[0] if leaves else None)
            edge = None
        follower.follow(event)
