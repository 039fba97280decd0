"""Laws that hold in every game, whatever is played."""

import re
from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from engine.chain import chain_of
from engine.contract import END
from engine.errors import RulesCode, RulesError
from engine.gravity import rules
from engine.gravity.board import board_of
from engine.gravity.notation import STEPS, format_step, format_turn, parse_step, parse_turn
from engine.gravity.record import read_setup, write_record
from engine.gravity.state import BASE, COLOURS, GOODIES, OFF, STAR, TOKEN, State
from engine.gravity.view import position
from tests.engine.play import GRAVITY, budget, new_games, random_states, random_turn, states

seeds = st.integers(0, 2**32)


def stars_of(state: State) -> Counter[str]:
    """Return how many stars of each colour there are, on the board and with all players, retired ones too."""
    count = Counter(COLOURS[(content & STAR) - 1] for content in state.cells if content & STAR)
    for player in state.players:
        count.update(dict(zip(COLOURS, player.loot, strict=False)))
    return +count


def check_invariants(state: State, dealt: Counter[str], goodies: int) -> None:
    assert stars_of(state) == dealt
    assert state.supply + sum(player.loot[TOKEN] for player in state.players) == 18
    assert state.supply >= 0
    for player in state.players:
        assert min(player.loot) >= 0
        assert player.face_up & player.face_down == 0
        assert (player.hand & BASE) | player.face_up | player.face_down == BASE
        assert player.hand & (player.face_up | player.face_down) == 0
    held = [player.hand & GOODIES for player in state.players]
    assert sum(held) == goodies, "each goodie is in exactly one hand"
    assert all(not held[index] for index in state.retired) or state.finished
    pawns = [player.pawn >> 2 for player in state.players if player.pawn != OFF]
    assert len(pawns) == len(set(pawns)), "one pawn a space"
    assert all(state.players[index].pawn == OFF for index in state.retired)
    assert state.finished == (rules.legal_steps(state) == ())


@budget(60)
@given(new_games(), seeds, st.sampled_from([0.0, 0.02]))
def test_any_sequence_of_legal_steps_keeps_what_is_in_the_box(record, seed, retire):
    rng = Random(seed)
    state = GRAVITY.read_setup(record)
    dealt, goodies = stars_of(state), sum(player.hand & GOODIES for player in state.players)
    for after in random_states(state, rng, 40, retire=retire):
        check_invariants(after, dealt, goodies)


@budget(60)
@given(states(), seeds)
def test_nobody_is_stuck_and_own_pawn_stands_on_a_platform_after_every_action(state, seed):
    rng = Random(seed)
    dealt, goodies = stars_of(state), sum(player.hand & GOODIES for player in state.players)
    steps: list[str] = []
    while not state.finished:
        legal = rules.legal_steps(state, steps)
        assert legal, "nobody is stuck"
        step = rng.choice(legal)
        if step == END:
            break
        steps.append(step)
        now = rules.play_steps(state, steps)
        check_invariants(now, dealt, goodies)
        assert now.board.blocked[now.players[now.seat].pawn], "a platform is under the feet"


@budget(50)
@given(states(), seeds)
def test_a_step_is_legal_exactly_when_nothing_is_said_against_it(state, seed):
    rng = Random(seed)
    steps: list[str] = []
    while True:
        legal = rules.legal_steps(state, steps)
        assert len(set(legal)) == len(legal)
        assert {step for step in (*STEPS, END) if rules.why_not(state, step, steps) is None} == set(legal)
        if state.finished or (step := rng.choice(legal)) == END:
            break
        steps.append(step)
    if steps:
        assert isinstance(rules.why_not(state, END, [*steps, "nonsense"]), RulesError)


