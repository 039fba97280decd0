"""One long turn, the way a rulebook would walk through it: two actions with all that can happen on the way."""

from engine.gravity import rules
from engine.gravity.view import loot_text
from tests.engine.play import GRAVITY, ROOM, drawn_on, emitted, pawn_of, scene, with_seat, without_star

# Bottom left: a door in row 2 that lies on its side, a blue star's tile beside it, an orange star below the door.
LEFT = drawn_on(ROOM, x5y5=" ", w0y2=" ", w4y2="|", x4y2="<", x3y2="*")
# Bottom right: the open door in row 3, feet west; in row 2 above it a replay symbol, a blue star, a ledge.
RIGHT = drawn_on(ROOM, x5y5=" ", w0y2=" ", w2y3="|", x2y3="<", x2y2="R", x0y2="*", w4y2="|")


def test_a_long_turn_jumps_falls_collects_ejects_replays_drops_wraps_and_steals():
    state = scene(ROOM, ROOM, LEFT, RIGHT, players=4, open_door=3, stars={(3, 8): "o", (6, 8): "b", (8, 8): "g"})
    state = without_star(state, (8, 8))
    state = with_seat(state, 2, pawn="7,8,N", hand="LH", up="D", down="RW")
    state = with_seat(state, 3, pawn="10,8,W", loot="y1r2")

    first = GRAVITY.play_steps(state, ["H<"])
    assert emitted(first.events) == [
        # Off the board, so it enters at the open door, and the marker moves on.
        ("placed", 1, 8, 9, "W"),
        ("door_moved", 1, 3, 2),
        # High jump: up (east for feet west), then left (north).
        ("laid", 1, "H", True),
        ("moved", 1, 9, 9, "jump"),
        ("moved", 1, 9, 8, "jump"),
        # It falls west: a token, a rival who has nothing, a blue star, a landing where the marker is.
        ("fell", 1, 8, 8),
        ("collected", 1, "r", 8, 8),
        ("fell", 1, 7, 8),
        ("ejected", 1, 2, 7, 8),
        ("cards_returned", 2, 3, "ejected"),
        ("fell", 1, 6, 8),
        ("collected", 1, "b", 6, 8),
        ("fell", 1, 5, 8),
        ("fell", 1, 4, 8),
        ("door_moved", 1, 2, 0),
    ]
    assert pawn_of(first.state, 1) == "4,8,W"
    assert rules.legal_steps(state, ["H<"]) == ("&", "."), "no steal from someone who has nothing"

    second = GRAVITY.play_steps(state, ["H<", "&", "D"])
    assert emitted(second.events)[len(first.events) :] == [
        ("token_spent", 1),
        ("laid", 1, "D", True),
        ("moved", 1, 3, 8, "drop"),
        ("collected", 1, "o", 3, 8),
        ("fell", 1, 2, 8),
        ("fell", 1, 1, 8),
        ("fell", 1, 0, 8),
        # Out on the west side, in on the east side of the same row, onto a rival.
        ("wrapped", 1, "W"),
        ("fell", 1, 11, 8),
        ("fell", 1, 10, 8),
        ("ejected", 1, 3, 10, 8),
    ]
    assert rules.legal_steps(state, ["H<", "&", "D"]) == ("x3y", "x3r")

    done = GRAVITY.apply_turn(state, "H< & D x3r")
    assert rules.legal_steps(state, ["H<", "&", "D", "x3r"]) == (".",), "the stolen token can't be spent this turn"
    assert str(rules.why_not(state, "&", ["H<", "&", "D", "x3r"])) == "replay-used"
    assert [loot_text(player) for player in done.state.players] == ["b1o1r1", "", "y1r1", ""]
    assert [pawn_of(done.state, seat) for seat in (1, 2, 3, 4)] == ["10,8,W", None, None, None]
    assert (done.state.seat, done.state.supply, done.state.door) == (1, 18, 0)
