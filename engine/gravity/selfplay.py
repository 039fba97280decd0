"""Games between computer players, and statistics of them: how faces are judged and tuned."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from typing import Final

from engine.contract import Event, split_turn
from engine.gravity.bots import BOTS
from engine.gravity.events import EventKind
from engine.gravity.rules import apply_turn, legal_steps, ranking
from engine.gravity.setup import draw_setup, first_state
from engine.gravity.state import State
from engine.gravity.view import known_to

FEW: Final = 6
"""Fewer legal actions than this leave a player little choice."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which games to play: the number of seats, the computer player, the options."""

    seats: int
    bot: str
    expert: bool
    goodies: str
    seed: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of one game: ``falls`` are lengths in spaces, ``choices`` the numbers of legal first steps by turn."""

    turns: int
    steps: int
    falls: tuple[int, ...]
    stars: int
    tokens: int
    ejections: int
    choices: tuple[int, ...]
    points: tuple[int, ...]
    ranking: tuple[int, ...]


def play_matches(match: Match, games: int, jobs: int) -> list[Tally]:
    """Play that many games in ``jobs`` processes. Each game has its own seed, whatever the number of jobs."""
    if jobs == 1:
        return [play_match(match, number) for number in range(games)]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return list(pool.map(partial(play_match, match), range(games), chunksize=8))


def play_match(match: Match, number: int) -> Tally:
    """Play the game with that number to its end and count what happens."""
    rng = Random(f"{match.seed}/{number}")
    names = [f"Seat {seat + 1}" for seat in range(match.seats)]
    state = first_state(draw_setup(names, {"expert": match.expert, "goodies": match.goodies}, rng))
    events: list[Event] = []
    choices: list[int] = []
    steps = 0
    while not state.finished:
        choices.append(len(legal_steps(state)))
        turn = BOTS[match.bot](known_to(state, state.seat + 1), rng)
        steps += len(split_turn(turn))
        state = apply_turn(state, turn, events)
    return _tally(state, events, steps, tuple(choices))


def _tally(state: State, events: Sequence[Event], steps: int, choices: tuple[int, ...]) -> Tally:
    items = [event.params["item"] for event in events if event.kind == EventKind.COLLECTED]
    return Tally(
        turns=state.turns,
        steps=steps,
        falls=tuple(falls_of(events)),
        stars=sum(item != "r" for item in items),
        tokens=items.count("r"),
        ejections=sum(event.kind == EventKind.EJECTED for event in events),
        choices=choices,
        points=tuple(player.points for player in state.players),
        ranking=ranking(state),
    )


def falls_of(events: Sequence[Event]) -> Iterator[int]:
    """Yield the length of each fall; what happens on the way, such as collecting a star, does not end it."""
    moves = {
        EventKind.PLACED,
        EventKind.TELEPORTED,
        EventKind.MOVED,
        EventKind.FELL,
        EventKind.LAID,
        EventKind.CARDS_RETURNED,
        EventKind.TOKEN_SPENT,
    }
    for fell, run in groupby(event.kind == EventKind.FELL for event in events if event.kind in moves):
        if fell:
            yield len(list(run))


def report(match: Match, tallies: Sequence[Tally]) -> Iterator[str]:
    """Yield a report of the games, line by line; "sd" is the standard deviation over games, or over falls."""
    turns = sum(tally.turns for tally in tallies)
    rounds = [tally.turns / match.seats for tally in tallies]
    falls = [length for tally in tallies for length in tally.falls]
    choices = [count for tally in tallies for count in tally.choices]
    ejections = [tally.ejections for tally in tallies]
    few, many = sum(count < FEW for count in choices), len(choices)
    kind = f"{'expert' if match.expert else 'base'} game, goodies {match.goodies or 'none'}"
    yield f"{len(tallies)} games of {match.seats} {match.bot} players, {kind}, seed {match.seed}"
    yield f"turns a player    {_spread(rounds)}, {min(rounds):.1f} to {max(rounds):.1f}"
    yield f"steps a turn      {sum(tally.steps for tally in tallies) / turns:.2f}"
    yield f"length of falls   {_spread(falls)}, longest {max(falls, default=0)} spaces"
    yield f"falls a turn      {len(falls) / turns:.2f}"
    yield f"stars a turn      {sum(tally.stars for tally in tallies) / turns:.2f}"
    yield f"tokens a turn     {sum(tally.tokens for tally in tallies) / turns:.2f}"
    yield f"ejections a game  {_spread(ejections)}, at least one in {_share(sum(map(bool, ejections)), len(tallies))}"
    yield f"legal actions     {fmean(choices):.1f} on average, fewer than {FEW} in {_share(few, many)} of turns"
    yield f"points            {_spread([point for tally in tallies for point in tally.points])}"
    yield f"wins by seat      {'  '.join(_wins(match, tallies))}"


def _wins(match: Match, tallies: Sequence[Tally]) -> Iterator[str]:
    """Yield each seat's share of wins; a shared first place counts as a fraction of one."""
    for seat in range(match.seats):
        won = sum(1 / tally.ranking.count(1) for tally in tallies if tally.ranking[seat] == 1)
        yield f"{seat + 1}: {_share(won, len(tallies))}"


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "none"
    return f"{fmean(values):.2f} (sd {stdev(values) if len(values) > 1 else 0:.2f})"


def _share(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"
