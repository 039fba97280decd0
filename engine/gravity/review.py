"""What a turn of a finished game was worth beside the best one that a search finds, and why.

A turn and what follows it by best play are played out, with events; so is the turn that it is compared with. Each
difference that somebody would name becomes a candidate with a weight in points, and the heaviest is the reason. A
reason says nothing that these lines do not show.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Final

from engine.contract import Assessed, Event, Json, Reviewed, Verdict
from engine.gravity.bots.assess import assess
from engine.gravity.events import EventKind
from engine.gravity.notation import STEPS, hide_cards
from engine.gravity.rules import apply_step, apply_turn, begin_turn, legal_steps, ranking
from engine.gravity.state import ITEMS, TOKEN, State

EQUAL: Final = 0.01
"""A loss of chances below this is none: a search does not see that sharply."""
VERDICTS: Final = (
    (0.2, Verdict.BLUNDER),
    (0.1, Verdict.MISTAKE),
    (0.05, Verdict.INACCURACY),
    (EQUAL, Verdict.GOOD),
)
"""From which loss of chances to win a turn is called so, the gravest first."""
CLEAR: Final = 0.1
"""A best turn is great where every other one that was found is worse by this."""
VERSION: Final = 1
"""Goes up where the same search would get other verdicts or reasons."""
AGAIN: Final = 3
"""So many times as many playouts go into a second look at a turn that seems to have lost something."""
_TURN_WORTH: Final = 1.5
"""What it is worth, in points, that a rival has to enter anew."""
_GOODIE_WORTH: Final = 0.8
_CARD_WORTH: Final = 0.35
_RIVAL: Final = 0.7
"""What a point of one rival weighs beside a point of one's own, where there are several."""
_DECIDES: Final = 1000.0


class Reason(StrEnum):
    """Why a turn is better or worse than another one, with its parameters in parentheses; seats are numbers from 1.

    The first ones are said of a turn that was played, beside the better one: what it missed or allowed.
    """

    ENDED_BEHIND = "ended-behind"
    """It ended the game, and its seat had not won."""
    MISSED_WIN = "missed-win"
    """The better one ends the game, and wins it, alone or shared."""
    ALLOWED_EJECTION = "allowed-ejection"
    """A rival (by) ejects the pawn on the next turn (item: what is stolen, or None; door: whether by entering).

    After the better one nobody does; ``sure`` where nobody could, before its seat moves again.
    """
    MISSED_EJECTION = "missed-ejection"
    """The better one ejects a rival (victim) and takes something (item, or None)."""
    MISSED_STEAL = "missed-steal"
    """Both eject (victim), but the better one steals something else (item)."""
    MISSED_POINTS = "missed-points"
    """The better one brings more points by itself (points, better)."""
    MISSED_SECOND = "missed-second"
    """So it does, by a second action for a replay token, which this one does not take (points, better)."""
    SPENT_TOKEN = "spent-token"  # noqa: S105 - it is no secret
    """It spends a replay token and brings fewer points all the same than the better one, which does not (as above)."""
    GAVE_GOODIE = "gave-goodie"
    """It passes on a goodie (card, to), which the better one keeps in the hand."""
    FED_RIVAL = "fed-rival"
    """A rival (by) gains more on the next turn (points) than after the better one (better)."""
    FEW_CARDS = "few-cards"
    """It leaves fewer cards in the hand (cards) than the better one (better)."""
    EXPOSED = "exposed"
    """A rival (by) could eject the pawn on the next turn, though not its best; after the better one nobody could."""
    LEAD = "lead"
    """By the next turn of its seat it is behind where it would be after the better one (points)."""
    OUTLOOK = "outlook"
    """Nothing that can be named so shortly: the chances alone tell."""

    WON = "won"
    """It ends the game and wins it, alone or shared. From here on: said of the best turn, as played."""
    PLAYED_ON = "played-on"
    """The next best turn ends the game, and its seat would not have won."""
    ESCAPED = "escaped"
    """After the next best turn a rival (by) ejects the pawn on the next turn, after this one nobody does."""
    EJECTED = "ejected"
    """It ejects a rival (victim) and takes something (item, or None), which the next best does not."""
    STOLE = "stole"
    """Both eject (victim), but this one steals something better (item)."""
    POINTS = "points"
    """It brings more points than the next best (points, better: this one's)."""
    SECOND = "second"
    """So it does, by a second action for a replay token, which the next best does not take (points, better)."""
    KEPT_TOKEN = "kept-token"  # noqa: S105 - it is no secret
    """It brings more points than the next best, which spends a replay token (points, better)."""
    KEPT_GOODIE = "kept-goodie"
    """It keeps a goodie in the hand (card), which the next best passes on (to)."""
    STARVED = "starved"
    """A rival (by) gains less on the next turn (better) than after the next best (points)."""
    CARDS = "cards"
    """It leaves more cards in the hand (better) than the next best (cards)."""
    SHELTERED = "sheltered"
    """A rival (by) could eject the pawn after the next best turn, though it is not its best; after this one nobody."""
    AHEAD = "ahead"
    """By the next turn of its seat it is ahead of where it would be after the next best (points)."""
    ALONE = "alone"
    """No other turn was found: there was little choice."""
    SAME = "same"
    """Others were as good, as far as a search sees."""


