"""The review of a game on its page: the chart of all chances, the marks of all turns, and one turn beside a better one.

It is of a game that has ended, so nothing in it is hidden from anyone who may look at the game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from engine.contract import Verdict
from games.models import ReviewTurn
from games.models.choices import Status
from games.presenters.protocol import Presenter
from games.presenters.registry import PRESENTERS
from games.queries.game_page import GamePage
from games.queries.review import ReviewSoFar, first_chances, verdicts_among
from games.web.chart import BOTTOM, LEFT, RIGHT, TOP, Line, apart
from games.words.chances import in_percent
from games.words.lists import list_words
from games.words.review import SIGNS, VERDICTS

BAD: Final = frozenset({Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER})
"""What one can learn from."""
STRONG: Final = frozenset({Verdict.MISTAKE, Verdict.BLUNDER, Verdict.GREAT})
"""What is marked in the chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedTurn:
    """A turn in the list of all, with its mark."""

    seq: int
    seat: int
    name: str
    turn: str
    """Its notation, empty where the seat left the game."""
    verdict: str
    sign: str
    word: str
    lost: str
    """The chances that it lost in percent, empty for next to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn(MarkedTurn):
    """The turn that is looked at, beside the better one."""

    told: str
    words: str
    """What it consists of."""
    lost_points: int
    better: str
    """The better turn, empty where none was found."""
    better_words: str
    answers: int
    """How many turns follow the better one."""
    chances: tuple[tuple[int, str, int, int | None], ...]
    """By seat: number, name, and the chances in percent after it, and after the better turn where that is known."""
    compared: bool
    """Whether it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How well a seat played."""

    seat: int
    name: str
    lost: str
    """The chances lost a turn, in percent."""
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A mark in the chart, at the turn that got it."""

    seq: int
    seat: int
    x: float
    y: float
    sign: str
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChancesChart:
    """Everyone's chances to win over the game."""

    lines: tuple[Line, ...]
    spots: tuple[Spot, ...]
    scale: tuple[tuple[float, int], ...]
    places: tuple[float, ...]
    words: str
    now: float | None
    rows: tuple[tuple[int, tuple[int, ...]], ...]
    """The entries with the chances after them in percent, for those who read rather than look."""
    width: int = RIGHT + 52
    height: int = BOTTOM + 12
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM
    lead: int = RIGHT + 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewPage:
    """All that the page shows of a whole review."""

    chart: ChancesChart
    turns: tuple[MarkedTurn, ...]
    totals: tuple[Totals, ...]
    counts: tuple[tuple[str, str, str, tuple[int, ...]], ...]
    """Code, sign and word of each mark, and by seat how many turns got it."""
    shown: ShownTurn | None
    own: bool
    """Whether the reader learns from their own mistakes: better turns are not told before they ask."""
    first: int | None
    previous: int | None
    next: int | None
    last: int | None
    previous_mistake: int | None
    next_mistake: int | None
    mistakes: int
    """How many there are to learn from: the reader's own, or everybody's."""
    number: int
    """Which of these is shown, 0 for none."""
    own_mistakes: int
    """How many turns of the reader's own there are to learn from."""


def review_page(page: GamePage, review: ReviewSoFar, seq: int | None, *, own: bool) -> ReviewPage:
    """Return what the page shows of a review that is made, at the turn ``seq`` or at none."""
    names, presenter, viewer = page.table.names, PRESENTERS[page.game.ruleset], page.viewer_number
    own = own and viewer is not None
    rows = review.turns
    chances = (first_chances(page.game), *(tuple(row.chances) for row in rows))
    mistakes = [row.seq for row in rows if row.verdict in BAD and not (own and row.seat != viewer)]
    entries = [row.seq for row in rows]
    row = rows[seq - 1] if seq is not None and 1 <= seq <= len(rows) else None
    at = row.seq if row is not None else 0
    return ReviewPage(
        chart=_chart(chances, rows, names, at),
        turns=tuple(MarkedTurn(**_marked(row, names)) for row in rows),
        totals=tuple(_totals(rows, names)),
        counts=tuple((code, SIGNS[code], str(word), _count(rows, code, names)) for code, word in VERDICTS.items()),
        shown=_shown(row, names, presenter) if row is not None else None,
        own=own,
        first=entries[0] if at != entries[0] else None,
        previous=at - 1 if at > 1 else None,
        next=at + 1 if at < len(rows) else None,
        last=entries[-1] if at != entries[-1] else None,
        previous_mistake=next((seq for seq in reversed(mistakes) if seq < at), None),
        next_mistake=next((seq for seq in mistakes if seq > at), None),
        mistakes=len(mistakes),
        number=mistakes.index(at) + 1 if at in mistakes else 0,
        own_mistakes=sum(row.verdict in BAD and row.seat == viewer for row in rows),
    )


