"""Why one turn is better than another, as far as somebody would name it.

A turn and the answers to it by best play are played out, with events; so is the turn that it is compared with. Each
difference that somebody would name becomes a candidate with a weight in points, and the heaviest is the reason. A
reason says nothing that these lines do not show.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from engine.contract import Assessed, Event, Json
from engine.gravity.bots.quick import quick_rounds
from engine.gravity.events import EventKind
from engine.gravity.notation import STEPS
from engine.gravity.rules import apply_step, apply_turn, begin_turn, legal_steps, ranking
from engine.gravity.state import TOKEN, State, cards_bits, cards_text

_TURN_WORTH: Final = 1.5
"""What it is worth, in points, that a rival has to enter anew."""
_GOODIE_WORTH: Final = 0.8
_CARD_WORTH: Final = 0.35
_RIVAL: Final = 0.7
"""What a point of one rival weighs beside a point of one's own, where there are several."""
_REACH: Final = 0.5
"""What a point that is in reach weighs beside one that is taken."""
_DECIDES: Final = 1000.0
_WILD: Final = cards_bits("W")
_LATER: Final = 2
"""The rounds of quick play after which it is looked how the lead has changed."""
_GAMES: Final = 48
"""How often that is played, by the same chance for both turns."""
_SURE: Final = 2.0
"""By how many standard errors that must differ from nothing to be told."""


class Reason(StrEnum):
    """Why a turn is better or worse than another one, with its parameters in parentheses; seats are numbers from 1.

    The first ones are said of a turn that was played, beside the better one: what it missed or allowed.
    """

    ENDED_BEHIND = "ended-behind"
    """It ended the game, and its seat had not won."""
    MISSED_WIN = "missed-win"
    """The better one ends the game, and wins it (shared: with others)."""
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
    """It passes on a goodie (card, to), which the better one keeps in the hand, with all that this one keeps."""
    FED_RIVAL = "fed-rival"
    """A rival (by) gains more on the next turn (points) than it could after the better one (better)."""
    FEW_CARDS = "few-cards"
    """It leaves fewer cards in the hand (cards) than the better one (better)."""
    LAID_WILD = "laid-wild"
    """It lays the wild card, which the better one leaves in the hand."""
    OTHER_CARD = "other-card"
    """The better one does the same by other cards, and leaves one in the hand (card) that this one does not."""
    WASTED_TOKEN = "wasted-token"  # noqa: S105 - it is no secret
    """It spends a replay token and brings no more points than the better one, which does not."""
    LET_END = "let-end"
    """A rival (by) ends the game with its round, and the seat has not won; after the better one the game goes on."""
    WORSE_PLACE = "worse-place"
    """The game ends with this round, and the seat comes out lower (place) than after the better one (better)."""
    LITTLE_IN_REACH = "little-in-reach"
    """The next turn of its seat brings less at best (points) than after the better one (better), by more than this one
    gains before."""
    EXPOSED = "exposed"
    """A rival (by) could eject the pawn on the next turn, though not its best; after the better one nobody could."""
    LEAD = "lead"
    """By the next turn of its seat it is behind where it would be after the better one (points)."""
    LATER = "later"
    """It shows later: after two rounds of quick play the lead is smaller on average (points, in tenths of one)."""
    OUTLOOK = "outlook"
    """Nothing that can be named so shortly: the chances alone tell."""

    WON = "won"
    """It ends the game and wins it (shared: with others). From here on: said of the best turn, as played."""
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
    """After the next best a rival (by) gains more on the next turn (points) than it could after this one (better)."""
    CARDS = "cards"
    """It leaves more cards in the hand (better) than the next best (cards)."""
    KEPT_WILD = "kept-wild"
    """It leaves the wild card in the hand, which the next best lays."""
    KEPT_CARD = "kept-card"
    """The next best does the same by other cards, and does not leave one in the hand (card) that this one does."""
    SAVED_TOKEN = "saved-token"  # noqa: S105 - it is no secret
    """It brings as many points as the next best, which spends a replay token."""
    KEPT_GOING = "kept-going"
    """After the next best a rival (by) ends the game with its round, and the seat has not won; here it goes on."""
    BETTER_PLACE = "better-place"
    """The game ends with this round, and the seat comes out higher (better) than after the next best (place)."""
    MUCH_IN_REACH = "much-in-reach"
    """The next turn of its seat brings more at best (better) than after the next best (points)."""
    SHELTERED = "sheltered"
    """A rival (by) could eject the pawn after the next best turn, though it is not its best; after this one nobody."""
    AHEAD = "ahead"
    """By the next turn of its seat it is ahead of where it would be after the next best (points)."""
    PAYS_LATER = "pays-later"
    """It shows later: after two rounds of quick play the lead is greater on average (points, in tenths of one)."""
    PROSPECTS = "prospects"
    """Better than the next best, by nothing that can be named so shortly: the chances alone tell."""
    ALONE = "alone"
    """No other turn was found: there was little choice."""
    SAME = "same"
    """At least one other was as good, as far as a search sees."""
    SAFE = "safe"
    """So it was, and the game is as good as won by each of them."""
    HOPELESS = "hopeless"
    """So it was, and none that was found leaves more than next to no chance."""


