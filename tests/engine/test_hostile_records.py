"""Records that lie or are broken end in one clear line and status 2, in bounded time and memory, never in a trace."""

import copy
import json
import resource
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chain import chain_of
from engine.gravity.setup import our_faces
from tests.engine.command import Ran, run_apart, run_here, written
from tests.engine.play import ROOM, budget, drawn_on, load, record_on

BASE = load("cases", "01-2p")
GOODIES = load("cases", "23-3p-goodies-T-retire")
COMMANDS = ("positions", "legal", "verify", "show")


def refusal(tmp_path: Path, record: Any, command: str = "verify") -> str:
    return run_here(command, written(tmp_path, record)).refusal()


def changed(*path: str | int, to: Any, record: dict[str, Any] = BASE) -> dict[str, Any]:
    """Return the record with one thing in it changed."""
    new = copy.deepcopy(record)
    inner: Any = new
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return new


def lacking(*path: str | int, record: dict[str, Any] = BASE) -> dict[str, Any]:
    """Return the record without one key."""
    new = copy.deepcopy(record)
    inner: Any = new
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return new


def on(face: tuple[str, ...], **keys: Any) -> dict[str, Any]:
    return record_on((face,), **keys)


def logged(*log: Any, record: dict[str, Any] = BASE) -> dict[str, Any]:
    return record | {"log": list(log)}


CROWDED = drawn_on(ROOM, **{f"x{x}y{y}": "*" for x in range(6) for y in range(3)})