def marks_in_log(page: GamePage, entries: Sequence[int]) -> Mapping[int, str]:
    """Return as HTML the marks of a reviewed game's entries of these numbers, each a link to its turn in the review.

    One query, none while the game runs.
    """
    if page.game.status != Status.FINISHED:
        return {}
    address = reverse("review", args=[page.game.key])
    return {
        seq: format_html(
            ' <a class="verdict verdict-{}" href="{}?at={}" aria-label="{}" title="{}">{}</a>',
            *(verdict, address, seq, VERDICTS[verdict], VERDICTS[verdict], SIGNS[verdict]),
        )
        for seq, verdict in verdicts_among(page.game, entries).items()
    }


def _marked(row: ReviewTurn, names: Sequence[str]) -> dict[str, Any]:
    verdict = row.verdict if row.verdict in VERDICTS else ""
    return {
        "seq": row.seq,
        "seat": row.seat,
        "name": names[row.seat - 1],
        "turn": row.turn,
        "verdict": verdict,
        "sign": SIGNS.get(verdict, ""),
        "word": str(VERDICTS.get(verdict, "")),
        "lost": str(round(100 * row.lost)) if row.verdict in BAD else "",
    }


def _shown(row: ReviewTurn, names: Sequence[str], presenter: Presenter) -> ShownTurn:
    after = [in_percent(share) for share in row.chances]
    better = [in_percent(share) for share in (row.before if row.best else None) or ()]
    if better:
        better[row.seat - 1] = after[row.seat - 1] + round(100 * row.lost)
    return ShownTurn(
        **_marked(row, names),
        told=presenter.explain(row.reason, row.params, row.seat, names) if row.reason else "",
        words=presenter.describe_turn(row.turn, names) if row.turn else "",
        lost_points=row.points,
        better=row.best,
        better_words=presenter.describe_turn(row.best, names) if row.best else "",
        answers=len(row.best_line),
        chances=tuple(
            (seat, name, now, better[seat - 1] if better else None)
            for seat, (name, now) in enumerate(zip(names, after, strict=True), 1)
        ),
        compared=bool(better),
    )


def _totals(rows: Sequence[ReviewTurn], names: Sequence[str]) -> Iterator[Totals]:
    for seat, name in enumerate(names, 1):
        own = [row for row in rows if row.seat == seat and row.verdict]
        lost = 100 * sum(row.lost for row in own) / len(own) if own else 0
        yield Totals(
            seat=seat,
            name=name,
            lost=f"{lost:.1f}",
            points=sum(row.points for row in own),
        )


def _count(rows: Sequence[ReviewTurn], verdict: str, names: Sequence[str]) -> tuple[int, ...]:
    counted = Counter(row.seat for row in rows if row.verdict == verdict)
    return tuple(counted[seat] for seat in range(1, len(names) + 1))


# --- The chart -----------------------------------------------------------------------------------------------------


def _chart(
    chances: Sequence[Sequence[float]], rows: Sequence[ReviewTurn], names: Sequence[str], at: int
) -> ChancesChart:
    last = len(chances) - 1
    places = tuple(round(LEFT + (RIGHT - LEFT) * seq / max(last, 1), 1) for seq in range(last + 1))
    ends = [_height(share) for share in chances[-1]]
    labels = apart(ends)
    return ChancesChart(
        lines=tuple(
            Line(
                seat=seat,
                name=name,
                points=" ".join(
                    f"{x:g},{_height(shares[seat - 1])}" for x, shares in zip(places, chances, strict=True)
                ),
                end=(places[-1], end),
                label=label,
                value=in_percent(chances[-1][seat - 1]),
            )
            for seat, name, end, label in zip(range(1, len(names) + 1), names, ends, labels, strict=True)
        ),
        spots=tuple(
            Spot(
                seq=row.seq,
                seat=row.seat,
                x=places[row.seq],
                y=_height(row.chances[row.seat - 1]),
                sign=SIGNS[row.verdict],
                verdict=row.verdict,
            )
            for row in rows
            if row.verdict in STRONG
        ),
        scale=tuple((_height(share), in_percent(share)) for share in (0, 0.5, 1)),
        places=places,
        words=_("Chances to win before the first turn: %(chances)s.")
        % {
            "chances": list_words(
                _("%(player)s: %(chance)s%%") % {"player": name, "chance": in_percent(share)}
                for name, share in zip(names, chances[0], strict=True)
            )
        },
        now=places[at] if at else None,
        rows=tuple((seq, tuple(in_percent(share) for share in shares)) for seq, shares in enumerate(chances)),
    )


def _height(share: float) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * share, 1)
