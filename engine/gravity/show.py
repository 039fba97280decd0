"""Draws positions as text, for the command line and for debugging."""

from engine.errors import one_line
from engine.gravity.board import COMPASS, NORTH, WEST
from engine.gravity.rules import ranking
from engine.gravity.state import COLOURS, REPLAY, STAR, State, cards_text
from engine.gravity.view import loot_text, place_text

_ARROWS = "^>v<"


def drawing(state: State) -> str:
    """Return the board and what each player has as lines of text, hidden cards included."""
    lines = [*_board_lines(state), "", *_player_lines(state), "", _last_line(state)]
    return "\n".join(line.rstrip() for line in lines)


def _board_lines(state: State) -> list[str]:
    """Draw each space four columns wide: star or symbol left, pawn or door right; platforms as in faces."""
    board = state.board
    pawns = {p.pawn >> 2: f"{i + 1}{_ARROWS[p.pawn & 3]}" for i, p in enumerate(state.players) if p.pawn >= 0}
    doors = {
        place >> 2: f"{'O' if tile == state.door else 'o'}{_ARROWS[place & 3]}"
        for tile, place in enumerate(board.doors)
    }
    lines = ["    " + "".join(f"{x:^4}" for x in range(board.width))]
    for y in range(board.height):
        row = range(y * board.width, (y + 1) * board.width)
        spaces = ""
        for space in row:
            content = state.cells[space]
            star = COLOURS[(content & STAR) - 1] if content & STAR else "*" if content & REPLAY else " "
            spaces += _wall(state, space) + (star.upper() if content & REPLAY else star)
            spaces += pawns.get(space, doors.get(space, "  "))
        lines += [_floor(state, row), f"{y:>2} {spaces}{_wall(state, row[0])}"]
    return [*lines, _floor(state, range(board.width))]


def _floor(state: State, row: range) -> str:
    """Draw the platforms north of a row of spaces."""
    return "   " + "".join("+---" if state.board.blocked[space * 4 + NORTH] else "+   " for space in row) + "+"


def _wall(state: State, space: int) -> str:
    """Draw the platform west of a space."""
    return "|" if state.board.blocked[space * 4 + WEST] else " "


def _player_lines(state: State) -> list[str]:
    places = ranking(state) if state.finished else ()
    lines = []
    for index, (name, player) in enumerate(zip(state.setup.players, state.players, strict=True)):
        mark = ">" if index == state.seat and not state.finished else " "
        fields = [
            f"{mark}{index + 1} {one_line(name):<12.12}",
            f"{place_text(state, player.pawn) or 'off':<8}",
            f"hand {cards_text(player.hand) or '-':<9}up {cards_text(player.face_up) or '-':<6}",
            f"down {cards_text(player.face_down) or '-':<6}{player.points:>3} points {loot_text(player)}",
        ]
        if index in state.retired:
            fields.append(" retired")
        if places:
            fields.append(f" place {places[index]}")
        lines.append("".join(fields))
    return lines


def _last_line(state: State) -> str:
    door = place_text(state, state.board.doors[state.door])
    return (
        f"round {state.round}, turn {state.turns + 1}, {state.stars_left} stars left, {state.supply} tokens in the "
        f"supply, open door {state.door} at {door}, feet {COMPASS[state.board.doors[state.door] & 3]}"
        + (", over" if state.finished else "")
    )
