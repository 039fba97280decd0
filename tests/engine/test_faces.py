"""What every drawing of the twelve faces keeps to, read from the drawings where the engine itself could be wrong."""

from itertools import product

import pytest

from engine.gravity.board import COMPASS, MOVES, Board, parse_face
from engine.gravity.setup import our_faces

FACES = our_faces()


def symbols(name):
    return "".join(FACES[name]).replace("|", "").count("*"), "".join(FACES[name]).count("R")


def rotated(drawing):
    """Return what a drawing shows in each rotation, worked out independently: the lines as a grid, rotated."""
    grid = [line.ljust(25) for line in drawing]
    # Halve the columns, so that sides and spaces are as far apart across as down.
    square = ["".join(line[i] for i in range(0, 25, 2)) for line in grid]
    for _ in range(4):
        yield "\n".join(square)
        turn = str.maketrans({"^": ">", ">": "v", "v": "<", "<": "^", "-": "|", "|": "-"})
        square = ["".join(row).translate(turn) for row in zip(*square[::-1], strict=True)]


def test_six_tiles_have_two_faces_each():
    assert sorted(FACES) == sorted(f"{number}{side}" for number, side in product(range(1, 7), "ab"))


@pytest.mark.parametrize("name", FACES)
def test_a_face_is_thirteen_lines_without_trailing_blanks(name):
    assert len(FACES[name]) == 13
    assert all(len(line) <= 25 and line == line.rstrip() for line in FACES[name])
    parse_face(FACES[name])


@pytest.mark.parametrize("name", FACES)
def test_a_face_has_9_to_13_symbols_of_which_2_to_5_are_replays(name):
    stars, replays = symbols(name)
    assert 9 <= stars + replays <= 13
    assert 2 <= replays <= 5


def test_no_choice_of_sides_needs_more_than_the_78_stars_of_the_bag():
    assert sum(max(sum(symbols(f"{number}{side}")) for side in "ab") for number in range(1, 7)) <= 78


@pytest.mark.parametrize("name", FACES)
def test_a_platform_crosses_every_row_and_every_column(name):
    lines = [line.ljust(25) for line in FACES[name]]
    for i in range(6):
        assert "|" in lines[2 * i + 1], f"row {i}"
        assert any(line[4 * i + 1 : 4 * i + 4] == "---" for line in lines[::2]), f"column {i}"


@pytest.mark.parametrize("name", FACES)
def test_the_one_door_stands_on_a_platform(name):
    lines = [line.ljust(25) for line in FACES[name]]
    doors = [(x, y) for y, line in enumerate(lines) for x, char in enumerate(line) if char in "^>v<"]
    assert len(doors) == 1
    x, y = doors[0]
    beside = {"^": lines[y - 1][x], "v": lines[y + 1][x], "<": lines[y][x - 2], ">": lines[y][x + 2]}
    assert beside[lines[y][x]] in "-|"


def test_no_two_faces_are_alike_however_they_are_rotated():
    seen = [picture for drawing in FACES.values() for picture in set(rotated(drawing))]
    assert len(seen) == len(set(seen))
    assert len(seen) > len(FACES)


@pytest.mark.parametrize("name", FACES)
def test_a_face_has_room_to_fall_and_ledges_to_land_on(name):
    sides = {(x, y, d) for x, y, d in parse_face(FACES[name]).walls if COMPASS[d] in "SE"}
    assert 10 <= len(sides) <= 20


@pytest.mark.parametrize("name", FACES)
def test_every_symbol_can_be_won_from_the_door(name):
    board = Board(2, 1, (FACES[name], FACES[name]), (0, 0))
    seen, entered, new = set(board.doors), {door >> 2 for door in board.doors}, list(board.doors)
    while new:
        place = new.pop()
        ways = [(place, move) for move in (*MOVES[:6], "D")] + [(place & ~3 | feet, "") for feet in range(4)]
        for start, move in ways:
            path = board.path(start, move)
            if path is None:
                continue
            entered.update(path)
            end = (path[-1] if path else start >> 2) * 4 + (start & 3)
            if end not in seen:
                seen.add(end)
                new.append(end)
    assert {y * 12 + x for x, y, _ in parse_face(FACES[name]).symbols} <= entered