PRAISE: Final = {
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
    Reason.LAID_WILD: Reason.KEPT_WILD,
    Reason.OTHER_CARD: Reason.KEPT_CARD,
    Reason.WASTED_TOKEN: Reason.SAVED_TOKEN,
    Reason.LET_END: Reason.KEPT_GOING,
    Reason.WORSE_PLACE: Reason.BETTER_PLACE,
    Reason.LITTLE_IN_REACH: Reason.MUCH_IN_REACH,
    Reason.EXPOSED: Reason.SHELTERED,
    Reason.LEAD: Reason.AHEAD,
    Reason.LATER: Reason.PAYS_LATER,
    Reason.OUTLOOK: Reason.PROSPECTS,
}
"""What a difference is called where it is in favour of the turn that was played."""

type Params = dict[str, Json]
type _Found = tuple[float, Reason, Params]
_NO_PARAMS: Final[Params] = {}


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

    @property
    def end(self) -> State:
        """The state after all of them."""
        return self.answers[-1].after if self.answers else self.own.after

    @classmethod
    def of(cls, state: State, assessed: Assessed) -> "_Line":
        """Play it out."""
        played = list(_play_out(state, (assessed.turn, *assessed.line)))
        return cls(played[0], tuple(one for one in played[1:] if one.seat != state.seat))

    @property
    def is_whole(self) -> bool:
        """Whether all rivals have answered: the search may not have looked so far."""
        return self.end.finished or self.end.seat == self.own.seat


def _play_out(state: State, turns: Sequence[str]) -> Iterator[_Played]:
    for turn in turns:
        events: list[Event] = []
        after = apply_turn(state, turn, events)
        yield _Played(state.seat, state, after, tuple(events))
        state = after


def tell_apart(state: State, worse: Assessed, better: Assessed) -> tuple[Reason, Params]:
    """Return the gravest of what tells two turns of the seat to move apart, as a reason against the worse one."""
    me = state.seat
    one, other = _Line.of(state, worse), _Line.of(state, better)
    found = [line for compare in _COMPARISONS for line in compare(me, one, other)]
    if not found:
        found += _compare_exposure(me, one, other)
    if not found and (lead := lead_of(better.points, me) - lead_of(worse.points, me)) > 0:
        found.append((0.0, Reason.LEAD, {"points": lead}))
    if not found:
        found += _compare_later(me, one, other)
    _, reason, params = max(found, key=lambda line: line[0], default=(0.0, Reason.OUTLOOK, _NO_PARAMS))
    return reason, params


def _compare_ends(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    ends, ends_better = worse.own.after, better.own.after
    if ends_better.finished and ranking(ends_better)[me] == 1 and not _wins(ends, me):
        yield _DECIDES, Reason.MISSED_WIN, {"shared": ranking(ends_better).count(1) > 1}
    elif ends.finished and not ends_better.finished and not _wins(ends, me):
        yield _DECIDES, Reason.ENDED_BEHIND, {}
    elif not ends.finished and not ends_better.finished and worse.end.finished and better.is_whole:
        if better.end.finished:
            place, higher = ranking(worse.end)[me], ranking(better.end)[me]
            if higher < place:
                yield _DECIDES, Reason.WORSE_PLACE, {"place": place, "better": higher}
        elif not _wins(worse.end, me):
            yield _DECIDES, Reason.LET_END, {"by": worse.answers[-1].seat + 1}


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
            for event, following in pairwise(answer.events)
        )
        sure = not _is_exposed(me, better)
        params: Params = {"by": answer.seat + 1, "item": item, "door": entered, "sure": sure}
        yield _TURN_WORTH + lost, Reason.ALLOWED_EJECTION, params
        return


