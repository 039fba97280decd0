"""How a game of Gravity ended: who won and by what, what everyone collected, the best move and the biggest robbery."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.gravity.events import EventKind
from games.presenters.gravity.pieces import draw_front
from games.presenters.gravity.sentences import ITEM_NAMES
from games.presenters.gravity.view import GravityView, read_params, read_view
from games.queries.history import PastPosition
from games.words.lists import list_words

REPLAY: Final = "r"
COLOURS: Final = tuple(item for item in ITEM_NAMES if item != REPLAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A seat in the final table, with all of which its points are made."""

    seat: int
    name: str
    place: int
    stars: tuple[int, ...]
    """By colour, in the order of `COLOURS`."""
    pairs: int
    tokens: int
    points: int
    retired: bool
    figure: SafeString
    """The traveller, looking at us."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlight:
    """A move worth seeing again."""

    seq: int
    seat: int
    title: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GravityResult:
    """All that the template shows of a finished game; of no reader in particular."""

    headline: str
    standings: tuple[Standing, ...]
    """By place."""
    podium: tuple[Standing | None, ...]
    """The best three who stayed to the end, as they stand beside each other: the second, the first, the third."""
    notes: tuple[str, ...]
    """What decided among those with as many points."""
    highlights: tuple[Highlight, ...]
    colours: tuple[tuple[str, str], ...]
    """Letter and name of each colour."""


def result_of(past: Sequence[PastPosition], names: Sequence[str]) -> GravityResult:
    """Return how a finished game ended, from all of its positions."""
    standings = standings_of(read_view(past[-1].view), names)
    stayed = [standing for standing in standings if not standing.retired]
    return GravityResult(
        headline=_headline(standings),
        standings=standings,
        podium=(stayed[1] if len(stayed) > 1 else None, stayed[0], *stayed[2:3]),
        notes=tuple(_notes(stayed)),
        highlights=tuple(_highlights(past, names)),
        colours=tuple((colour, str(ITEM_NAMES[colour])) for colour in COLOURS),
    )


def standings_of(view: GravityView, names: Sequence[str]) -> tuple[Standing, ...]:
    """Return the final table of a view of an ended game, best first."""
    ranking = view["ranking"]
    found = []
    for index, name in enumerate(names):
        loot = read_loot(view["loot"][index])
        stars = tuple(loot.get(colour, 0) for colour in COLOURS)
        standing = Standing(
            seat=index + 1,
            name=name,
            place=ranking[index],
            stars=stars,
            pairs=count_pairs(loot),
            tokens=loot.get(REPLAY, 0),
            points=view["points"][index],
            retired=index + 1 in view["retired"],
            figure=draw_front(index + 1),
        )
        found.append(standing)
    return tuple(sorted(found, key=lambda standing: (standing.place, standing.seat)))


def read_loot(text: str) -> Mapping[str, int]:
    """Return how many there are of each item in a loot such as ``b1y12r3``."""
    loot, item, number = dict[str, int](), "", ""
    for letter in f"{text} ":
        if letter.isdigit():
            number += letter
            continue
        if item:
            loot[item] = int(number)
        item, number = letter, ""
    return loot


def count_pairs(loot: Mapping[str, int]) -> int:
    """Return how many pairs of stars of one colour a loot holds."""
    return sum(number // 2 for item, number in loot.items() if item != REPLAY)


def _headline(standings: Sequence[Standing]) -> str:
    winners = [standing for standing in standings if standing.place == 1]
    rest = [standing for standing in standings if standing.place > 1 and not standing.retired]
    best = winners[0]
    params: dict[str, object] = {"player": best.name, "points": best.points}
    if len(winners) > 1:
        params["players"] = list_words(standing.name for standing in winners)
        words = ngettext(
            "%(players)s share the win with %(points)s point each",
            "%(players)s share the win with %(points)s points each",
            best.points,
        )
        return words % params
    if not rest:
        words = ngettext(
            "%(player)s wins with %(points)s point: everyone else has left",
            "%(player)s wins with %(points)s points: everyone else has left",
            best.points,
        )
        return words % params
    next_best = [standing for standing in rest if standing.place == rest[0].place]
    params["rivals"] = list_words(standing.name for standing in next_best)
    params["margin"] = best.points - rest[0].points
    if best.points == rest[0].points:
        words = ngettext(
            "%(player)s wins with %(points)s point, as many as %(rivals)s, but fewer replay tokens",
            "%(player)s wins with %(points)s points, as many as %(rivals)s, but fewer replay tokens",
            best.points,
        )
    else:
        words = ngettext(
            "%(player)s wins with %(points)s point, %(margin)s ahead of %(rivals)s",
            "%(player)s wins with %(points)s points, %(margin)s ahead of %(rivals)s",
            best.points,
        )
    return words % params


def _notes(stayed: Sequence[Standing]) -> Iterator[str]:
    """Say of those with as many points what parts them, or that nothing does."""
    for points, group in groupby(stayed, key=lambda standing: standing.points):
        equal = list(group)
        if len(equal) == 1:
            continue
        told = [
            _("%(player)s (%(tokens)s)") % {"player": standing.name, "tokens": standing.tokens} for standing in equal
        ]
        params = {"points": points, "players": list_words(told)}
        if equal[0].place == equal[-1].place:
            yield _("As many points and as many replay tokens share a place: %(players)s.") % params
        else:
            yield _("Where points are equal, fewer replay tokens decide: %(players)s.") % params


def _highlights(past: Sequence[PastPosition], names: Sequence[str]) -> Iterator[Highlight]:
    """Yield the move that gained most, and the one by which a victim lost most; the first of several as good."""
    gains, losses = [], []
    for before, after in pairwise(past):
        if after.seat is None:
            continue
        gains.append((after.points[after.seat - 1] - before.points[after.seat - 1], after))
        losses += [
            (before.points[victim - 1] - after.points[victim - 1], victim, after) for victim in _victims_of(after)
        ]
    gained, best = max(gains, key=lambda one: one[0], default=(0, past[0]))
    if gained > 0 and best.seat is not None:
        words = ngettext("%(player)s gains %(points)s point", "%(player)s gains %(points)s points", gained)
        params: dict[str, object] = {"player": names[best.seat - 1], "points": gained}
        yield Highlight(seq=best.seq, seat=best.seat, title=_("Best move"), words=words % params)
    lost, victim, raid = max(losses, key=lambda one: one[0], default=(0, 0, past[0]))
    if lost > 0 and raid.seat is not None:
        words = ngettext(
            "%(player)s robs %(victim)s of %(points)s point",
            "%(player)s robs %(victim)s of %(points)s points",
            lost,
        )
        params = {"player": names[raid.seat - 1], "victim": names[victim - 1], "points": lost}
        yield Highlight(seq=raid.seq, seat=raid.seat, title=_("Biggest robbery"), words=words % params)


def _victims_of(position: PastPosition) -> set[int]:
    """Return from whom was stolen in the entry that led to a position."""
    return {read_params(event)["victim"] for event in position.events if event.kind == EventKind.STOLE}