_PRAISE: Final = {
    Reason.ENDED_BEHIND: Reason.PLAYED_ON,
    Reason.MISSED_WIN: Reason.WON,
    Reason.ALLOWED_EJECTION: Reason.ESCAPED,
    Reason.MISSED_EJECTION: Reason.EJECTED,
    Reason.MISSED_STEAL: Reason.STOLE,
    Reason.MISSED_POINTS: Reason.POINTS,
    Reason.MISSED_SECOND: Reason.SECOND,
    Reason.SPENT_TOKEN: Reason.KEPT_TOKEN,
    Reason.GAVE_GOODIE: Reason.KEPT_GOODIE,
    Reason.FED_RIVAL: Reason.STARVED,
    Reason.FEW_CARDS: Reason.CARDS,
    Reason.EXPOSED: Reason.SHELTERED,
    Reason.LEAD: Reason.AHEAD,
    Reason.OUTLOOK: Reason.SAME,
}
"""What a difference is called where it is in favour of the turn that was played."""

type _Params = dict[str, Json]
type _Found = tuple[float, Reason, _Params]
_NO_PARAMS: Final[_Params] = {}


def review(state: State, rng: Random, playouts: int, played: str) -> Reviewed:
    """Return what a legal turn was worth. One that seems to have lost something is looked at again, more deeply.

    Of two looks the kinder one counts.
    """
    first = judge(state, played, assess(state, rng, playouts, played))
    if first.lost < VERDICTS[-2][0]:
        return first
    again = judge(state, played, assess(state, rng, AGAIN * playouts, played))
    return min(first, again, key=lambda one: one.lost)


@cache
def version() -> str:
    """Return what tells verdicts of one version from those of another: of the model, and of what is made of it."""
    return f"{VERSION}-{sha256((files('engine.gravity') / 'chances.json').read_bytes()).hexdigest()[:12]}"


def judge(state: State, played: str, assessed: Sequence[Assessed]) -> Reviewed:
    """Return what a turn was worth, given what a search found: ``played`` is among it, the best comes first.

    Two turns that differ in the cards alone that they lay face down count as one.
    """
    me = state.seat
    mine = next(one for one in assessed if one.turn == played)
    others = [one for one in assessed if hide_cards(one.turn) != hide_cards(played)]
    best = assessed[0]
    lost = max(0.0, best.chances[me] - mine.chances[me])
    if not others or best not in others or lost < EQUAL:
        return _praise(state, mine, others)
    verdict = next(verdict for least, verdict in VERDICTS if lost >= least)
    reason, params = _difference(state, mine, best)
    fewer = max(0, _lead(best.points, me) - _lead(mine.points, me))
    return Reviewed(verdict=verdict, lost=lost, points=fewer, played=mine, best=best, reason=reason, params=params)


def _praise(state: State, mine: Assessed, others: Sequence[Assessed]) -> Reviewed:
    """Return what is to be said of a turn than which nothing better was found."""
    me = state.seat
    verdict, reason = Verdict.BEST, Reason.ALONE
    params: _Params = {}
    if others:
        following = max(others, key=lambda one: one.chances[me])
        ahead = mine.chances[me] - following.chances[me]
        if ahead >= CLEAR:
            verdict = Verdict.GREAT
        reason = Reason.SAME
        if ahead >= EQUAL:
            worse, params = _difference(state, following, mine)
            reason = _PRAISE[worse]
    return Reviewed(verdict=verdict, lost=0.0, points=0, played=mine, best=mine, reason=reason, params=params)


