"""Games between computer players, and statistics of them: how faces are judged and tuned."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from statistics import fmean, pvariance, stdev
from typing import Final

from engine.contract import Event, Seat, split_turn
from engine.gravity.bots import BOTS
from engine.gravity.estimate import Share, share
from engine.gravity.events import EventKind
from engine.gravity.match import Match, begin, spread
from engine.gravity.rules import apply_turn, legal_steps, ranking, wins_of
from engine.gravity.state import State
from engine.gravity.view import known_to

FEW: Final = 6
"""Fewer legal actions than this leave a player little choice."""
_ON_THE_WAY: Final = {EventKind.WRAPPED, EventKind.COLLECTED, EventKind.EJECTED, EventKind.DOOR_MOVED}


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
    faces: tuple[str, ...]
    """By name, those that the game was played on."""


def play_games(match: Match, games: int, jobs: int) -> list[Tally]:
    """Play that many games in ``jobs`` processes. Each game has its own seed, whatever the number of jobs."""
    return spread(play_game, repeat(match), range(games), jobs=jobs, chunk=8)


def play_game(match: Match, number: int) -> Tally:
    """Play the game with that number to its end and count what happens."""
    state, rng = begin(match, number)
    events: list[Event] = []
    choices: list[int] = []
    steps = 0
    while not state.finished:
        choices.append(len(legal_steps(state)))
        turn = BOTS[match.bots[state.seat]](known_to(state, state.seat + 1), rng)
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
        faces=tuple(name for name, _rotation in state.setup.tiles),
    )


def falls_of(events: Sequence[Event]) -> Iterator[int]:
    """Yield the length of each fall; what happens on the way, such as taking a star or ejecting a rival, ends none."""
    falling = (event.kind == EventKind.FELL for event in events if not _happens_on_the_way(event))
    for fell, run in groupby(falling):
        if fell:
            yield len(list(run))


def _happens_on_the_way(event: Event) -> bool:
    """Return whether an event follows from entering a space, or is the pawn's way over the edge to the next one."""
    return event.kind in _ON_THE_WAY or event.params.get("why") == "ejected"


def report(match: Match, tallies: Sequence[Tally]) -> Iterator[str]:
    """Yield a report of the games, line by line; "sd" is the standard deviation over games, or over falls."""
    turns = sum(tally.turns for tally in tallies)
    seats = len(match.bots)
    rounds = [tally.turns / seats for tally in tallies]
    falls = [length for tally in tallies for length in tally.falls]
    choices = [count for tally in tallies for count in tally.choices]
    ejections = [tally.ejections for tally in tallies]
    few, many = sum(count < FEW for count in choices), len(choices)
    yield f"{len(tallies)} games of {seats} {match.bots[0]} players, {match.kind}"
    yield f"turns a player    {_spread(rounds)}, {min(rounds):.1f} to {max(rounds):.1f}"
    yield f"steps a turn      {sum(tally.steps for tally in tallies) / turns:.2f}"
    yield f"length of falls   {_spread(falls)}, longest {max(falls, default=0)} spaces"
    yield f"falls a turn      {len(falls) / turns:.2f}"
    yield f"stars a turn      {sum(tally.stars for tally in tallies) / turns:.2f}"
    yield f"tokens a turn     {sum(tally.tokens for tally in tallies) / turns:.2f}"
    yield f"ejections a game  {_spread(ejections)}, at least one in {_share(sum(map(bool, ejections)), len(tallies))}"
    yield f"legal actions     {fmean(choices):.1f} on average, fewer than {FEW} in {_share(few, many)} of turns"
    yield f"points            {_spread([point for tally in tallies for point in tally.points])}"
    wins = _wins(match, tallies)
    even = 1 / seats
    yield f"wins by seat      {'  '.join(f'{seat}: {won.value:.1%}' for seat, won in wins.items())}"
    yield f"95% intervals     {'  '.join(f'{seat}: {won.low:.1%} to {won.high:.1%}' for seat, won in wins.items())}"
    first = (f"{100 * (end - even):+.1f}" for end in wins[1])
    yield "first seat        {} points over even, {} to {}".format(*first)
    for seat in wins:
        shares, unlike = _by_face(tallies, seat)
        each = "  ".join(f"{name}: {part:.1%}" for name, part in shares.items())
        yield f"seat {seat} by face    {each}; chi-squared {unlike:.1f} of {len(shares)}"


def _wins(match: Match, tallies: Sequence[Tally]) -> dict[Seat, Share]:
    """Return each seat's share of wins; a shared first place counts as a fraction of one."""
    won = [wins_of(tally.ranking) for tally in tallies]
    return {seat + 1: share([parts[seat] for parts in won]) for seat in range(len(match.bots))}


def _by_face(tallies: Sequence[Tally], seat: Seat) -> tuple[dict[str, float], float]:
    """Return a seat's share of wins among the games with each face, and how unlike these are, as chi-squared.

    It adds the squares of how far each is from the share of all games, in standard errors.
    """
    won = [wins_of(tally.ranking)[seat - 1] for tally in tallies]
    overall, variance = fmean(won), pvariance(won)
    shares, unlike = {}, 0.0
    for name in sorted({name for tally in tallies for name in tally.faces}):
        parts = [part for part, tally in zip(won, tallies, strict=True) if name in tally.faces]
        shares[name] = fmean(parts)
        unlike += len(parts) * (shares[name] - overall) ** 2 / variance if variance else 0
    return shares, unlike


def _spread(values: Sequence[float]) -> str:
    if not values:
        return "none"
    return f"{fmean(values):.2f} (sd {stdev(values) if len(values) > 1 else 0:.2f})"


def _share(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f}%"
