"""The chart of a game: everyone's points from the first move to the last, and what runs out towards the end.

It is as long as the game, so it is made where somebody looks back, and where they ask for it.

It shows what everyone may see, and nothing else. What is drawn is kept by this process, under a key that names the last
entry's digest, what the seats are called, and the language.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Game
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.history import history
from games.web.kept import Kept
from games.words.lists import list_words

WIDTH: Final = 360
HEIGHT: Final = 150
LEFT, RIGHT, TOP, BOTTOM = 22, 308, 10, 130
"""Where the lines are within the picture; to the right of them stand their names."""
LABEL: Final = 17
"""How far apart two names stand at least."""
MOST_TICKS: Final = 8

type Figure = tuple[int, tuple[int, ...], int | None]
"""Round, points by seat, and what is left, at one position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the chart: its corners, and its label at the end."""

    seat: int
    """0 for what runs out."""
    name: str
    points: str
    end: tuple[float, float]
    label: float
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """All that the template draws: of no reader in particular."""

    lines: tuple[Line, ...]
    countdown_name: str
    countdown_first: int | None
    """What there was of it at first, at the top of its line: the scale of points is not its."""
    scale: tuple[tuple[float, int], ...]
    """Heights with their points."""
    ticks: tuple[tuple[float, int], ...]
    """Where rounds begin, with their numbers."""
    words: str
    names: tuple[str, ...]
    rows: tuple[tuple[int, tuple[int, ...], int | None], ...]
    """Each round with the points at its end, for those who read rather than look."""
    places: tuple[float, ...]
    """Where each position is, from left to right."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    lead: int = RIGHT + 8
    """Where what ties a line to its label ends."""
    top: int = TOP
    bottom: int = BOTTOM


_figures: Final = Kept[tuple[Figure, ...]](100)
_charts: Final = Kept[Chart](300)


def has_chart(game: Game) -> bool:
    """Return whether there is something to be seen in a chart: two whole rounds, or all that there will be."""
    return game.round > 2 or game.status == Status.FINISHED


def chart_context(page: GamePage) -> dict[str, object]:
    """Return what the template of the chart takes: the ``chart``, and the ``chart_place`` of an older position."""
    chart = chart_of(page)
    place = chart.places[page.seq] if chart is not None and not page.is_latest else None
    return {"chart": chart, "chart_place": place}


def chart_of(page: GamePage) -> Chart | None:
    """Return the chart of a game that has one (`has_chart`), else None.

    No query where the page has its last moves, or this process has replayed the game; else what `history` takes.
    """
    game, names = page.game, page.table.names
    if not has_chart(game):
        return None
    key = (game.key, game.head, names, get_language())
    return _charts.get(key, lambda: _draw(game, figures_of(game), names))


def figures_of(game: Game) -> tuple[Figure, ...]:
    """Return round, points and what is left at each position of a started game. Only those that are new are read.

    The last is not kept before another follows it: the entry may be of a transaction that comes to nothing.
    """
    countdown = PRESENTERS[game.ruleset].countdown
    name = (game.key, game.setup_digest)
    known = (_figures.find(name) or ())[: game.seq]
    new = tuple((past.round, past.points, countdown(past.view)) for past in history(game, len(known)))
    figures = (*known, *new)
    _figures.keep(name, figures[:-1])
    return figures


def _draw(game: Game, figures: Sequence[Figure], names: tuple[str, ...]) -> Chart:
    presenter = PRESENTERS[game.ruleset]
    last = len(figures) - 1
    most = max(1, *(points for figure in figures for points in figure[1]))
    places = tuple(round(LEFT + (RIGHT - LEFT) * seq / max(last, 1), 1) for seq in range(last + 1))
    values = [[figure[1][seat] for figure in figures] for seat in range(len(names))]
    drawn = [(seat, names[seat - 1], values[seat - 1], most) for seat in range(1, len(names) + 1)]
    left = [figure[2] for figure in figures]
    if left[0]:
        drawn.insert(0, (0, str(presenter.countdown_name), [value or 0 for value in left], left[0]))
    ends = [_height(series[-1], top) for _seat, _name, series, top in drawn]
    labels = apart(ends)
    return Chart(
        lines=tuple(
            Line(
                seat=seat,
                name=name,
                points=" ".join(f"{x:g},{_height(value, top):g}" for x, value in zip(places, series, strict=True)),
                end=(places[-1], end),
                label=label,
                value=series[-1],
            )
            for (seat, name, series, top), end, label in zip(drawn, ends, labels, strict=True)
        ),
        countdown_name=str(presenter.countdown_name) if left[0] else "",
        countdown_first=left[0],
        scale=tuple((_height(points, most), points) for points in (0, most // 2, most) if points or most),
        ticks=tuple(_ticks(figures, places)),
        words=_in_words(figures, names),
        names=names,
        rows=tuple(_rows(figures)),
        places=places,
    )


def _height(value: int, most: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * max(value, 0) / most, 1)


def apart(heights: Sequence[float]) -> list[float]:
    """Return heights, moved as little as it takes for each to be `LABEL` from the next, within the picture."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    moved, free = dict[int, float](), float(TOP)
    for place in order:
        moved[place] = max(heights[place], free)
        free = moved[place] + LABEL
    free = float(BOTTOM)
    for place in reversed(order):
        moved[place] = min(moved[place], free)
        free = moved[place] - LABEL
    return [moved[place] for place in range(len(heights))]


def _ticks(figures: Sequence[Figure], places: Sequence[float]) -> Iterator[tuple[float, int]]:
    """Yield where rounds begin; not all of them where there are many."""
    begins = [(places[0], figures[0][0])]
    begins += [
        (place, after[0])
        for place, (before, after) in zip(places[1:], pairwise(figures), strict=True)
        if after[0] > before[0]
    ]
    step = -(-len(begins) // MOST_TICKS)
    yield from begins[::step]


def _rows(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Yield what each round ended with; of the last one, how it stands."""
    for before, after in pairwise(figures):
        if after[0] > before[0]:
            yield before[0], after[1], after[2]
    if len(figures) > 1 and figures[-1][0] == figures[-2][0]:
        yield figures[-1]


def _in_words(figures: Sequence[Figure], names: Sequence[str]) -> str:
    points = (
        _("%(player)s: %(points)s") % {"player": name, "points": points}
        for name, points in zip(names, figures[-1][1], strict=True)
    )
    return _("Points after %(moves)s moves: %(points)s.") % {
        "moves": len(figures) - 1,
        "points": list_words(points),
    }