# --- What tells two turns apart ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Played:
    """A turn or an answer to it, as it was played out: whose, from where to where, with its events."""

    seat: int
    before: State
    after: State
    events: tuple[Event, ...]

    def gain(self, seat: int) -> int:
        """Return the points that it brought a seat."""
        return self.after.players[seat].points - self.before.players[seat].points

    def of(self, kind: EventKind) -> Iterator[Event]:
        """Yield its events of a kind."""
        return (event for event in self.events if event.kind == kind)

    def victims(self) -> dict[int, str | None]:
        """Return whom it ejected, as indices, with what was stolen from them first."""
        found: dict[int, str | None] = {_index(event): None for event in self.of(EventKind.EJECTED)}
        for event in self.of(EventKind.STOLE):
            found[_index(event)] = str(event.params["item"])
        return found


def _index(event: Event) -> int:
    victim = event.params["victim"]
    assert isinstance(victim, int)
    return victim - 1


@dataclass(frozen=True, slots=True)
class _Line:
    """A turn and the answers to it by best play."""

    own: _Played
    answers: tuple[_Played, ...]

    @classmethod
    def of(cls, state: State, assessed: Assessed) -> "_Line":
        """Play it out."""
        played = list(_play_out(state, (assessed.turn, *assessed.line)))
        return cls(played[0], tuple(one for one in played[1:] if one.seat != state.seat))

    @property
    def is_whole(self) -> bool:
        """Whether all rivals have answered: the search may not have looked so far."""
        last = self.answers[-1].after if self.answers else self.own.after
        return last.finished or last.seat == self.own.seat


def _play_out(state: State, turns: Sequence[str]) -> Iterator[_Played]:
    for turn in turns:
        events: list[Event] = []
        after = apply_turn(state, turn, events)
        yield _Played(state.seat, state, after, tuple(events))
        state = after


def _difference(state: State, worse: Assessed, better: Assessed) -> tuple[Reason, _Params]:
    """Return the gravest of what tells two turns apart, as a reason against the worse one."""
    one, other = _Line.of(state, worse), _Line.of(state, better)
    found: list[_Found] = []
    for compare in _COMPARISONS:
        found += compare(state.seat, one, other)
    if not found:
        found += _compare_exposure(state.seat, one, other)
    lead = _lead(better.points, state.seat) - _lead(worse.points, state.seat)
    if not found and lead > 0:
        found.append((0.0, Reason.LEAD, {"points": lead}))
    _, reason, params = max(found, key=lambda line: line[0], default=(0.0, Reason.OUTLOOK, _NO_PARAMS))
    return reason, params