@budget(40)
@given(states(), seeds)
def test_a_step_that_is_not_legal_is_refused_with_the_code_that_why_not_gives(state, seed):
    rng = Random(seed)
    steps = [] if state.finished else random_turn(state, rng)
    steps = steps[: rng.randint(0, len(steps))]
    for step in STEPS:
        refusal = rules.why_not(state, step, steps)
        try:
            rules.play_steps(state, [*steps, step])
        except RulesError as error:
            assert refusal is not None
            assert (error.code, error.params) == (refusal.code, refusal.params)
            assert error.step == (None if state.finished else len(steps))
        else:
            assert refusal is None


@budget(40)
@given(states(), seeds)
def test_whole_turns_are_accepted_exactly_when_every_step_and_the_end_are_legal(state, seed):
    rng = Random(seed)
    turn = [rng.choice(list(STEPS)) for _ in range(rng.randint(0, 3))] if rng.random() < 0.3 else []
    if not turn and not state.finished:
        turn = random_turn(state, rng)[: rng.randint(1, 9)]
    good = not state.finished and all(
        rules.why_not(state, step, turn[:i]) is None for i, step in enumerate(turn) if good_start(state, turn[:i])
    )
    good = good and rules.why_not(state, END, turn) is None
    before = position(state)
    try:
        rules.apply_turn(state, " ".join(turn))
    except RulesError:
        assert not good
    else:
        assert good
    assert position(state) == before, "a state never changes"


def good_start(state: State, steps: list[str]) -> bool:
    try:
        rules.play_steps(state, steps)
    except RulesError:
        return False
    return True


# --- Parse and print ---------------------------------------------------------------------------------------------


def test_every_step_reads_back_as_it_was_written():
    assert len(STEPS) == 3 + 16 + 4 + 2 * (5 + 3) + 3 + 42
    for text, step in STEPS.items():
        assert format_step(parse_step(text)) == text
        assert parse_step(format_step(step)) == step


@budget(50)
@given(st.lists(st.sampled_from(sorted(STEPS)), max_size=8))
def test_every_turn_reads_back_as_it_was_written(steps):
    turn = " ".join(steps)
    assert format_turn(parse_turn(turn)) == turn


@budget(100)
@given(st.text(alphabet="SLHDRWPJTC<>()+-=&x17b \n\tÿ\u2028\ud800😀", max_size=12))
def test_any_text_is_read_as_a_turn_or_refused_as_an_unknown_step(text):
    try:
        assert format_turn(parse_turn(text)) == text
    except RulesError as error:
        assert error.code == RulesCode.UNKNOWN_STEP
        assert error.step is not None
        assert text.split(" ")[error.step][:20] == error.params["text"]


@budget(25)
@given(new_games())
def test_a_record_reads_back_as_it_was_written(record):
    setup = read_setup(record)
    written = write_record(setup)
    assert written == record
    assert read_setup(written) == setup
    assert list(chain_of(written, [])) == list(chain_of(record, []))


@budget(40)
@given(states())
def test_a_state_loads_as_it_was_dumped(state):
    setup = GRAVITY.write_record(state)
    text = GRAVITY.dump(state)
    loaded = GRAVITY.load(setup, text)
    assert loaded == state
    assert GRAVITY.dump(loaded) == text
    assert "\n" not in text


# --- Symmetries --------------------------------------------------------------------------------------------------

QUARTER = {"N": "E", "E": "S", "S": "W", "W": "N"}


def quarter_grid(rows: list[str]) -> list[str]:
    """Turn rows of text a quarter clockwise."""
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def quarter_place(place: str | None, height: int) -> str | None:
    if place is None:
        return None
    x, y, feet = place.split(",")
    return f"{height - 1 - int(y)},{x},{QUARTER[feet]}"


# Where each tile of a square board of four goes by a quarter turn clockwise.
TILE_GOES = {0: 1, 1: 3, 3: 2, 2: 0}
TILE_COMES = {to: tile for tile, to in TILE_GOES.items()}


def quarter_record(record):
    board = record["board"]
    tiles = [board["tiles"][TILE_COMES[i]] for i in range(4)]
    return record | {
        "board": board | {"tiles": [{"face": t["face"], "turn": (t["turn"] + 90) % 360} for t in tiles]},
        "stars": quarter_grid(record["stars"]),
        "open_door": TILE_GOES[record["open_door"]],
    }


