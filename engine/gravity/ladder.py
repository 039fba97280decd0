"""A table of ratings of computer players, from matches of two between those that stand near each other in a list."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched, combinations
from math import exp, log, sqrt
from statistics import fmean
from typing import Final

from engine.contract import JsonObject
from engine.gravity.bots import LEVELS
from engine.gravity.estimate import Share, Z, share
from engine.gravity.match import Game, Match, mean_time, play_set_up, set_ups, spread

ANCHOR: Final = "greedy"
"""The player whose rating is fixed; without it in the list the first one's is."""
ANCHORED: Final = 1000.0
POINTS: Final = 400 / log(10)
"""Rating points to a unit of the model: 400 points make odds of ten to one."""
_REACH: Final = 2
"""How far apart in the list players are matched: neighbours, and those with one between them."""

type Pair = tuple[int, int]
type Played = Mapping[Pair, Sequence[Sequence[Game]]]
"""The games of each set-up that two players met in; players are places in the list, the lower one first."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating with half the width of its 95 % interval."""

    value: float
    margin: float


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the table; ``wins`` are those against the player before it in the list."""

    bot: str
    rating: Rating
    wins: Share | None
    milliseconds: float


def usual_bots() -> tuple[str, ...]:
    """Return the players of a table that names none: the levels, with what they are measured by in between."""
    *lower, good, better, best = LEVELS
    return (*lower, ANCHOR, good, better, "playout", best)


def play_ladder(bots: Sequence[str], games: int, seed: int, jobs: int) -> Played:
    """Let all that are near each other in the list play at least that many games, all of them on the same set-ups."""
    pairs = [(low, high) for low, high in combinations(range(len(bots)), 2) if high - low <= _REACH]
    matches = [Match((bots[low], bots[high]), expert=False, goodies="", seed=seed) for low, high in pairs]
    count = set_ups(matches[0], games)
    played = spread(
        play_set_up,
        [match for match in matches for _ in range(count)],
        list(range(count)) * len(matches),
        jobs=jobs,
    )
    return dict(zip(pairs, batched(played, count, strict=True), strict=True))


def parts(games: Sequence[Sequence[Game]], place: int) -> list[float]:
    """Return a player's part of the wins in each set-up, by its place in the pair, 0 or 1."""
    return [fmean(game.wins[place] for game in set_up) for set_up in games]


def fit(count: int, shares: Mapping[Pair, Sequence[float]], anchor: int) -> list[Rating]:
    """Return the ratings of ``count`` players from the lower one's part of the wins in each set-up of each pair.

    The model is that of Elo (Bradley-Terry): the odds of a win are exp(a - b), a shared one counts half. The ratings
    are those of maximum likelihood, each set-up an observation, to which every pair has one more that is shared: so
    who never loses has a rating, too. Observations of one set-up, also by different pairs, are not taken as
    independent: the variance is H⁻¹ M H⁻¹ (the "sandwich"), H the information and M the sum over set-ups of the outer
    product of what each adds to the gradient. In M the additional observation is a win and a loss, each half as heavy:
    few set-ups which happen to agree do not count as certain.
    """
    free = [player for player in range(count) if player != anchor]
    strengths = [0.0] * count
    for _ in range(100):
        gradient, information = [0.0] * count, _zeros(count)
        for (low, high), seen in shares.items():
            chance = _chance(strengths, low, high)
            _add_pair(gradient, low, high, sum(seen) + 0.5 - (len(seen) + 1) * chance)
            _add_information(information, low, high, (len(seen) + 1) * chance * (1 - chance))
        inverse = _inverse([[information[i][j] for j in free] for i in free])
        slope = [gradient[player] for player in free]
        steps = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in inverse]
        # A longer step than this leaves the region in which the curve is nearly a parabola.
        scale = min(1.0, 1.0 / max(map(abs, steps), default=1.0)) if any(steps) else 0.0
        for player, step in zip(free, steps, strict=True):
            strengths[player] += scale * step
        if max(map(abs, steps), default=0.0) < 1e-9:
            break
    meat = _meat(count, shares, strengths)
    margins = [0.0] * count
    for row, player in zip(inverse, free, strict=True):
        variance = sum(row[i] * meat[a][b] * row[j] for i, a in enumerate(free) for j, b in enumerate(free))
        margins[player] = Z * POINTS * sqrt(variance)
    return [Rating(ANCHORED + POINTS * strength, margin) for strength, margin in zip(strengths, margins, strict=True)]