def _compare_ends(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    ends, ends_better = worse.own.after, better.own.after
    if ends_better.finished and ranking(ends_better)[me] == 1 and not _wins(ends, me):
        yield _DECIDES, Reason.MISSED_WIN, {}
    elif ends.finished and not ends_better.finished and not _wins(ends, me):
        yield _DECIDES, Reason.ENDED_BEHIND, {}


def _wins(state: State, me: int) -> bool:
    return state.finished and ranking(state)[me] == 1


def _compare_danger(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    if not better.is_whole or any(me in answer.victims() for answer in better.answers):
        return
    for answer in worse.answers:
        victims = answer.victims()
        if me not in victims:
            continue
        item = victims[me]
        lost = -answer.gain(me) + _RIVAL * (item is not None)
        entered = any(
            event.kind == EventKind.PLACED and following.kind == EventKind.EJECTED and _index(following) == me
            for event, following in zip(answer.events, answer.events[1:], strict=False)
        )
        sure = not any(can_eject(reply.before, me) for reply in better.answers)
        params: _Params = {"by": answer.seat + 1, "item": item, "door": entered, "sure": sure}
        yield _TURN_WORTH + lost, Reason.ALLOWED_EJECTION, params
        return


def _compare_exposure(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    if not better.is_whole or any(can_eject(reply.before, me) for reply in better.answers):
        return
    hunter = next((answer.seat for answer in worse.answers if can_eject(answer.before, me)), None)
    if hunter is not None:
        yield 0.0, Reason.EXPOSED, {"by": hunter + 1}


def can_eject(state: State, victim: int) -> bool:
    """Return whether the seat to move has a turn that ejects the player with that index."""
    if state.finished or state.players[victim].pawn < 0:
        return False

    def ways(now: State) -> Iterator[State]:
        for text in legal_steps(now):
            yield from _after_steals(apply_step(now, STEPS[text]))

    for begun in _after_steals(begin_turn(state)):
        if begun.players[victim].pawn < 0:
            return True
        for now in ways(begun):
            if now.players[victim].pawn < 0:
                return True
            if now.players[now.seat].loot[TOKEN]:
                spent = apply_step(now, STEPS["&"])
                if any(later.players[victim].pawn < 0 for later in ways(spent)):
                    return True
    return False


def _after_steals(now: State) -> Iterator[State]:
    """Yield the states after all steals that are due: a token where there is one, which allows most, or anything."""
    while now.victims:
        loot = now.players[now.victims[0]].loot
        item = TOKEN if loot[TOKEN] else next(item for item, count in enumerate(loot) if count)
        now = apply_step(now, STEPS[f"x{now.victims[0] + 1}{ITEMS[item]}"])
    yield now


def _compare_ejections(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    ours, theirs = worse.own.victims(), better.own.victims()
    for victim, item in theirs.items():
        params: _Params = {"victim": victim + 1, "item": item}
        if victim not in ours:
            weight = _TURN_WORTH + (item is not None) * (1 + _RIVAL)
            yield weight, Reason.MISSED_EJECTION, params
        elif item is not None and item != ours[victim] and better.own.gain(me) >= worse.own.gain(me):
            swing = better.own.gain(me) - worse.own.gain(me)
            swing += worse.own.gain(victim) - better.own.gain(victim)
            if swing > 0:
                yield swing, Reason.MISSED_STEAL, params


def _compare_gains(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    points, more = worse.own.gain(me), better.own.gain(me)
    spent, spends = (any(line.own.of(EventKind.TOKEN_SPENT)) for line in (worse, better))
    if more <= points:
        return
    params: _Params = {"points": points, "better": more}
    if spent and not spends:
        yield more - points, Reason.SPENT_TOKEN, params
    elif spends and not spent:
        yield more - points - 0.1, Reason.MISSED_SECOND, params
    else:
        yield more - points - 0.1, Reason.MISSED_POINTS, params


def _compare_gifts(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    after = {answer.seat: answer.gain(answer.seat) for answer in better.answers}
    weight = 1.0 if len(worse.own.after.players) == 2 else _RIVAL
    for answer in worse.answers:
        if me in answer.victims() or answer.seat not in after:
            continue
        points, less = answer.gain(answer.seat), after[answer.seat]
        if points > less:
            params: _Params = {"by": answer.seat + 1, "points": points, "better": less}
            yield weight * (points - less), Reason.FED_RIVAL, params


def _compare_goodies(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    passed = {event.params["card"] for event in better.own.of(EventKind.PASSED)}
    for event in worse.own.of(EventKind.PASSED):
        if event.params["card"] not in passed and event.params["to"] != me + 1:
            yield _GOODIE_WORTH, Reason.GAVE_GOODIE, dict(event.params)


def _compare_cards(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    cards, more = (line.own.after.players[me].hand.bit_count() for line in (worse, better))
    if cards <= 2 and more >= cards + 2:
        yield _CARD_WORTH * (more - cards), Reason.FEW_CARDS, {"cards": cards, "better": more}


_COMPARISONS: Final[tuple[Callable[[int, _Line, _Line], Iterator[_Found]], ...]] = (
    _compare_ends,
    _compare_danger,
    _compare_ejections,
    _compare_gains,
    _compare_gifts,
    _compare_goodies,
    _compare_cards,
)


def _lead(points: Sequence[int], seat: int) -> int:
    """Return by how much a seat is ahead of its best rival; below 0 where it is behind."""
    return points[seat] - max(other for index, other in enumerate(points) if index != seat)