def quarter_position(seen):
    return seen | {
        "tiles": [(seen["tiles"][TILE_COMES[i]] + 90) % 360 for i in range(4)],
        "stars": quarter_grid(seen["stars"]),
        "open_door": TILE_GOES[seen["open_door"]],
        "pawns": [quarter_place(pawn, len(seen["stars"])) for pawn in seen["pawns"]],
    }


def half_record(record):
    board = record["board"]
    return record | {
        "board": board
        | {"tiles": [{"face": t["face"], "turn": (t["turn"] + 180) % 360} for t in reversed(board["tiles"])]},
        "stars": quarter_grid(quarter_grid(record["stars"])),
        "open_door": len(board["tiles"]) - 1 - record["open_door"],
    }


def half_position(seen):
    height, width = len(seen["stars"]), len(seen["stars"][0])
    return seen | {
        "tiles": [(rotation + 180) % 360 for rotation in reversed(seen["tiles"])],
        "stars": quarter_grid(quarter_grid(seen["stars"])),
        "open_door": len(seen["tiles"]) - 1 - seen["open_door"],
        "pawns": [quarter_place(quarter_place(pawn, height), width) for pawn in seen["pawns"]],
    }


def play_both(one: State, other: State, rng: Random, turns: int, change, change_step=str) -> None:
    """Play the same random game on two boards and compare every position, the first one changed."""
    for _ in range(turns):
        assert change(position(one)) == position(other)
        if one.finished:
            return
        steps: list[str] = []
        while True:
            legal = rules.legal_steps(one, steps)
            assert sorted(map(change_step, legal)) == sorted(rules.legal_steps(other, list(map(change_step, steps))))
            if (step := rng.choice(legal)) == END:
                break
            steps.append(step)
        one = rules.apply_turn(one, " ".join(steps))
        other = rules.apply_turn(other, " ".join(map(change_step, steps)))


@budget(15)
@given(new_games(square=True), seeds)
def test_turning_a_square_board_a_quarter_commutes_with_playing(record, seed):
    turned = GRAVITY.read_setup(quarter_record(record))
    play_both(GRAVITY.read_setup(record), turned, Random(seed), 40, quarter_position)


@budget(15)
@given(new_games(), seeds)
def test_turning_any_board_a_half_commutes_with_playing(record, seed):
    turned = GRAVITY.read_setup(half_record(record))
    play_both(GRAVITY.read_setup(record), turned, Random(seed), 40, half_position)


@budget(15)
@given(new_games(), seeds, st.permutations(COLOURS))
def test_renaming_colours_commutes_with_playing(record, seed, colours):
    renamed = str.maketrans(COLOURS, "".join(colours))

    def rename_loot(loot: str) -> str:
        things = re.findall(r"[a-z]\d+", loot.translate(renamed))
        return "".join(sorted(things, key=lambda thing: "bypgowr".index(thing[0])))

    def rename(seen):
        return seen | {
            "stars": [row.translate(renamed) for row in seen["stars"]],
            "loot": [rename_loot(loot) for loot in seen["loot"]],
        }

    def rename_step(step: str) -> str:
        return step[:2] + step[2].translate(renamed) if step.startswith("x") else step

    other = GRAVITY.read_setup(record | {"stars": [row.translate(renamed) for row in record["stars"]]})
    play_both(GRAVITY.read_setup(record), other, Random(seed), 40, rename, rename_step)


def test_a_board_that_was_made_anew_is_the_same_board() -> None:
    state = GRAVITY.set_up(["A", "B"], {}, Random(5))
    board_of.cache_clear()
    loaded = GRAVITY.load(GRAVITY.write_record(state), GRAVITY.dump(state))
    assert loaded.board is not state.board
    assert (loaded, hash(loaded.board)) == (state, hash(state.board))
    other = GRAVITY.set_up(["A", "B"], {}, Random(6))
    assert other.board != state.board
