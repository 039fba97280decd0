"""Acorns behind the contract that the site knows."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from engine.contract import (
    END,
    Answer,
    Applied,
    Assessed,
    Condition,
    Event,
    Json,
    JsonObject,
    PlayedEntry,
    Puzzle,
    Reviewed,
    Seat,
    Summary,
    Tally,
    Verdict,
    split_turn,
)
from engine.errors import RulesError
from tests.another_game.engine import plans, record, rules
from tests.another_game.engine.bots import BOTS
from tests.another_game.engine.state import Squirrel, State, first_state, imagine, known_to


class Acorns:
    """Ruleset ``acorns-1``. Each method does what `engine.contract.Rules` says of it."""

    ruleset = "acorns-1"
    game = "acorns"
    format = record.FORMAT
    seats = record.SEATS
    bots: tuple[str, ...] = ("random", "careful")
    former_bots: tuple[str, ...] = ("hasty",)
    first_bot = "random"
    autopilot = "careful"
    adviser = "careful"
    marks: tuple[str, ...] = ("robbery",)
    reasons: tuple[str, ...] = ("more-nuts", "no-more-nuts")
    themes: tuple[str, ...] = ("hiding", "throwing")
    drawing: frozenset[str] = frozenset()
    judge = "1"

    def check_options(self, options: Mapping[str, Json], seats: int) -> JsonObject:
        return record.check_options(options, seats)

    def set_up(self, players: Sequence[str], options: Mapping[str, Json], rng: Random) -> State:
        return first_state(record.draw_setup(players, options, rng))

    def write_record(self, state: State, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
        return record.write_record(state.setup, log)

    def read_setup(self, record_: Mapping[str, Json]) -> State:
        return first_state(record.read_setup(record_))

    def view_setup(self, setup: Mapping[str, Json], seat: Seat | None) -> JsonObject:
        return record.view_setup(setup, seat)

    def dump(self, state: State) -> str:
        squirrels = [[each.hand, each.eaten, each.nest, each.hoard] for each in state.squirrels]
        counters = [state.seat, state.round, state.turns, state.finished]
        return json.dumps([squirrels, state.deck, state.rubbish, state.retired, counters], separators=(",", ":"))

    def load(self, setup: Mapping[str, Json], dumped: str) -> State:
        squirrels, deck, rubbish, retired, (seat, round_, turns, finished) = json.loads(dumped)
        return State(
            setup=record.read_setup(setup),
            squirrels=tuple(Squirrel(*piles) for piles in squirrels),
            deck=deck,
            rubbish=rubbish,
            seat=seat,
            round=round_,
            turns=turns,
            retired=tuple(retired),
            finished=finished,
        )

    def summary(self, state: State) -> Summary:
        return Summary(
            seat=None if state.finished else state.seat + 1,
            finished=state.finished,
            round=state.round,
            turns=state.turns,
            points=tuple(state.points(index) for index in range(len(state.squirrels))),
            retired=tuple(index + 1 for index in state.retired),
            ranking=rules.ranking(state) if state.finished else None,
        )

    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        return rules.legal_steps(state, steps)

    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        return rules.why_not(state, step, steps)

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        return rules.play_steps(state, steps)

    def apply_turn(self, state: State, turn: str) -> Applied[State]:
        return rules.apply_turn(state, turn)

    def as_if_to_move(self, state: State, seat: Seat) -> State:
        return plans.as_if_to_move(state, seat)

    def conditions(self, state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
        return plans.conditions(state, seat, steps)

    def holds(self, state: State, seat: Seat, condition: str) -> bool:  # noqa: ARG002 - the contract's
        return plans.holds(state, condition)

    def retire(self, state: State, seat: Seat) -> Applied[State]:
        return rules.retire(state, seat)

    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        known = state if state.finished or ended else known_to(state, seat)
        seen: JsonObject = {
            "turns": state.turns,
            "round": state.round,
            "seat": None if state.finished else state.seat + 1,
            "finished": state.finished,
            "winter": state.setup.winter,
            "deck": known.deck,
            "rubbish": state.rubbish,
            "hands": [each.hand for each in known.squirrels],
            "eaten": [each.eaten for each in known.squirrels],
            "nests": [each.nest for each in known.squirrels],
            "hoards": [each.hoard for each in known.squirrels],
            "points": [state.points(index) for index in range(len(state.squirrels))],
            "retired": [index + 1 for index in state.retired],
        }
        return seen | {"ranking": list(rules.ranking(state))} if state.finished else seen

    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:
        return imagine(state, seat, rng)

    def view_turn(self, turn: str, *, own: bool) -> str:
        return turn if own else " ".join("h?" if step[0] == "h" else step for step in split_turn(turn))

    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        return rules.view_events(events, seat)

    def tally(self, log: Sequence[PlayedEntry]) -> Tally:
        counts = tuple(Counter[str]() for _seat in log[-1].after.points)
        for event in (event for played in log for event in played.events):
            if event.seat is not None and event.kind == rules.AcornsEvent.ROBBED:
                counts[event.seat - 1]["robbed"] += 1
        return Tally(counts, frozenset({"robbery"} if any(counts) else ()))

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        return BOTS[bot](known_to(state, state.seat + 1), rng)

    def chances(self, state: State) -> tuple[float, ...]:
        return rules.chances(state)

    def assess(self, state: State, rng: Random, *, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
        seat, known, turns = state.seat, known_to(state, state.seat + 1), [played] if played is not None else []
        for _ in range(playouts):
            turn = BOTS["random"](known, rng)
            if turn not in turns:
                turns.append(turn)
        found = [self._assess(state, turn) for turn in turns]
        return tuple(sorted(found, key=lambda one: one.chances[seat], reverse=True))

    def _assess(self, state: State, turn: str) -> Assessed:
        after = rules.apply_turn(state, turn).state
        answer = () if after.finished else (BOTS["careful"](known_to(after, after.seat + 1), Random(1)),)
        end = rules.apply_turn(after, answer[0]).state if answer else after
        points = tuple(end.points(index) for index in range(len(end.squirrels)))
        return Assessed(turn, rules.chances(after), points, answer)

    def review(self, state: State, rng: Random, *, playouts: int, played: str) -> Reviewed:
        assessed = self.assess(state, rng, playouts=playouts, played=played)
        mine, best, seat = next(one for one in assessed if one.turn == played), assessed[0], state.seat
        lost = best.chances[seat] - mine.chances[seat]
        if lost == 0:
            best = mine
        return Reviewed(
            verdict=Verdict.MISTAKE if lost > 0.1 else Verdict.GOOD if lost else Verdict.BEST,
            lost=lost,
            points=max(0, best.points[seat] - mine.points[seat]),
            played=mine,
            best=best,
            reason=self.reasons[0 if lost else 1],
            params={},
        )

    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:  # noqa: ARG002 - the contract's
        if state.finished:
            return None
        worth = self._worth(state)
        turns = sorted(worth, key=lambda turn: worth[turn], reverse=True)
        solutions = tuple(turn for turn in turns if worth[turn] == worth[turns[0]])
        shown = {turn: self.view(rules.apply_turn(state, turn).state, None) for turn in turns}
        solved = [shown[turn] for turn in solutions]
        other = next((turn for turn in turns if shown[turn] not in solved), None)
        if other is None or worth[turns[0]] - worth[other] < 0.01:
            return None
        best, worse = self._claim(state, turns[0]), self._claim(state, other)
        if best is None or worse is None:
            return None
        themes = [theme for theme, letter in zip(self.themes, "hx", strict=True) if letter in best.turn]
        return Puzzle(
            solutions=solutions,
            best=best,
            other=worse,
            themes=tuple(themes),
            reason=self.reasons[0],
            params={},
            rating=1000,
            easy=True,
            playouts=playouts,
        )

    def solves(self, state: State, puzzle: Puzzle, turn: str) -> bool:
        after = self.view(rules.apply_turn(state, turn).state, None)
        return any(self.view(rules.apply_turn(state, one).state, None) == after for one in puzzle.solutions)

    def judge_answer(self, state: State, puzzle: Puzzle, turn: str) -> Answer:
        if self.solves(state, puzzle, turn):
            return Answer(solved=True, lost=0.0)
        worth = self._worth(state)
        lost = worth[puzzle.best.turn] - worth[turn]
        return Answer(solved=lost == 0, lost=lost, reason=self.reasons[0] if lost else "")

    def _worth(self, state: State) -> dict[str, float]:
        """Return what each turn's own chance is, by what the seat to move knows: some nuts that may be hidden."""
        imagined, seat = imagine(state, state.seat + 1, Random(1)), state.seat
        return {turn: rules.chances(rules.apply_turn(imagined, turn).state)[seat] for turn in self._turns(state)}

    def _turns(self, state: State) -> list[str]:
        turns = []
        for action in rules.legal_steps(state):
            throws = [step for step in rules.legal_steps(state, [action]) if step != END]
            turns += [action, *(f"{action} {step}" for step in throws)]
        return turns

    def _claim(self, state: State, turn: str) -> Assessed | None:
        """Return a turn without what follows, or None where the game ends with it and uncovers what was hidden."""
        imagined = imagine(state, state.seat + 1, Random(1))
        after = rules.apply_turn(imagined, turn).state
        if after.finished:
            return None
        points = tuple(after.points(index) for index in range(len(after.squirrels)))
        return Assessed(turn, rules.chances(after), points, ())