def _compare_exposure(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    if not better.is_whole or _is_exposed(me, better):
        return
    hunter = next((answer.seat for answer in worse.answers if can_eject(answer.before, me)), None)
    if hunter is not None:
        yield 0.0, Reason.EXPOSED, {"by": hunter + 1}


def _is_exposed(me: int, line: _Line) -> bool:
    """Return whether a rival could eject the pawn before its seat moves again: in its turn, or if it moved at once."""
    at_once = [replace(line.own.after, seat=answer.seat) for answer in line.answers[1:]]
    return any(can_eject(state, me) for state in (*(answer.before for answer in line.answers), *at_once))


def _compare_ejections(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    ours, theirs = worse.own.victims(), better.own.victims()
    for victim, item in theirs.items():
        params: Params = {"victim": victim + 1, "item": item}
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
    if more == points and spent and not spends:
        yield 0.5, Reason.WASTED_TOKEN, {"points": points}
    if more <= points:
        return
    params: Params = {"points": points, "better": more}
    if spent and not spends:
        yield more - points, Reason.SPENT_TOKEN, params
    elif spends and not spent:
        yield more - points - 0.1, Reason.MISSED_SECOND, params
    else:
        yield more - points - 0.1, Reason.MISSED_POINTS, params


def _compare_gifts(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    replies = {reply.seat: reply for reply in better.answers}
    weight = 1.0 if len(worse.own.after.players) == 2 else _RIVAL
    for answer in worse.answers:
        reply, points = replies.get(answer.seat), answer.gain(answer.seat)
        if me in answer.victims() or reply is None or points <= reply.gain(answer.seat):
            continue
        most = most_gain(reply.before)
        if points > most:
            params: Params = {"by": answer.seat + 1, "points": points, "better": most}
            yield weight * (points - most), Reason.FED_RIVAL, params


def _compare_goodies(_me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    given, passed = (
        {str(event.params["card"]): event.params for event in line.own.of(EventKind.PASSED)} for line in (worse, better)
    )
    if passed.keys() < given.keys():
        card = next(card for card in given if card not in passed)
        yield _GOODIE_WORTH, Reason.GAVE_GOODIE, dict(given[card])


def _compare_cards(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    hand, kept = (line.own.after.players[me].hand for line in (worse, better))
    cards, more = hand.bit_count(), kept.bit_count()
    laid = {event.params["card"] for event in worse.own.of(EventKind.LAID)}
    if cards <= 2 and more > cards:
        yield _CARD_WORTH * (more - cards), Reason.FEW_CARDS, {"cards": cards, "better": more}
    elif "W" in laid and kept & _WILD and not hand & _WILD:
        yield _CARD_WORTH, Reason.LAID_WILD, {}
    elif kept & ~hand and _but_for_cards(worse.own.after, me) == _but_for_cards(better.own.after, me):
        yield 0.0, Reason.OTHER_CARD, {"card": cards_text(kept & ~hand)[0]}


def _but_for_cards(state: State, me: int) -> State:
    """Return the state without the cards of a seat."""
    players = tuple(
        replace(player, hand=0, face_up=0, face_down=0) if index == me else player
        for index, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _compare_reach(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    if all(line.is_whole and not line.end.finished for line in (worse, better)):
        points, more = (most_gain(line.end) for line in (worse, better))
        gap = more - points - max(0, worse.own.gain(me) - better.own.gain(me))
        if gap > 0:
            yield _REACH * gap, Reason.LITTLE_IN_REACH, {"points": points, "better": more}


def _compare_later(me: int, worse: _Line, better: _Line) -> Iterator[_Found]:
    gaps = [
        _lead_later(better.own.after, me, Random(game)) - _lead_later(worse.own.after, me, Random(game))
        for game in range(_GAMES)
    ]
    mean = fmean(gaps)
    tenths = round(10 * mean)
    if tenths > 0 and mean > _SURE * stdev(gaps) / sqrt(_GAMES):
        yield 0.0, Reason.LATER, {"points": tenths}


def _lead_later(state: State, me: int, rng: Random) -> int:
    later = quick_rounds(state, _LATER, rng)
    return lead_of([player.points for player in later.players], me)


_COMPARISONS: Final[tuple[Callable[[int, _Line, _Line], Iterator[_Found]], ...]] = (
    _compare_ends,
    _compare_danger,
    _compare_ejections,
    _compare_gains,
    _compare_gifts,
    _compare_goodies,
    _compare_cards,
    _compare_reach,
)


def lead_of(points: Sequence[int], seat: int) -> int:
    """Return by how much a seat is ahead of its best rival; below 0 where it is behind."""
    return points[seat] - max(other for index, other in enumerate(points) if index != seat)


# --- What a turn could do --------------------------------------------------------------------------------------------


def can_eject(state: State, victim: int) -> bool:
    """Return whether the seat to move has a turn that ejects the player with that index."""
    if state.finished or state.players[victim].pawn < 0:
        return False
    return any(now.players[victim].pawn < 0 for now in _ends(state))


def most_gain(state: State) -> int:
    """Return the most points that a turn of the seat to move brings it."""
    seat = state.seat
    return max(now.players[seat].points for now in _ends(state)) - state.players[seat].points


def _ends(state: State) -> Iterator[State]:
    """Yield the states in which a turn of the seat to move may end."""
    for begun in _settled(begin_turn(state)):
        for now in _acted(begun):
            yield now
            if now.players[now.seat].loot[TOKEN]:
                yield from _acted(apply_step(now, STEPS["&"]))


def _acted(now: State) -> Iterator[State]:
    for text in legal_steps(now):
        yield from _settled(apply_step(now, STEPS[text]))


def _settled(now: State) -> Iterator[State]:
    """Yield the states after all steals that are due, whatever is stolen."""
    if not now.victims:
        yield now
    else:
        for text in legal_steps(now):
            yield from _settled(apply_step(now, STEPS[text]))
