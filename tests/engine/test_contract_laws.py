"""What `engine.contract.Rules` promises of records, steps and turns holds for every game, ours and a second one.

Each law takes a game and a `Random`. At the end they are seen to fail: breaks are planted into the second game, and
each is noticed by the law that it breaks. What is hidden has laws of its own in ``test_contract_secrets``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contract import (
    END,
    Answer,
    Applied,
    Assessed,
    Condition,
    Json,
    JsonObject,
    PlayedEntry,
    Puzzle,
    Reviewed,
    Seat,
    Summary,
    Verdict,
)
from engine.errors import RecordError, RulesCode, RulesError
from engine.puzzles import read_puzzle, write_puzzle
from engine.rulesets import RULESETS, newest_rulesets
from tests.another_game.engine import Acorns
from tests.another_game.engine.state import State
from tests.engine.play import GRAVITY, budget
from tests.engine.subjects import (
    SUBJECTS,
    Law,
    Subject,
    active,
    any_steps,
    is_noticed,
    mover_of,
    new_game,
    next_state,
    outcome,
    random_steps,
    running_state,
    said,
    setup_of,
    some_state,
    viewers,
)

# --- What is written, read back ------------------------------------------------------------------------------------


def law_records_read_back(game: Subject, rng: Random) -> None:
    rules, first = game.rules, new_game(game, rng)
    record = rules.write_record(first)
    assert record["format"] == rules.format
    assert record["log"] == []
    assert rules.read_setup(record) == first
    assert rules.write_record(rules.read_setup(record)) == record
    log: list[JsonObject] = [{"seat": 1, "turn": "any"}]
    assert rules.write_record(first, log) == record | {"log": log}
    later = next_state(game, first, rng)
    assert rules.write_record(later) == record, "a record holds the set-up, whatever was played since"
    with pytest.raises(RecordError):
        rules.read_setup(record | {"format": "another/1"})


def law_a_finished_game_has_a_tally(game: Subject, rng: Random) -> None:
    rules, state = game.rules, new_game(game, rng)
    log = []
    while not (before := rules.summary(state)).finished:
        applied = rules.apply_turn(state, rules.choose_turn(rules.bots[0], state, rng))
        state = applied.state
        log.append(PlayedEntry(before, rules.summary(state), applied.events))
    tally = rules.tally(log)
    assert rules.tally(log) == tally
    assert len(tally.counts) == len(rules.summary(state).points)
    assert all(number > 0 for counts in tally.counts for number in counts.values())
    assert tally.marks <= set(rules.marks)
    assert all(len(mark) <= 24 for mark in rules.marks)


def law_names_decide_nothing(game: Subject, rng: Random) -> None:
    rules, first = game.rules, new_game(game, rng)
    record = rules.write_record(first)
    names = record["players"]
    assert isinstance(names, list)
    assert len(names) == len(rules.summary(first).points)
    renamed = rules.read_setup(record | {"players": ["Someone"] * len(names)})
    assert rules.dump(renamed) == rules.dump(rules.read_setup(record))
    assert setup_of(game, renamed) == setup_of(game, first) | {"players": ["Someone"] * len(names)}


def law_states_load_as_dumped(game: Subject, rng: Random) -> None:
    state = some_state(game, rng)
    text = game.rules.dump(state)
    loaded = game.rules.load(setup_of(game, state), text)
    assert loaded == state
    assert game.rules.dump(loaded) == text


def law_options_are_normal_once_checked(game: Subject, rng: Random) -> None:
    rules, seats = game.rules, rng.choice(game.rules.seats)
    options = rules.check_options(rng.choice(game.options), seats)
    assert rules.check_options(options, seats) == options
    assert rules.check_options({}, seats).keys() == options.keys(), "options are complete"
    for bad, count in ((options | {"unknown": True}, seats), (options, rules.seats[-1] + 1)):
        with pytest.raises(RulesError, match="bad-options"):
            rules.check_options(bad, count)


def law_a_set_up_is_decided_by_its_chance(game: Subject, rng: Random) -> None:
    seed = rng.random()
    assert new_game(game, Random(seed)) == new_game(game, Random(seed))


# --- Steps and turns -----------------------------------------------------------------------------------------------


def law_legal_steps_are_those_that_can_be_played(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    steps = any_steps(game, state, rng)
    legal = outcome(rules.legal_steps, state, steps)
    played = outcome(rules.play_steps, state, steps)
    if not isinstance(played, Applied):
        assert legal == played, "both refuse the same step for the same reason"
        return
    assert legal, "nobody is stuck"
    assert len(set(legal)) == len(legal)
    assert not any(set(step) & set(" \t\n") for step in game.steps)
    for step in game.steps:
        assert (step in legal) == isinstance(outcome(rules.play_steps, state, [*steps, step]), Applied), step
    assert (END in legal) == isinstance(outcome(rules.apply_turn, state, " ".join(steps)), Applied)
    assert set(legal) <= {*game.steps, END}


def law_why_not_gives_the_reason_of_every_refusal(game: Subject, rng: Random) -> None:
    rules, state = game.rules, some_state(game, rng)
    steps = any_steps(game, state, rng)
    start = outcome(rules.play_steps, state, steps)
    for step in (*game.steps, "nonsense"):
        refusal = rules.why_not(state, step, steps)
        played = outcome(rules.play_steps, state, [*steps, step])
        assert (refusal is None) == isinstance(played, Applied)
        if refusal is not None and isinstance(start, Applied):
            assert played == said(refusal.at_step(len(steps)))
    turn = outcome(rules.apply_turn, state, " ".join(steps))
    end = rules.why_not(state, END, steps)
    assert isinstance(turn, Applied) if end is None else turn == said(end)


def law_nothing_changes_a_state(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    before = rules.load(setup_of(game, state), rules.dump(state))
    steps = random_steps(game, state, rng)
    rules.play_steps(state, steps)
    rules.apply_turn(state, " ".join(steps))
    outcome(rules.apply_turn, state, " ".join([*steps, "nonsense"]))
    rules.retire(state, rng.choice(active(game, state)))
    rules.choose_turn(rng.choice(rules.bots), state, rng)
    rules.view(state, None, ended=True)
    assert state == before
    assert rules.dump(state) == rules.dump(before)


def law_a_summary_agrees_with_the_game(game: Subject, rng: Random) -> None:
    state, turns, last_round = new_game(game, rng), 0, 0
    seats = len(viewers(game, state)) - 1
    for _ in range(40):
        summary = game.rules.summary(state)
        assert summary.finished == (summary.seat is None) == (summary.ranking is not None)
        assert summary.finished == (game.rules.legal_steps(state) == ())
        assert summary.turns == turns
        assert summary.round >= last_round
        assert len(summary.points) == seats
        assert len(set(summary.retired)) == len(summary.retired)
        assert summary.finished or summary.seat in active(game, state)
        if summary.ranking is not None:
            assert all(place == 1 + sum(p < place for p in summary.ranking) for place in summary.ranking)
            return
        last_round = summary.round
        after = next_state(game, state, rng)
        turns += game.rules.summary(after).retired == summary.retired
        state = after


def law_any_seat_may_plan_a_turn(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    for seat in active(game, state):
        now = rules.as_if_to_move(state, seat)
        assert replace(rules.summary(now), seat=None) == replace(rules.summary(state), seat=None)
        assert mover_of(game, now) == seat
        steps = random_steps(game, now, rng)
        if seat == mover_of(game, state):
            assert rules.view(now, seat) == rules.view(state, seat)
            assert rules.play_steps(now, steps).events == rules.play_steps(state, steps).events
        found = rules.conditions(state, seat, steps)
        texts = [condition.text for condition in found]
        assert len(set(texts)) == len(texts)
        assert all(text and len(text) <= 500 and not set(text) & set(" \t\n") for text in texts)
        assert all(rules.holds(state, seat, text) for text in texts)
        assert outcome(rules.conditions, state, seat, [*steps, "nonsense"]) == outcome(
            rules.play_steps, now, [*steps, "nonsense"]
        )
    gone = rules.retire(state, rng.choice(active(game, state))).state
    over = rules.summary(gone).finished
    code = RulesCode.GAME_OVER if over else RulesCode.NOT_ACTIVE
    for seat in (*rules.summary(gone).retired, *((1,) if over else (0, 99))):
        for refused in (outcome(rules.as_if_to_move, gone, seat), outcome(rules.conditions, gone, seat, [])):
            assert isinstance(refused, tuple)
            assert refused[0] == code


def law_any_seat_may_retire(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    leaving = rng.sample(active(game, state), len(active(game, state)))
    for seat in leaving[:-1]:
        gone = rules.summary(state).retired
        applied = rules.retire(state, seat)
        state = applied.state
        assert rules.summary(state).retired == (*gone, seat)
        assert any(event.seat == seat for event in applied.events)
        with pytest.raises(RulesError, match=r"not-active|game-over"):
            rules.retire(state, seat)
        if rules.summary(state).finished:
            break  # the seat to move was the last of the last round
    summary = rules.summary(state)
    assert summary.ranking is not None, "one seat can't play alone"
    assert {seat for seat, place in enumerate(summary.ranking, 1) if place == 1} <= set(active(game, state))


def law_a_game_ends(game: Subject, rng: Random) -> None:
    rules, state = game.rules, new_game(game, rng)
    bot = rng.choice(rules.bots)
    for _ in range(game.longest * rules.seats[-1]):
        if rules.summary(state).finished:
            break
        state = rules.apply_turn(state, rules.choose_turn(bot, state, rng)).state
    assert rules.summary(state).finished
    guest = rules.view(state, None)
    assert all(
        rules.view(state, seat, ended=ended) == guest for seat in viewers(game, state) for ended in (True, False)
    )


# --- What turns are worth ------------------------------------------------------------------------------------------


def law_chances_are_shares_of_one_win(game: Subject, rng: Random) -> None:
    rules, state = game.rules, some_state(game, rng)
    chances = rules.chances(state)
    summary = rules.summary(state)
    assert rules.chances(state) == chances
    assert len(chances) == len(summary.points)
    assert all(chance >= 0 for chance in chances)
    assert sum(chances) == pytest.approx(1)


def law_chances_at_the_end_are_what_was_won(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    while not rules.summary(state).finished:
        state = rules.retire(state, rng.choice(active(game, state))).state
    places = rules.summary(state).ranking or ()
    assert rules.chances(state) == tuple((place == 1) / places.count(1) for place in places)


def law_assessed_turns_and_their_lines_can_be_played(game: Subject, rng: Random) -> None:
    rules, state, seed = game.rules, running_state(game, rng), rng.random()
    seat, played = mover_of(game, state), " ".join(random_steps(game, state, rng))
    found = rules.assess(state, Random(seed), playouts=4, played=played)
    assert rules.assess(state, Random(seed), playouts=4, played=played) == found, "the same chance, the same answer"
    turns = [one.turn for one in found]
    assert played in turns
    assert len(set(turns)) == len(turns)
    own = [one.chances[seat - 1] for one in found]
    assert own == sorted(own, reverse=True)
    for one in found:
        _assert_line(game, state, one)
    assert rules.assess(state, Random(seed), playouts=4), "there is always a best turn"


def _assert_line(game: Subject, state: object, assessed: Assessed) -> None:
    rules, seat = game.rules, mover_of(game, state)
    assert sum(assessed.chances) == pytest.approx(1)
    now = rules.apply_turn(state, assessed.turn).state
    for turn in assessed.line:
        assert rules.summary(now).seat != seat, "a line ends before its own seat moves again"
        now = rules.apply_turn(now, turn).state
    assert rules.summary(now).points == assessed.points


def law_a_review_says_what_a_turn_lost(game: Subject, rng: Random) -> None:
    rules, state, seed = game.rules, running_state(game, rng), rng.random()
    seat, played = mover_of(game, state), " ".join(random_steps(game, state, rng))
    reviewed: Reviewed = rules.review(state, Random(seed), playouts=4, played=played)
    assert rules.review(state, Random(seed), playouts=4, played=played) == reviewed
    assert reviewed.played.turn == played
    assert reviewed.reason in rules.reasons
    assert len(reviewed.reason) <= 24
    for one in (reviewed.played, reviewed.best):
        _assert_line(game, state, one)
    short = reviewed.best.chances[seat - 1] - reviewed.played.chances[seat - 1]
    assert 0 <= reviewed.lost <= short + 1e-9, "what is but chance is not counted as lost"
    assert reviewed.points >= 0
    if reviewed.verdict in {Verdict.BEST, Verdict.GREAT}:
        assert reviewed.best == reviewed.played
        assert (reviewed.lost, reviewed.points) == (0, 0)
    else:
        assert reviewed.best.turn != played


# --- Puzzles ----------------------------------------------------------------------------------------------------------


def law_a_puzzle_is_solved_by_its_best_turns_alone(game: Subject, rng: Random) -> None:
    rules, state, seed = game.rules, running_state(game, rng), rng.random()
    puzzle: Puzzle | None = rules.find_puzzle(state, Random(seed), playouts=6)
    assert rules.find_puzzle(state, Random(seed), playouts=6) == puzzle, "the same chance, the same answer"
    if puzzle is None:
        return
    text = json.dumps(write_puzzle(rules, state, puzzle))
    assert "Name" not in text, "these positions' players are called so"
    again, claim = read_puzzle(rules, json.loads(text))
    seat = mover_of(game, again)
    assert claim == puzzle
    assert claim.best.turn == claim.solutions[0]
    assert len(set(claim.solutions)) == len(claim.solutions)
    assert set(claim.themes) <= set(rules.themes)
    assert claim.reason in rules.reasons
    gap = claim.best.chances[seat - 1] - claim.other.chances[seat - 1]
    assert gap > 0
    for one in (claim.best, claim.other):
        _assert_line(game, state, one)
    assert {rules.judge_answer(again, claim, turn) for turn in claim.solutions} == {Answer(solved=True, lost=0.0)}
    assert all(rules.solves(again, claim, turn) for turn in claim.solutions)
    wrong = rules.judge_answer(again, claim, claim.other.turn)
    assert not wrong.solved
    assert not rules.solves(again, claim, claim.other.turn)
    assert wrong.reason in rules.reasons
    assert wrong.lost == pytest.approx(gap)
    some = " ".join(random_steps(game, again, rng))
    answer = rules.judge_answer(again, claim, some)
    assert answer.solved or not rules.solves(again, claim, some)
    assert 0 <= answer.lost < gap if answer.solved else 0 < answer.lost <= 1
    for ask in (rules.judge_answer, rules.solves):
        with pytest.raises(RulesError):
            ask(again, claim, "nonsense")


def law_nothing_ended_is_a_puzzle(game: Subject, rng: Random) -> None:
    rules, state = game.rules, running_state(game, rng)
    while not rules.summary(state).finished:
        state = rules.retire(state, rng.choice(active(game, state))).state
    assert rules.find_puzzle(state, rng, playouts=6) is None


# --- The laws are kept, and notice breaks ---------------------------------------------------------------------------

LAWS = [law for name, law in list(globals().items()) if name.startswith("law_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__.removeprefix("law_"))
@pytest.mark.parametrize("game", SUBJECTS, ids=lambda game: game.rules.game)
@budget(25)
@given(st.integers(0, 2**32))
def test_a_law_of_the_contract_holds(game: Subject, law: Law, seed: int) -> None:
    law(game, Random(seed))


class ForgetsTheLog(Acorns):
    def write_record(self, state: State, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
        return super().write_record(state, log[1:])


class WritesTheMovingPart(Acorns):
    def write_record(self, state: State, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
        return super().write_record(state, log) | {"deck": state.deck}


class OrdersByName(Acorns):
    def read_setup(self, record_: Mapping[str, Json]) -> State:
        state = super().read_setup(record_)
        return replace(state, seat=max(range(len(state.squirrels)), key=lambda index: state.setup.players[index]))


class ForgetsTheRubbish(Acorns):
    def load(self, setup: Mapping[str, Json], dumped: str) -> State:
        return replace(super().load(setup, dumped), rubbish="")


class TakesAnyOption(Acorns):
    def check_options(self, options: Mapping[str, Json], seats: int) -> JsonObject:
        return super().check_options({"winter": options.get("winter", "mild")}, seats)


class ShufflesByItself(Acorns):
    def set_up(self, players: Sequence[str], options: Mapping[str, Json], rng: Random) -> State:  # noqa: ARG002 - the break
        return super().set_up(players, options, Random())


class ForbidsToDig(Acorns):
    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        return tuple(step for step in super().legal_steps(state, steps) if step != "d")


class EndsAtOnce(Acorns):
    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        legal = super().legal_steps(state, steps)
        return (*legal, END) if legal and END not in legal else legal


class NamesNoStep(Acorns):
    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        refusal = super().why_not(state, step, steps)
        return refusal and RulesError(refusal.code)


class ChangesTheState(Acorns):
    def apply_turn(self, state: State, turn: str) -> Applied[State]:
        object.__setattr__(state, "rubbish", state.rubbish + "9")
        return super().apply_turn(state, turn)


class RanksBeforeTheEnd(Acorns):
    def summary(self, state: State) -> Summary:
        return replace(super().summary(state), ranking=(1,) * len(state.squirrels))


class LetsTheMoverPlanAlone(Acorns):
    def as_if_to_move(self, state: State, seat: Seat) -> State:  # noqa: ARG002 - the contract's
        return super().as_if_to_move(state, state.seat + 1)


class ReliesOnWhatIsNot(Acorns):
    def conditions(self, state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
        return (*super().conditions(state, seat, steps), Condition("hoard:1:99"))


class LetsTheDeadPlan(Acorns):
    def as_if_to_move(self, state: State, seat: Seat) -> State:
        return super().as_if_to_move(replace(state, retired=()), seat)


class KeepsRetiredSeats(Acorns):
    def retire(self, state: State, seat: Seat) -> Applied[State]:
        return Applied(replace(super().retire(state, seat).state, retired=()), ())


class HidesAfterTheEnd(Acorns):
    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        return super().view(replace(state, finished=False), seat, ended=ended)


class IsSureOfEverything(Acorns):
    def chances(self, state: State) -> tuple[float, ...]:
        return tuple(1.0 for _ in state.squirrels)


class GivesUpHope(Acorns):
    def chances(self, state: State) -> tuple[float, ...]:
        return super().chances(replace(state, finished=False))


class AssessesWhatItLikes(Acorns):
    def assess(self, state: State, rng: Random, *, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
        found = super().assess(state, rng, playouts=playouts, played=played)
        return tuple(one for one in found if one.turn != played)


class ForgetsWhatFollows(Acorns):
    def assess(self, state: State, rng: Random, *, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
        found = super().assess(state, rng, playouts=playouts, played=played)
        return tuple(replace(one, line=()) for one in found)


class PraisesEverything(Acorns):
    def review(self, state: State, rng: Random, *, playouts: int, played: str) -> Reviewed:
        return replace(super().review(state, rng, playouts=playouts, played=played), verdict=Verdict.BEST)


class SolvesWithAnything(Acorns):
    def judge_answer(self, state: State, puzzle: Puzzle, turn: str) -> Answer:
        return Answer(solved=True, lost=super().judge_answer(state, puzzle, turn).lost)


class ForgetsTheBest(Acorns):
    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:
        found = super().find_puzzle(state, rng, playouts=playouts)
        return found and replace(found, solutions=found.solutions[1:] or (found.other.turn,))


class PuzzlesForEver(Acorns):
    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:  # noqa: ARG002 - the break
        claim = Assessed("d", self.chances(state), (), ())
        return Puzzle(
            solutions=("d",),
            best=claim,
            other=claim,
            themes=(),
            reason="",
            params={},
            rating=0,
            easy=True,
            playouts=playouts,
        )


@pytest.mark.parametrize(
    ("rules", "law"),
    [
        (SolvesWithAnything(), law_a_puzzle_is_solved_by_its_best_turns_alone),
        (ForgetsTheBest(), law_a_puzzle_is_solved_by_its_best_turns_alone),
        (PuzzlesForEver(), law_nothing_ended_is_a_puzzle),
        (IsSureOfEverything(), law_chances_are_shares_of_one_win),
        (GivesUpHope(), law_chances_at_the_end_are_what_was_won),
        (AssessesWhatItLikes(), law_assessed_turns_and_their_lines_can_be_played),
        (ForgetsWhatFollows(), law_assessed_turns_and_their_lines_can_be_played),
        (PraisesEverything(), law_a_review_says_what_a_turn_lost),
        (ForgetsTheLog(), law_records_read_back),
        (WritesTheMovingPart(), law_records_read_back),
        (OrdersByName(), law_names_decide_nothing),
        (ForgetsTheRubbish(), law_states_load_as_dumped),
        (TakesAnyOption(), law_options_are_normal_once_checked),
        (ShufflesByItself(), law_a_set_up_is_decided_by_its_chance),
        (ForbidsToDig(), law_legal_steps_are_those_that_can_be_played),
        (EndsAtOnce(), law_legal_steps_are_those_that_can_be_played),
        (NamesNoStep(), law_why_not_gives_the_reason_of_every_refusal),
        (ChangesTheState(), law_nothing_changes_a_state),
        (RanksBeforeTheEnd(), law_a_summary_agrees_with_the_game),
        (LetsTheMoverPlanAlone(), law_any_seat_may_plan_a_turn),
        (ReliesOnWhatIsNot(), law_any_seat_may_plan_a_turn),
        (LetsTheDeadPlan(), law_any_seat_may_plan_a_turn),
        (KeepsRetiredSeats(), law_any_seat_may_retire),
        (HidesAfterTheEnd(), law_a_game_ends),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Acorns) else "",
)
def test_a_law_notices_a_planted_break(rules: Acorns, law: Law) -> None:
    assert is_noticed(rules, law)


# --- Rulesets ---------------------------------------------------------------------------------------------------------


def test_rulesets_are_registered_by_their_names_and_all_are_under_test() -> None:
    assert {name: rules.ruleset for name, rules in RULESETS.items()} == {name: name for name in RULESETS}
    assert {rules.game for rules in RULESETS.values()} <= {game.rules.game for game in SUBJECTS}
    assert all(rules.bots and len({*rules.bots}) == len(rules.bots) for rules in RULESETS.values())


def test_each_computer_player_that_the_site_asks_for_can_choose_a_turn() -> None:
    for game in SUBJECTS:
        rules, rng = game.rules, Random(1)
        state = rules.set_up(["Ada", "Bo"], rules.check_options({}, 2), rng)
        assert rules.first_bot in rules.bots
        assert not {*rules.bots} & {*rules.former_bots}
        for bot in (*rules.bots, *rules.former_bots, rules.autopilot, rules.adviser):
            rules.apply_turn(state, rules.choose_turn(bot, state, rng))


def test_new_games_get_the_ruleset_of_their_family_that_was_registered_last(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in RULESETS.keys() - {"gravity-1"}:
        monkeypatch.delitem(RULESETS, name)
    assert newest_rulesets() == {"gravity": "gravity-1"}
    for name in ("acorns-1", "gravity-2"):
        monkeypatch.setitem(RULESETS, name, Acorns() if name == "acorns-1" else GRAVITY)
    assert newest_rulesets() == {"gravity": "gravity-2", "acorns": "acorns-1"}