def _chance(strengths: Sequence[float], low: int, high: int) -> float:
    """Return how likely the first player of a pair is to win."""
    return 1 / (1 + exp(strengths[high] - strengths[low]))


def _meat(count: int, shares: Mapping[Pair, Sequence[float]], strengths: Sequence[float]) -> list[list[float]]:
    """Return the sum over set-ups of the outer product of their gradients."""
    meat = _zeros(count)
    gradients: dict[int, list[float]] = {}
    for (low, high), seen in shares.items():
        chance = _chance(strengths, low, high)
        _add_information(meat, low, high, (chance**2 + (1 - chance) ** 2) / 2)
        for number, part in enumerate(seen):
            _add_pair(gradients.setdefault(number, [0.0] * count), low, high, part - chance)
    for gradient in gradients.values():
        for i, a in enumerate(gradient):
            for j, b in enumerate(gradient):
                meat[i][j] += a * b
    return meat


def _zeros(count: int) -> list[list[float]]:
    return [[0.0] * count for _ in range(count)]


def _add_pair(vector: list[float], low: int, high: int, amount: float) -> None:
    vector[low] += amount
    vector[high] -= amount


def _add_information(matrix: list[list[float]], low: int, high: int, amount: float) -> None:
    _add_pair(matrix[low], low, high, amount)
    _add_pair(matrix[high], low, high, -amount)


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i, row in enumerate(rows):
        pivot = row[i]
        row[:] = [value / pivot for value in row]
        for j, other in enumerate(rows):
            if i != j:
                factor = other[i]
                other[:] = [value - factor * above for value, above in zip(other, row, strict=True)]
    return [row[size:] for row in rows]


def table(bots: Sequence[str], played: Played) -> list[Row]:
    """Return a row for each player, in the order of the list."""
    anchor = bots.index(ANCHOR) if ANCHOR in bots else 0
    ratings = fit(len(bots), {pair: parts(games, 0) for pair, games in played.items()}, anchor)
    return [
        Row(
            bot=bot,
            rating=ratings[index],
            wins=share(parts(played[index - 1, index], 1)) if index else None,
            milliseconds=1000
            * mean_time(
                (game, pair.index(index))
                for pair, games in played.items()
                if index in pair
                for set_up in games
                for game in set_up
            ),
        )
        for index, bot in enumerate(bots)
    ]


def as_json(rows: Sequence[Row], played: Played, seed: int) -> JsonObject:
    """Return the table as an object of JSON: shares from 0 to 1, times in milliseconds, the last of the list first."""
    return {
        "games_a_pair": sum(map(len, next(iter(played.values())))),
        "seed": seed,
        "players": [
            {
                "bot": row.bot,
                "rating": row.rating.value,
                "margin": row.rating.margin,
                "wins": row.wins and row.wins.value,
                "wins_low": row.wins and row.wins.low,
                "wins_high": row.wins and row.wins.high,
                "ms_turn": row.milliseconds,
            }
            for row in reversed(rows)
        ],
    }


def markdown(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the table in Markdown, line by line, the last of the list first."""
    yield "| player | rating | wins against the one below | ms a turn |"
    yield "| --- | --- | --- | --- |"
    for row in reversed(rows):
        wins = f"{row.wins.value:.1%} ({row.wins.low:.1%} to {row.wins.high:.1%})" if row.wins else ""
        margin = f" ± {row.rating.margin:.0f}" if row.rating.margin else ""
        yield f"| `{row.bot}` | {row.rating.value:.0f}{margin} | {wins} | {row.milliseconds:.1f} |"
