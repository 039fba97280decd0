"""Gravity Superstar behind the contract that the site knows."""

import json
from collections.abc import Mapping, Sequence
from random import Random

from engine.contract import (
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
)
from engine.errors import RulesError
from engine.gravity import notation, plans, puzzles, record, rules, setup
from engine.gravity import tally as tallies
from engine.gravity import view as views
from engine.gravity.bots import BOTS, LEVELS
from engine.gravity.bots.assess import assess
from engine.gravity.chances import chances
from engine.gravity.reasons import Reason
from engine.gravity.review import review, version
from engine.gravity.state import Player, State, points_of


class Gravity:
    """Ruleset ``gravity-1``."""

    ruleset = "gravity-1"
    game = "gravity"
    format = record.FORMAT
    seats = range(2, 7)
    bots = tuple(LEVELS)
    former_bots: tuple[str, ...] = ("random", "greedy")
    first_bot = "nova:2"
    autopilot = "nova:4"
    adviser = "nova:7"
    marks: tuple[str, ...] = tuple(tallies.Mark)
    reasons: tuple[str, ...] = tuple(Reason)
    drawing = views.DRAWING
    themes: tuple[str, ...] = tuple(puzzles.Theme)

    @property
    def judge(self) -> str:
        """The version of the model, and of what is made of it."""
        return version()

    def check_options(self, options: Mapping[str, Json], seats: int) -> JsonObject:
        """Return complete options. Raises `RulesError`."""
        return setup.check_options(options, seats)

    def set_up(self, players: Sequence[str], options: Mapping[str, Json], rng: Random) -> State:
        """Draw a new game."""
        return setup.first_state(setup.draw_setup(players, options, rng))

    def write_record(self, state: State, log: Sequence[Mapping[str, Json]] = ()) -> JsonObject:
        """Return the record of the game that the state belongs to, with that log."""
        return record.write_record(state.setup, log)

    def read_setup(self, record_: Mapping[str, Json]) -> State:
        """Return the state after set-up. Raises `RecordError`."""
        return setup.first_state(record.read_setup(record_))

    def view_setup(self, setup_: Mapping[str, Json], seat: Seat | None) -> JsonObject:  # noqa: ARG002 - the contract's
        """Return the set-up as it is: all of it lies open."""
        return dict(setup_)

    def dump(self, state: State) -> str:
        """Return the moving part of a state between turns as JSON text of some 500 characters."""
        return json.dumps(
            {
                "turned": state.board.rotations,
                "cells": state.cells.hex(),
                "players": [[p.pawn, p.hand, p.face_up, p.face_down, *p.loot] for p in state.players],
                "supply": state.supply,
                "door": state.door,
                "seat": state.seat,
                "round": state.round,
                "turns": state.turns,
                "retired": state.retired,
                "reached": state.reached,
                "finished": state.finished,
            },
            separators=(",", ":"),
        )

    def load(self, setup_: Mapping[str, Json], dumped: str) -> State:
        """Return the state that `dump` wrote."""
        drawn = record.trusted_setup(setup_)
        fields = json.loads(dumped)
        return State(
            setup=drawn,
            board=drawn.board(tuple(fields["turned"])),
            cells=bytes.fromhex(fields["cells"]),
            players=tuple(
                Player(pawn, hand, up, down, tuple(loot)) for pawn, hand, up, down, *loot in fields["players"]
            ),
            supply=fields["supply"],
            door=fields["door"],
            seat=fields["seat"],
            round=fields["round"],
            turns=fields["turns"],
            retired=tuple(fields["retired"]),
            reached=fields["reached"],
            finished=fields["finished"],
        )

    def summary(self, state: State) -> Summary:
        """Return what the site stores beside a game."""
        return Summary(
            seat=None if state.finished else state.seat + 1,
            finished=state.finished,
            round=state.round,
            turns=state.turns,
            points=tuple([points_of(player.loot) for player in state.players]),
            retired=tuple([index + 1 for index in state.retired]),
            ranking=rules.ranking(state) if state.finished else None,
        )

    def legal_steps(self, state: State, steps: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the legal next steps. Raises `RulesError`."""
        return rules.legal_steps(state, steps)

    def why_not(self, state: State, step: str, steps: Sequence[str] = ()) -> RulesError | None:
        """Return why a step is refused, or None."""
        return rules.why_not(state, step, steps)

    def play_steps(self, state: State, steps: Sequence[str]) -> Applied[State]:
        """Play the beginning of a turn. Raises `RulesError`."""
        events: list[Event] = []
        return Applied(rules.play_steps(state, steps, events), tuple(events))

    def apply_turn(self, state: State, turn: str) -> Applied[State]:
        """Play a whole turn. Raises `RulesError`."""
        events: list[Event] = []
        return Applied(rules.apply_turn(state, turn, events), tuple(events))

    def as_if_to_move(self, state: State, seat: Seat) -> State:
        """Return the state as a seat would move in it now. Raises `RulesError`."""
        return plans.as_if_to_move(state, seat)

    def conditions(self, state: State, seat: Seat, steps: Sequence[str]) -> tuple[Condition, ...]:
        """Return what a planned turn relies on. Raises `RulesError`."""
        return plans.conditions(state, seat, steps)

    def holds(self, state: State, seat: Seat, condition: str) -> bool:
        """Return whether a condition holds."""
        return plans.holds(state, seat, condition)

    def retire(self, state: State, seat: Seat) -> Applied[State]:
        """Let a seat leave. Raises `RulesError`."""
        events: list[Event] = []
        return Applied(rules.retire(state, seat, events), tuple(events))

    def view(self, state: State, seat: Seat | None, *, ended: bool = False) -> JsonObject:
        """Return the position as a seat or guest may see it."""
        return views.view(state, seat, ended=ended)

    def imagine(self, state: State, seat: Seat | None, rng: Random) -> State:
        """Return the state with other cards that could lie face down in front of everyone else."""
        return views.imagine(state, seat, rng)

    def view_turn(self, turn: str, *, own: bool) -> str:
        """Return a turn's text as its own seat or others may read it."""
        return turn if own else notation.hide_cards(turn)

    def view_events(self, events: Sequence[Event], seat: Seat | None) -> tuple[Event, ...]:
        """Return events as a seat or guest may see them."""
        return views.view_events(events, seat)

    def tally(self, log: Sequence[PlayedEntry]) -> Tally:
        """Return what a finished game was like."""
        return tallies.tally(log)

    def choose_turn(self, bot: str, state: State, rng: Random) -> str:
        """Return a computer player's turn; it is shown only what its seat may see."""
        return BOTS[bot](views.known_to(state, state.seat + 1), rng)

    def chances(self, state: State) -> tuple[float, ...]:
        """Return each seat's chance to win."""
        return chances(state)

    def assess(self, state: State, rng: Random, *, playouts: int, played: str | None = None) -> tuple[Assessed, ...]:
        """Return the best turns that a search finds, and the one that was played."""
        return assess(state, rng, playouts, played)

    def review(self, state: State, rng: Random, *, playouts: int, played: str) -> Reviewed:
        """Return what a turn was worth, and why."""
        return review(state, rng, playouts, played)

    def find_puzzle(self, state: State, rng: Random, *, playouts: int) -> Puzzle | None:
        """Return what makes a state a puzzle, or None."""
        return puzzles.find(state, rng, playouts)

    def solves(self, state: State, puzzle: Puzzle, turn: str) -> bool:
        """Return at once whether a turn looks as a solution does, or leads to the same. Raises `RulesError`."""
        return puzzles.solves(state, puzzle.solutions, turn)

    def judge_answer(self, state: State, puzzle: Puzzle, turn: str) -> Answer:
        """Return whether a turn solves a puzzle. Raises `RulesError`."""
        return puzzles.judge_answer(state, puzzle, turn)
