"""What anyone may see of a person."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Exists, OuterRef, Sum

from accounts.models import Block, User
from games.log.table import Reader
from games.models import Career, Friend, Rivalry
from games.models.choices import GameKind

MOST_RIVALS: Final = 10
"""So many rivals a person's page names: those with whom they played most."""


@dataclass(frozen=True, slots=True)
class Record:
    """What finished games of a kind came to for a person."""

    kind: GameKind
    games: int = 0
    wins: int = 0
    left: int = 0
    points: int = 0
    turns: int = 0
    in_time: int = 0
    seconds: int = 0

    @property
    def won_share(self) -> int:
        """How many games of a hundred were won."""
        return _percent(self.wins, self.games)

    @property
    def mean_points(self) -> float:
        """Points a game."""
        return self.points / self.games if self.games else 0

    @property
    def in_time_share(self) -> int:
        """How many turns of a hundred were taken in time."""
        return _percent(self.in_time, self.turns)

    @property
    def pace(self) -> int:
        """Seconds a turn, of those that were taken in time: whole minutes, or whole hours from two hours on."""
        mean = self.seconds / self.in_time if self.in_time else 0
        unit = 3600 if mean >= 2 * 3600 else 60
        return max(1, round(mean / unit)) * unit


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as their page shows them to a reader."""

    user: User
    befriended: bool
    """Whether they are on the reader's list of friends."""
    blocked: bool
    """Whether the reader has blocked them."""


@dataclass(frozen=True, slots=True)
class Totals:
    """All that finished games came to for a person."""

    records: tuple[Record, ...]
    """By kind, of kinds with games."""
    counts: Counter[str] = field(default_factory=Counter)
    """What the engine counts, over all games between people."""

    @property
    def games(self) -> int:
        """How many games with people were finished."""
        return sum(record.games for record in self.records if record.kind != GameKind.BOTS)

    @property
    def wins(self) -> int:
        """How many of these were won."""
        return sum(record.wins for record in self.records if record.kind != GameKind.BOTS)


def person_for(number: int, reader: Reader) -> Person | None:
    """Return the confirmed person, the guest, or the bot with its owner, of a number, for a reader: one query."""
    own = reader.pk if reader is not None and reader.is_authenticated else None
    user = (
        User.objects.shown()
        .select_related("owner")
        .annotate(
            befriended=Exists(Friend.objects.filter(user=own, friend=OuterRef("pk"))),
            blocked=Exists(Block.objects.filter(blocker=own, blocked=OuterRef("pk"))),
        )
        .filter(pk=number)
        .first()
    )
    return None if user is None else Person(user, user.befriended, user.blocked)


def career_of(person: User, *, unlisted: bool) -> Totals:
    """Return what a person's finished games came to, those that no list shows only for themselves: one query."""
    rows = Career.objects.filter(user=person) if unlisted else Career.objects.filter(user=person, public=True)
    return _sum_up(rows)


def rivals_of(person: User, *, unlisted: bool) -> list[Rivalry]:
    """Return with whom a person played most, with ``rival`` loaded, but for those who hide their results: one query."""
    rows = Rivalry.objects.filter(user=person, rival__ratings_shown=True, rival__is_active=True)
    rows = rows.select_related("rival").order_by("-games", "rival", "public")
    if not unlisted:
        return list(rows.filter(public=True)[:MOST_RIVALS])
    # Listed games and others have a row each: twice as many rows hold the first rivals, but for ones far behind.
    found: dict[int, Rivalry] = {}
    for row in rows[: 2 * MOST_RIVALS]:
        known = found.setdefault(row.rival_id, row)
        if known is not row:
            known.games, known.ahead = known.games + row.games, known.ahead + row.ahead
            known.behind += row.behind
    return sorted(found.values(), key=lambda rivalry: -rivalry.games)[:MOST_RIVALS]


def rivalry_of(person: User, rival: User, *, unlisted: bool) -> Rivalry:
    """Return how a person did against another one: one query."""
    rows = Rivalry.objects.filter(user=person, rival=rival)
    sums = (rows if unlisted else rows.filter(public=True)).aggregate(
        games=Sum("games", default=0), ahead=Sum("ahead", default=0), behind=Sum("behind", default=0)
    )
    return Rivalry(user=person, rival=rival, **sums)


def player_number(name: str) -> int | None:
    """Return by what number the page of the confirmed person of that display name goes, whatever its case, or None."""
    person = User.objects.named(name)
    return None if person is None else person.pk


def _sum_up(rows: Iterable[Career]) -> Totals:
    sums: dict[str, Counter[str]] = {}
    counts = Counter[str]()
    names = ("games", "wins", "left", "points", "turns", "in_time", "seconds")
    for row in rows:
        sums.setdefault(row.kind, Counter()).update({name: getattr(row, name) for name in names})
        if row.kind != GameKind.BOTS:
            counts.update(row.counts)
    records = (Record(kind, **sums[kind]) for kind in GameKind if kind in sums)
    return Totals(tuple(records), counts)


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0
