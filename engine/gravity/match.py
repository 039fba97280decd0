"""Matches between computer players: who wins how often, and how long they think.

A match plays drawn set-ups. Each is played once for every rotation of the seats: the players sit in the same order, and
everyone begins once. The games of one set-up are alike, so set-ups are what is counted as independent.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from math import ceil
from multiprocessing import get_context
from random import Random
from statistics import fmean
from time import process_time
from typing import Final

from engine.contract import JsonObject
from engine.gravity.bots import BOTS
from engine.gravity.estimate import Share, share
from engine.gravity.rules import apply_turn, ranking, wins_of
from engine.gravity.setup import draw_setup, first_state
from engine.gravity.state import State
from engine.gravity.view import known_to

MOST_ROUNDS: Final = 200
"""A game that has not ended after so many rounds is cut off, and counts as if it had ended there."""


@dataclass(frozen=True, slots=True)
class Match:
    """Which games to play: the computer players in the order of their seats, the options, the seed of all chance."""

    bots: tuple[str, ...]
    expert: bool
    goodies: str
    seed: int

    @property
    def kind(self) -> str:
        """What is played, in words."""
        return f"{'expert' if self.expert else 'base'} game, goodies {self.goodies or 'none'}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Game:
    """A game by the players' places in `Match.bots`, wherever they sat: ``wins`` are parts of one, times seconds."""

    wins: tuple[float, ...]
    points: tuple[int, ...]
    turns: tuple[int, ...]
    seconds: tuple[float, ...]
    longest: tuple[float, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What a match says of one player, in all its seats: ``seats`` and ``fair`` say how many, points are of a seat."""

    bot: str
    seats: int
    wins: Share
    fair: float
    points: float
    milliseconds: float
    longest: float


def spread[T](task: Callable[..., T], *columns: Iterable[object], jobs: int, chunk: int = 1) -> list[T]:
    """Return the task's results for rows of arguments, worked on in ``jobs`` processes, in the order of the rows."""
    if jobs == 1:
        return list(map(task, *columns))
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        return list(pool.map(task, *columns, chunksize=chunk))


def begin(match: Match, number: int) -> tuple[State, Random]:
    """Return the first state of the set-up with that number, and the chance that drew it."""
    rng = Random(f"{match.seed}/{number}")
    names = [f"Seat {seat + 1}" for seat in range(len(match.bots))]
    return first_state(draw_setup(names, {"expert": match.expert, "goodies": match.goodies}, rng)), rng


def set_ups(match: Match, games: int) -> int:
    """Return how many set-ups make at least that many games."""
    return ceil(games / len(match.bots))


def play_match(match: Match, games: int, jobs: int) -> list[tuple[Game, ...]]:
    """Play at least that many games, and return those of each set-up. The number of jobs changes times alone."""
    return spread(play_set_up, repeat(match), range(set_ups(match, games)), jobs=jobs)


def play_set_up(match: Match, number: int) -> tuple[Game, ...]:
    """Play the set-up with that number in all rotations of the seats."""
    state, _ = begin(match, number)
    return tuple(_play(match, state, f"{match.seed}/{number}", rotation) for rotation in range(len(match.bots)))


def _play(match: Match, state: State, seed: str, rotation: int) -> Game:
    """Play a game in which the player in place ``rotation`` begins. Each seat has chance of its own."""
    count = len(match.bots)
    chances = [Random(f"{seed}/{rotation}/{seat}") for seat in range(count)]
    turns, seconds, longest = [0] * count, [0.0] * count, [0.0] * count
    while not state.finished and state.round <= MOST_ROUNDS:
        place = (state.seat + rotation) % count
        known = known_to(state, state.seat + 1)
        began = process_time()
        turn = BOTS[match.bots[place]](known, chances[state.seat])
        took = process_time() - began
        turns[place] += 1
        seconds[place] += took
        longest[place] = max(longest[place], took)
        state = apply_turn(state, turn)

    def by_place[T](values: Sequence[T]) -> tuple[T, ...]:
        return tuple(values[(place - rotation) % count] for place in range(count))

    return Game(
        wins=by_place(wins_of(ranking(state))),
        points=by_place([player.points for player in state.players]),
        turns=tuple(turns),
        seconds=tuple(seconds),
        longest=tuple(longest),
        cut=not state.finished,
    )


def results(match: Match, played: Sequence[Sequence[Game]]) -> list[Result]:
    """Return what the set-ups played say of each player, in the order in which they were named."""
    return [_result(match, played, bot) for bot in dict.fromkeys(match.bots)]


def _result(match: Match, played: Sequence[Sequence[Game]], bot: str) -> Result:
    """Return one player's result. The interval of its wins is that of its means by set-up."""
    own = [place for place, name in enumerate(match.bots) if name == bot]
    games = [game for set_up in played for game in set_up]
    return Result(
        bot=bot,
        seats=len(own),
        wins=share([fmean(sum(game.wins[place] for place in own) for game in set_up) for set_up in played]),
        fair=len(own) / len(match.bots),
        points=fmean(game.points[place] for game in games for place in own),
        milliseconds=1000 * mean_time((game, place) for game in games for place in own),
        longest=1000 * max(game.longest[place] for game in games for place in own),
    )


def mean_time(played: Iterable[tuple[Game, int]]) -> float:
    """Return the seconds of processor time that a turn took, from games with the place of the player in each."""
    times = [(game.seconds[place], game.turns[place]) for game, place in played]
    return sum(seconds for seconds, _ in times) / sum(turns for _, turns in times)


def as_json(match: Match, played: Sequence[Sequence[Game]]) -> JsonObject:
    """Return the results as an object of JSON: shares from 0 to 1, times in milliseconds."""
    return {
        "bots": list(match.bots),
        "games": sum(map(len, played)),
        "set_ups": len(played),
        "expert": match.expert,
        "goodies": match.goodies,
        "seed": match.seed,
        "cut": _cut(played),
        "results": [
            {
                "bot": one.bot,
                "seats": one.seats,
                "wins": one.wins.value,
                "wins_low": one.wins.low,
                "wins_high": one.wins.high,
                "fair": one.fair,
                "points": one.points,
                "ms_turn": one.milliseconds,
                "ms_longest": one.longest,
            }
            for one in results(match, played)
        ],
    }


def report(match: Match, played: Sequence[Sequence[Game]]) -> Iterator[str]:
    """Yield the results, line by line."""
    yield f"{sum(map(len, played))} games, {len(played)} set-ups, of {', '.join(match.bots)}: {match.kind}"
    width = max(map(len, match.bots))
    yield f"{'':{width}}    wins  95% interval      fair  points  ms a turn  longest"
    for one in results(match, played):
        low, high = f"{one.wins.low:.1%}", f"{one.wins.high:.1%}"
        yield (
            f"{one.bot:{width}}  {one.wins.value:6.1%}  {low:>6} to {high:>6}  {one.fair:6.1%}  {one.points:6.2f}"
            f"  {one.milliseconds:9.1f}  {one.longest:7.1f}"
        )
    if cut := _cut(played):
        yield f"cut off after {MOST_ROUNDS} rounds: {cut}"


def _cut(played: Sequence[Sequence[Game]]) -> int:
    return sum(game.cut for set_up in played for game in set_up)