LIES: list[tuple[str, Any, str]] = [
    # The whole.
    ("other format", changed("format", to="gravity-superstar/2"), "format is 'gravity-superstar/2'"),
    ("no format", lacking("format"), "format is None"),
    ("format is a list", changed("format", to=[["x"] * 1000]), "format is [["),
    ("redacted", BASE | {"redacted": True}, "redacted"),
    ("a list", [BASE], "a record is a JSON object"),
    ("a number", 3, "a record is a JSON object"),
    ("text", '"abc"', "a record is a JSON object"),
    ("null", None, "a record is a JSON object"),
    # Players and options.
    ("no players", lacking("players"), "players must be a list of 2 to 6"),
    ("one player", changed("players", to=["P1"]), "players must be a list of 2 to 6"),
    ("seven players", changed("players", to=["P"] * 7), "players must be a list of 2 to 6"),
    ("a million players", changed("players", to=["P"] * 500_000), "players must be a list of 2 to 6"),
    ("a player's name is a number", changed("players", 0, to=7), "name must be text"),
    ("a player's name is endless", changed("players", 0, to="x" * 100_000), "name must be text of at most 200"),
    ("players in an object", changed("players", to={"1": "A", "2": "B"}), "players must be a list"),
    ("three players on the board of two", changed("players", to=["A", "B", "C"]), "board.rows for 3 players must be 2"),
    ("no options", lacking("options"), "options must be an object"),
    ("expert is a number", changed("options", "expert", to=1), "options.expert must be true or false"),
    ("expert is text", changed("options", "expert", to="no"), "options.expert must be true or false"),
    # The board.
    ("no board", lacking("board"), "board must be an object"),
    ("absurd columns", changed("board", "columns", to=10**9), "board.columns for 2 players must be 2"),
    ("huge columns", changed("board", "columns", to=10**4000), "board.columns for 2 players must be 2"),
    ("columns is true", changed("board", "rows", to=True), "board.rows for 2 players must be 1"),
    ("columns is a float", changed("board", "columns", to=2.0), "board.columns for 2 players must be 2"),
    ("negative rows", changed("board", "rows", to=-1), "board.rows for 2 players must be 1"),
    ("one tile", changed("board", "tiles", to=BASE["board"]["tiles"][:1]), "board.tiles must be a list of 2 tiles"),
    ("three tiles", changed("board", "tiles", to=BASE["board"]["tiles"] * 2), "board.tiles must be a list of 2 tiles"),
    ("a tile is null", changed("board", "tiles", 1, to=None), "board.tiles[1] must be an object"),
    ("turn of 45", changed("board", "tiles", 0, "turn", to=45), "board.tiles[0].turn must be 0 or 90 or 180 or 270"),
    ("turn of 360", changed("board", "tiles", 0, "turn", to=360), "board.tiles[0].turn must be"),
    ("turn is text", changed("board", "tiles", 0, "turn", to="90"), "board.tiles[0].turn must be"),
    ("turn is false", changed("board", "tiles", 0, "turn", to=False), "board.tiles[0].turn must be"),
    ("a face that is not drawn", changed("board", "tiles", 0, "face", to="9z"), "face '9z' is not drawn"),
    ("a face's name is a list", changed("board", "tiles", 0, "face", to=["6a"]), "board.tiles[0].face must be text"),
    ("no faces", changed("board", "faces", to={}), "is not drawn in board.faces"),
    ("faces in a list", changed("board", "faces", to=[]), "board.faces must be an object"),
    ("a thousand faces", changed("board", "faces", to={str(i): list(ROOM) for i in range(1000)}), "more faces than"),
    # Faces.
    ("12 lines", on(ROOM[:12]), "face 'f0': a face is drawn in 13 lines, not 12"),
    ("14 lines", on((*ROOM, "")), "face 'f0': a face is drawn in 13 lines, not 14"),
    ("a face is text", changed("board", "faces", "6a", to="+---+"), "face '6a' must be a list of 13 lines"),
    ("a line is a number", changed("board", "faces", "6a", 4, to=4), "a line of face '6a' must be text"),
    ("a long line", on((*ROOM[:12], ROOM[12] + "---+")), "face 'f0': line 12 of a face is longer than 25"),
    ("no corner", on((" " + ROOM[0][1:], *ROOM[1:])), "face 'f0': line 0 of a face lacks a corner"),
    ("half a platform", on((*ROOM[:12], ROOM[12].replace("---", "-- ", 1))), "line 12 of a face has '-- '"),
    ("an unknown mark", on(drawn_on(ROOM, x2y1="?")), "line 3 of a face has '?' in column 10"),
    ("a mark out of place", on((ROOM[0], "|*", *ROOM[2:])), "line 1 of a face has '*' in column 1"),
    ("a wall in a space", on(drawn_on(ROOM, x2y1="|")), "line 3 of a face has '|' in column 10"),
    ("a tab", on((ROOM[0], "|\t", *ROOM[2:])), "has '\\t' in column 1"),
    ("no door", on(drawn_on(ROOM, x5y5=" ")), "face 'f0': a face has exactly one door, not 0"),
    ("two doors", on(drawn_on(ROOM, x1y5="v")), "face 'f0': a face has exactly one door, not 2"),
    ("door without a platform", on(drawn_on(ROOM, x5y5="^")), "the door's feet are not on a platform"),
    *((f"open row {y}", on(drawn_on(ROOM, **{f"w0y{y}": " "})), f"no platform crosses row {y}") for y in range(6)),
    *(
        (f"open column {x}", on(drawn_on(ROOM, **{f"n{x}y6": " "}, x5y5=" ", w0y2="|", x0y2="<")),
         f"no platform crosses column {x}")
        for x in range(6)
    ),
    # Stars.
    ("no stars", lacking("stars"), "stars must be a list of 6 rows"),
    ("a short row", changed("stars", 0, to="..."), "row 0 of stars has 3 characters, not 12"),
    ("five rows", changed("stars", to=BASE["stars"][:5]), "stars must be a list of 6 rows"),
    ("a row is a list", changed("stars", 0, to=list("gwopg.b..y.w")), "a row of stars must be text"),
    ("an unknown colour", changed("stars", 0, to="zwopg.b..y.w"), "star 'z' at 0,0 is of no known colour"),
    ("a token for a star", changed("stars", 0, to="rwopg.b..y.w"), "star 'r' at 0,0 is of no known colour"),
    ("a star without a symbol", changed("stars", 0, to="gwopgbb..y.w"), "a star without a symbol at 5,0"),
    ("a symbol without a star", changed("stars", 0, to=".wopg.b..y.w"), "no star on the symbol at 0,0"),
    ("more stars than the bag", record_on((CROWDED,), stars={(x, y): "b" for x in range(12) for y in range(3)}),
     "36 stars of colour b, more than 13"),
    # The rest of the set-up.
    ("open door 2 of 2", changed("open_door", to=2), "open_door must be 0 or 1"),
    ("open door -1", changed("open_door", to=-1), "open_door must be 0 or 1"),
    ("open door true", changed("open_door", to=True), "open_door must be 0 or 1"),
    ("no open door", lacking("open_door"), "open_door must be 0 or 1"),
    ("a goodie of nobody", changed("goodies", to={"3": "P"}), "goodies are dealt to '3', which is no seat"),
    ("a goodie of seat 01", changed("goodies", to={"01": "P"}), "goodies are dealt to '01', which is no seat"),
    ("an unknown goodie", changed("goodies", to={"1": "L"}), "goodies must be among PJT"),
    ("the same goodie twice", changed("goodies", to={"1": "P", "2": "P"}), "each at most once"),
    ("goodies in a list", changed("goodies", to=["P"]), "goodies must be an object"),
    ("a goodie is a number", changed("goodies", to={"1": 5}), "goodies of seat 1 must be text"),
    # The log.
    ("no log", lacking("log"), "log must be a list"),
    ("log is an object", changed("log", to={}), "log must be a list"),
    ("an endless log", logged(*[{"seat": 1, "turn": ""}] * 100_000), "log has 100000 entries, more than 20000"),
    ("an entry is text", logged("C"), "entry 1 must be an object"),
    ("neither turn nor event", logged({"seat": 1}), "entry 1 must have either turn or event"),
    ("turn and event", logged({"seat": 1, "turn": "R+", "event": "retire"}), "entry 1 must have either turn or event"),
    ("an unknown event", logged({"seat": 1, "event": "die"}), "entry 1: event 'die' is unknown; legal: retire"),
    ("seat 0", logged({"seat": 0, "turn": "R+"}), "entry 1: seat must be 1 or 2 or 3 or 4 or 5 or 6"),
    ("seat true", logged({"seat": True, "turn": "R+"}), "entry 1: seat must be"),
    ("seat as text", logged({"seat": "1", "turn": "R+"}), "entry 1: seat must be"),
    ("seat is huge", logged({"seat": 10**4000, "turn": "R+"}), "entry 1: seat must be"),
    ("no seat", logged({"turn": "R+"}), "entry 1: seat must be"),
    ("not to move", logged({"seat": 2, "turn": "R+"}), "entry 1: seat 2 is not to move; legal: seat 1"),
    ("turn is null", logged({"seat": 1, "turn": None}), "entry 1: turn must be text"),
    ("turn is a list", logged({"seat": 1, "turn": ["R+"]}), "entry 1: turn must be text"),
    ("a million steps", logged({"seat": 1, "turn": "R+ " * 1_000_000}), "entry 1: turn must be text of at most 200"),
    ("an unknown step", logged({"seat": 1, "turn": "R+ Q"}), "entry 1, step 2 'Q': unknown-step (text=Q); legal: ."),
    ("two blanks", logged({"seat": 1, "turn": "R+  &"}), "entry 1, step 2 '': unknown-step"),
    ("an illegal step", logged({"seat": 1, "turn": "C"}), "entry 1, step 1 'C': nothing-to-complete; legal: "),
    ("a hidden card", logged({"seat": 1, "turn": "S<(?)"}), "entry 1, step 1 'S<(?)': unknown-step"),
    ("no action", logged({"seat": 1, "turn": ""}), "entry 1, step 1 (end of the turn): turn-incomplete; legal: "),
    ("no token", logged({"seat": 1, "turn": "R+ &"}), "entry 1, step 2 '&': no-token; legal: ."),
    ("retired twice", logged({"seat": 3, "event": "retire"}, {"seat": 3, "event": "retire"}, record=GOODIES),
     "entry 2: not-active (seat=3); legal: seats 1 2"),
    ("retires, who is no seat", logged({"seat": 6, "event": "retire"}),
     "entry 1: not-active (seat=6); legal: seats 1 2"),
    ("plays after the end", logged(*BASE["log"], {"seat": 1, "turn": "R+"}),
     "entry 55, step 1 'R+': game-over; legal: nothing"),
    ("retires after the end", logged(*BASE["log"], {"seat": 1, "event": "retire"}),
     "entry 55: game-over; legal: nothing"),
    ("plays after it retired", logged({"seat": 1, "event": "retire"}, {"seat": 1, "turn": "R+"}, record=GOODIES),
     "entry 2: seat 1 is not to move; legal: seat 2"),
    # Texts that try to be more than a line.
    ("newline in a turn", logged({"seat": 1, "turn": "R+\nTraceback"}),
     "entry 1, step 1 'R+\\nTraceback': unknown-step"),
    ("line separator in a turn", logged({"seat": 1, "turn": "\u2028\x85\x0b\x1b[31m"}),
     "entry 1, step 1 '\\u2028\\x85"),
    ("newline in an event", logged({"seat": 1, "event": "re\ntire"}), "event 're\\ntire' is unknown"),
    ("newline in a face's name", changed("board", "tiles", 0, "face", to="6a\n\n6b"), "face '6a\\n\\n6b' is not drawn"),
    ("newline in a format", changed("format", to="a\nb"), "format is 'a\\nb'"),
    ("newline in a seat", changed("goodies", to={"1\n2": "P"}), "goodies are dealt to '1\\n2'"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "said"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_record_that_lies_is_refused_with_one_line_that_says_how(record, said, tmp_path):
    text = record.encode() if isinstance(record, str) else record
    assert said in refusal(tmp_path, text)


def test_the_bag_holds_13_stars_of_a_colour_and_not_one_more(tmp_path):
    seven = drawn_on(ROOM, **{f"x{x}y0": "*" for x in range(6)}, x0y1="*")
    everywhere = {(x, y): "g" for x in range(12) for y in range(2)}
    assert "14 stars of colour g, more than 13" in refusal(tmp_path, record_on((seven,), stars=everywhere))
    record = record_on((seven,), stars=everywhere | {(0, 0): "w"})
    assert run_here("verify", written(tmp_path, record)).status == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_record_that_lies(command, tmp_path):
    assert "redacted" in refusal(tmp_path, BASE | {"redacted": True}, command)
    assert "entry 1, step 1 'C'" in refusal(tmp_path, logged({"seat": 1, "turn": "C"}), command)


NOT_JSON = {
    "nothing": (b"", "not JSON"),
    "half": (json.dumps(BASE).encode()[:500], "not JSON"),
    "more after it": (json.dumps(BASE).encode() + b"{}", "not JSON: Extra data"),
    "NaN": (b'{"format": NaN}', "not JSON: NaN is not a number of JSON"),
    "Infinity": (b'{"format": -Infinity}', "not JSON: -Infinity is not a number of JSON"),
    "a number too large to be one": (b'{"x": 1e999}', "not JSON: 1e999 is too large a number"),
    "a number of 5000 digits": (b'{"x": ' + b"1" * 5000 + b"}", "not JSON"),
    "invalid UTF-8": (b'{"format": "\xff\xfe"}', "not UTF-8"),
    "UTF-8 of half a pair": (b'{"format": "\xed\xa0\x80"}', "not UTF-8"),
    "an escape of half a pair": (b'{"format": "\\ud800"}', "not UTF-8"),
    "UTF-16": (json.dumps(BASE).encode("utf-16"), "not UTF-8"),
    "a key twice": (b'{"format": "gravity-superstar/1", "format": "x"}', "not JSON: the key 'format' stands twice"),
    "100,000 lists": (b"[" * 100_000, "nested too deeply"),
    "100,000 objects": (b'{"a":' * 100_000, "nested too deeply"),
    "deep but closed": (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
}


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_is_not_a_json_text_is_refused_with_one_line(name, tmp_path):
    text, said = NOT_JSON[name]
    assert said in refusal(tmp_path, text)


@pytest.mark.parametrize("depth", [1, 47, 48, 500, 1000, 5000, 10_000, 50_000])
def test_depth_of_what_does_not_matter_is_harmless_up_to_a_limit(depth, tmp_path):
    entry = b'{"seat": 1, "turn": "R+", "x": ' + b"[" * depth + b"]" * depth + b"}"
    text = json.dumps(BASE | {"log": []}).encode().replace(b'"log": []', b'"log": [' + entry + b"]")
    ran = run_here("verify", written(tmp_path, text))
    if depth < 48:
        assert (ran.status, ran.err) == (0, "")
    else:
        assert ran.refusal() == "nested too deeply"


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path):
    assert run_here("verify", tmp_path / "no.json").refusal() == "No such file or directory"
    (tmp_path / "folder.json").mkdir()
    assert run_here("verify", tmp_path / "folder.json").refusal() == "Is a directory"
    assert run_here("verify", tmp_path / "two\nlines.json").refusal() == "No such file or directory"


def limited() -> None:
    """Allow 300 MB of memory and five seconds of work."""
    resource.setrlimit(resource.RLIMIT_AS, (300 << 20, 300 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))


def apart(path: Path, command: str = "verify") -> Ran:
    return run_apart(command, path, before=limited)


def test_100_megabytes_of_log_are_refused_in_bounded_time_and_memory(tmp_path):
    path = tmp_path / "record.json"
    head, tail = json.dumps(BASE | {"log": []}).split('"log": []')
    entry = b'{"seat": 1, "turn": "R+"},' * 40_000
    with path.open("wb") as file:
        file.write(head.encode() + b'"log": [')
        for _ in range(100):
            file.write(entry)
        file.write(b'{"seat": 1, "turn": "R+"}]' + tail.encode())
    assert path.stat().st_size > 100_000_000
    assert apart(path).refusal() == f"larger than {4 << 20} bytes"


@pytest.mark.slow
@pytest.mark.parametrize("filling", [b"{}", b"[[[[]]]]", b'{"seat": 1, "turn": "R+"}'], ids=["o", "l", "e"])
def test_the_largest_file_that_is_read_costs_little(filling, tmp_path):
    record = json.dumps(BASE | {"log": []}).encode()
    many = ((4 << 20) - len(record) - 10) // (len(filling) + 1)
    text = record.replace(b'"log": []', b'"log": [' + b",".join([filling] * many) + b"]")
    assert "entries, more than 20000" in apart(written(tmp_path, text)).refusal()


def test_a_number_or_an_object_as_large_as_the_file_costs_little(tmp_path):
    digits = b"1" * ((4 << 20) - 100)
    assert "not JSON" in apart(written(tmp_path, b'{"x": ' + digits + b"}")).refusal()
    assert "format is None" in apart(written(tmp_path, b'{"x": 0.' + digits + b"}")).refusal()
    keys = b",".join(b'"%d":0' % number for number in range(300_000))
    assert "the key '299999' stands twice" in apart(written(tmp_path, b"{" + keys + b',"299999":0}')).refusal()


@pytest.mark.slow
def test_the_longest_log_that_is_replayed_costs_little(tmp_path):
    log = [{"seat": 1 + i % 2, "turn": "R=" if i // 2 % 2 == 0 else "C"} for i in range(20_000)]
    untouched = drawn_on(ROOM, x0y1="*", x1y1="*", x2y1="*", x0y2="*", x1y2="*", x2y2="*")
    ran = apart(written(tmp_path, record_on((untouched,)) | {"log": log}))
    assert (ran.status, ran.err) == (0, "")


# --- The chain ---------------------------------------------------------------------------------------------------


def chained(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"chain": list(chain_of(record, record["log"]))}


CHAINED = chained(logged(*({**entry, "by": "player"} for entry in BASE["log"])))
BROKEN_CHAINS: list[tuple[str, dict[str, Any], str]] = [
    ("text", CHAINED | {"chain": "abc"}, "chain must be a list of 55 digests"),
    ("null", CHAINED | {"chain": None}, "chain must be a list of 55 digests"),
    ("empty", CHAINED | {"chain": []}, "chain must be a list of 55 digests"),
    ("one short", CHAINED | {"chain": CHAINED["chain"][:-1]}, "chain must be a list of 55 digests"),
    ("one more", CHAINED | {"chain": [*CHAINED["chain"], "0" * 64]}, "chain must be a list of 55 digests"),
    ("a digest changed", changed("chain", 3, to="0" * 64, record=CHAINED), "the digest of entry 3 does not match"),
    ("a digest is a number", changed("chain", 3, to=5, record=CHAINED), "the digest of entry 3 does not match"),
    ("a name changed", changed("players", 0, to="Q", record=CHAINED), "the digest of the set-up does not match"),
    ("a key of an entry changed", changed("log", 8, "by", to="bot", record=CHAINED), "of entry 9 does not match"),
    ("a key of an entry gone", lacking("log", 8, "by", record=CHAINED), "of entry 9 does not match"),
    ("an unknown key added to the set-up", CHAINED | {"note": "x"}, "the digest of the set-up does not match"),
    ("two digests exchanged", CHAINED | {"chain": [*CHAINED["chain"][1::-1], *CHAINED["chain"][2:]]},
     "the digest of the set-up does not match"),
    ("the last entry gone", CHAINED | {"log": CHAINED["log"][:-1]}, "chain must be a list of 54 digests"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "said"), [b[1:] for b in BROKEN_CHAINS], ids=[b[0] for b in BROKEN_CHAINS])
def test_a_chain_that_does_not_fit_is_refused(record, said, tmp_path):
    assert said in refusal(tmp_path, record)


def test_a_chain_that_fits_is_verified(tmp_path):
    ran = run_here("verify", written(tmp_path, CHAINED))
    assert (ran.status, ran.out) == (0, f"ok 54 {CHAINED['chain'][-1]}\n")


def test_reordered_entries_show_in_the_chain(tmp_path):
    log = [{"seat": 1, "event": "retire"}, {"seat": 2, "event": "retire"}]
    record = chained(logged(*log, record=record_on((ROOM,), players=4)))
    assert run_here("verify", written(tmp_path, record)).status == 0
    assert "the digest of entry 1 does not match" in refusal(tmp_path, record | {"log": log[::-1]})


# --- Harmless things ---------------------------------------------------------------------------------------------


def test_other_keys_of_record_and_entries_do_not_touch_the_replay(tmp_path):
    more = {"seat": 1, "turn": BASE["log"][0]["turn"], "at": "2026-11-27T10:00:00Z", "by": "bot", "x": [1.5, None, {}]}
    record = BASE | {"comment": "ünïcode ✓", "log": [more, *BASE["log"][1:]]}
    assert run_here("positions", written(tmp_path, record)).out == run_here("positions", written(tmp_path, BASE)).out


def test_a_record_may_draw_every_face_of_the_set(tmp_path):
    faces = {name: list(drawing) for name, drawing in our_faces().items()} | BASE["board"]["faces"]
    assert len(faces) == 12
    ran = run_here("positions", written(tmp_path, changed("board", "faces", to=faces)))
    assert (ran.status, ran.out) == (0, run_here("positions", written(tmp_path, BASE)).out)


def test_goodies_may_be_left_out_and_expert_too(tmp_path):
    assert run_here("verify", written(tmp_path, lacking("goodies"))).status == 0
    assert run_here("verify", written(tmp_path, changed("options", to={}))).status == 0


# --- Anything ----------------------------------------------------------------------------------------------------

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(
        [0, 1, 2, -1, 7, 90, 10**30, 1.5, 1e300, "", "1", "C", "x2b", "\n", "\ud800", "S<(L)", "é", [], {}]
    ),
    st.text(alphabet="SLHDRWPJTC<>()+-=&x17b.*R|v \n\u2028", max_size=12),
    st.lists(st.integers(-1, 9), max_size=3),
    st.dictionaries(st.sampled_from(["seat", "turn", "event", "1", "face"]), st.integers(0, 9), max_size=3),
)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything in a JSON value."""
    found = [path] if path else []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        found += places_in(part, (*path, key))
    return found


BASES = [chained(BASE), GOODIES, load("cases", "11-4p-goodies-PJT") | {"log": []}, CHAINED | {"log": BASE["log"][:6]}]
PLACES = [places_in(base) for base in BASES]


@budget(150)
@given(data=st.data())
def test_a_record_changed_anywhere_is_replayed_or_refused_in_one_line(tmp_path, data):
    which = data.draw(st.integers(0, len(BASES) - 1))
    record = copy.deepcopy(BASES[which])
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(PLACES[which]))
        inner: Any = record
        try:
            for key in path[:-1]:
                inner = inner[key]
            action = data.draw(st.sampled_from(["replace", "drop", "double", "mark"]))
            if action == "drop":
                del inner[path[-1]]
            elif action == "double" and isinstance(inner, list):
                inner.insert(path[-1], inner[path[-1]])
            elif action == "mark" and isinstance(inner[path[-1]], str) and inner[path[-1]]:
                text = inner[path[-1]]
                at = data.draw(st.integers(0, len(text) - 1))
                inner[path[-1]] = text[:at] + data.draw(st.sampled_from(" *R|+-^v<>byz\n")) + text[at + 1 :]
            else:
                inner[path[-1]] = data.draw(junk)
        except (KeyError, IndexError, TypeError):
            continue
    ran = run_here(data.draw(st.sampled_from(COMMANDS)), written(tmp_path, record))
    if ran.status:
        ran.refusal()
    else:
        assert ran.err == ""


@budget(100)
@given(
    text=st.binary(max_size=60) | st.text(alphabet='{}[]":,0123456789eE.-+truefalsn\\u ', max_size=40).map(str.encode)
)
def test_any_bytes_are_refused_in_one_line(tmp_path, text):
    run_here("verify", written(tmp_path, text)).refusal()
