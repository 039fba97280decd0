"""Puzzles: positions in which one turn is clearly best, what they are about, and how hard they are.

A position makes a puzzle only if no rival has a card face down: then nothing is hidden from who solves it, and the
search sees what they see. It is asked at several depths, and once more with other chance and a broader plan. All must
agree. The chance of each search follows from the turn that it looks at, so that a claim is found, and judged, the same
each time.

All legal turns are looked at. Those that lead to the same position but for the own cards and for what was stolen are
one *way*: the best turn must be clearly better than every other way, and of its own way what is as good solves, too.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from random import Random
from typing import Final

from engine.contract import END, Answer, Assessed, Event, Puzzle
from engine.gravity.bots import BOTS
from engine.gravity.bots.assess import follow
from engine.gravity.bots.search import Plan, grow
from engine.gravity.chances import model_of
from engine.gravity.events import EventKind
from engine.gravity.match import Match, begin
from engine.gravity.notation import STEPS, hide_cards
from engine.gravity.reasons import Reason
from engine.gravity.review import judge
from engine.gravity.rules import apply_step, apply_turn, begin_turn, end_turn, legal_steps
from engine.gravity.selfplay import falls_of
from engine.gravity.state import GOODIES, LAST_STARS, State
from engine.gravity.view import known_to

CLEAR: Final = 0.15
"""The best turn's chance to win is higher than that of every other way by at least this."""
AS_GOOD: Final = 0.05
"""Of turns whose chances differ by no more than this, one is as good as the other."""
LEAST: Final = 0.25
"""With a lower chance after the best turn there is nothing to be happy about."""
WORSE: Final = 0.1
"""Another theft matters where it makes at least this difference."""
LONG_FALL: Final = 7
"""From so many spaces on a fall is long."""

DOOR: Final = 0.05
"""A door that stood elsewhere matters where it makes this difference."""

_HINT: Final = 0.1
"""A search that is not deep must see at least this of the difference, or the position is left alone."""
_GLANCE: Final = 20
"""What part of the playouts the first look at a position takes: a twentieth."""
_FIELD: Final = ((40, 1, 60), (3, 2, 10), (8, 2, 10))
"""How many ways are compared then, in how many of their turns, each with what part of the playouts."""
_FINAL: Final = 4
"""The number of best ways that are compared with all playouts."""
_VARIANTS: Final = 12
"""The number of turns of the best way that may solve, too."""

SOLVERS: Final = {
    "nova:1": 700,
    "nova:2": 820,
    "nova:3": 920,
    "nova:4": 1000,
    "nova:5": 1090,
    "nova:6": 1220,
    "nova:7": 1370,
}
"""The ratings, as solvers, of the computer players that try a puzzle: half as far apart as those of whole games."""
TRIES: Final = 6
"""How often each of them tries, but for those that always find the same turn: the search only between two."""
_USUAL: Final = 1200
"""The rating of a puzzle of which nothing is known; it counts as much as one solver."""

_NO_REASONS: Final = {
    Reason.SAME,
    Reason.SAFE,
    Reason.HOPELESS,
    Reason.PROSPECTS,
    Reason.KEPT_WILD,
    Reason.KEPT_CARD,
}
"""With these nobody could say why: one card in the hand is no reason for a difference that is `CLEAR`."""

_FIRST: Final = 1
_SECOND: Final = 2
"""Opinions: each search has chance of its own."""


class Theme(StrEnum):
    """What a puzzle is about: what its best turn does."""

    LONG_FALL = "long-fall"
    """Its pawn falls seven spaces or more at once."""
    OVER_THE_EDGE = "over-the-edge"
    """Its pawn leaves the board and comes back on the other side."""
    EJECTION = "ejection"
    """It ejects one rival."""
    DOUBLE_EJECTION = "double-ejection"
    """It ejects two rivals or more."""
    THEFT = "theft"
    """What it steals matters: the same turn with another theft is clearly worse."""
    DOOR_TIMING = "door-timing"
    """Its pawn passes the open door, which moves on; had it stayed, its chance to win would be clearly lower."""
    SECOND_ACTION = "second-action"
    """It spends a replay token."""
    ROTATION = "rotation"
    """Its pawn rotates."""
    GOODIE = "goodie"
    """It plays a goodie."""
    LAST_ROUND = "last-round"
    """The game ends with its round, whatever others do."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A turn, the state after it, and its seat's chance to win as far as it is known."""

    turn: str
    after: State
    chance: float


type Way = tuple[Variant, ...]
"""The turns of a way, the best first; no two of them look alike to others."""


def find(state: State, rng: Random, playouts: int, *, hard: bool = False) -> Puzzle | None:
    """Return what makes a state between turns a puzzle, or None. Of ``rng`` only its rating depends.

    With ``hard`` there is none where it is easy, or about nothing; most of these are left alone early.
    """
    if state.finished or not lies_open(state) or not _is_promising(state, Plan(max(1, playouts // _GLANCE))):
        return None
    everything = ways_of(state)
    ways, greedy = everything, hide_cards(BOTS["greedy"](state, Random(0)))
    for count, variants, part in _FIELD:
        look = cache(partial(_chance, state, plan=Plan(max(1, playouts // part))))
        ways = _ranked(ways[:count], variants, look) + ways[count:]
        is_easy = hard and any(hide_cards(one.turn) == greedy for one in ways[0])
        if is_easy or not _is_clear([way[0].chance for way in ways], _HINT):
            return None
    solved, other = _proven(state, ways[:_FINAL], look, Plan(playouts))
    if not solved or other is None:
        return None
    said = judge(state, solved[0].turn, (solved[0], other))
    if said.reason in _NO_REASONS:
        return None
    solutions = tuple(one.turn for one in solved)
    themes, easy = tuple(themes_of(state, solved[0], Plan(playouts))), _is_easy(state, solutions, everything)
    if hard and (easy or not themes):
        return None
    return Puzzle(
        solutions=solutions,
        best=solved[0],
        other=other,
        themes=themes,
        reason=said.reason,
        params=said.params,
        rating=rating_of(shares_of(state, solutions, rng)),
        easy=easy,
        playouts=playouts,
    )


def lies_open(state: State) -> bool:
    """Return whether the seat to move knows all cards: nobody else has one face down."""
    return not any(player.face_down for index, player in enumerate(state.players) if index != state.seat)


def in_game(match: Match, number: int, playouts: int, hard: bool) -> list[tuple[State, Puzzle]]:  # noqa: FBT001 - it is spread
    """Return the puzzles, with their positions, of the game with that number between computer players."""
    state, rng = begin(match, number)
    found = []
    while not state.finished:
        chance = Random(f"{match.seed}/{number}/{state.turns}")
        if puzzle := find(state, chance, playouts, hard=hard):
            found.append((state, puzzle))
        state = apply_turn(state, BOTS[match.bots[state.seat]](known_to(state, state.seat + 1), rng))
    return found


# --- Which turn is best ----------------------------------------------------------------------------------------------


def _is_promising(state: State, plan: Plan) -> bool:
    """Return whether one way seems clearly better than all others at a glance."""
    root, me = grow(state, plan, Random(_FIRST)), state.seat
    best: dict[Hashable, float] = {}
    for index, after in enumerate(root.after):
        way = _way(after, me)
        best[way] = max(root.chances(index)[me], best.get(way, 0.0))
    return _is_clear(sorted(best.values(), reverse=True), _HINT)


def _is_clear(chances: Sequence[float], gap: float) -> bool:
    """Return whether the first one of several chances, the best first, stands out."""
    return len(chances) > 1 and chances[0] >= LEAST and chances[0] - chances[1] >= gap


def ways_of(state: State) -> list[Way]:
    """Return all legal turns, by ways, the best at first sight first.

    Of turns that differ only in a card that is laid face down one stands for all.
    """
    chances, me = model_of(len(state.players), state.setup.expert).chances, state.seat
    shown: dict[Hashable, dict[str, Variant]] = {}
    for turn, after in _turns(state):
        variants = shown.setdefault(_way(after, me), {})
        variant = Variant(turn, after, chances(after)[me])
        looks = hide_cards(turn)
        if looks not in variants or variant.chance > variants[looks].chance:
            variants[looks] = variant
    return _sorted(_way_of(variants.values()) for variants in shown.values())


def _sorted(ways: Iterable[Way]) -> list[Way]:
    return sorted(ways, key=lambda way: way[0].chance, reverse=True)


def _way_of(variants: Iterable[Variant]) -> Way:
    return tuple(sorted(variants, key=lambda variant: variant.chance, reverse=True))


def _turns(state: State) -> Iterator[tuple[str, State]]:
    """Yield every legal turn with the state after it."""

    def go_on(steps: tuple[str, ...], now: State) -> Iterator[tuple[str, State]]:
        for text in legal_steps(now):
            if text == END:
                yield " ".join(steps), end_turn(now)
            else:
                yield from go_on((*steps, text), apply_step(now, STEPS[text]))

    yield from go_on((), begin_turn(state))


def _way(after: State, me: int) -> Hashable:
    """Return what is the same after two turns of a seat that differ in its own five cards and in thefts alone."""
    players = tuple(
        (player.pawn, sum(player.loot), player.hand & GOODIES)
        if index == me
        else (player.pawn, sum(player.loot), player.hand, player.face_up)
        for index, player in enumerate(after.players)
    )
    return after.board.rotations, after.cells, after.door, after.supply, players


def _ranked(ways: Sequence[Way], variants: int, look: Callable[[str], float]) -> list[Way]:
    """Return ways with the chances that a search finds after their first few turns; the rest of the turns follow."""
    searched = []
    for way in ways:
        first = [replace(one, chance=look(one.turn)) for one in way[:variants]]
        searched.append((*_way_of(first), *way[variants:]))
    return _sorted(searched)


def _look(state: State, turn: str, plan: Plan, opinion: int = _FIRST) -> Assessed:
    """Return what comes of a turn, as each opinion has it: its own chance."""
    return follow(state, turn, plan, Random(f"{opinion}/{turn}"))


def _chance(state: State, turn: str, plan: Plan, opinion: int = _FIRST) -> float:
    return _look(state, turn, plan, opinion).chances[state.seat]


def _proven(
    state: State, ways: Sequence[Way], look: Callable[[str], float], plan: Plan
) -> tuple[list[Assessed], Assessed | None]:
    """Return the turns that solve, the best first, and the best other one; ``look`` is a search less deep.

    The other one is of another idea, if any of those that were proven is.

    Nothing is returned where a deep search, or one that looks more broadly, does not find the best way clearly best.
    """
    seat = state.seat
    broad = replace(plan, width=20)
    best = _look(state, ways[0][0].turn, plan)
    second = _chance(state, best.turn, broad, _SECOND)
    others = []
    for way in ways[1:]:
        other = _look(state, way[0].turn, plan)
        if not _is_clear((best.chances[seat], other.chances[seat]), CLEAR):
            return [], None
        if not _is_clear((second, _chance(state, other.turn, broad, _SECOND)), CLEAR):
            return [], None
        others.append(other)
    near = [one.turn for one in ways[0][1:_VARIANTS] if look(one.turn) >= look(best.turn) - 2 * AS_GOOD]
    solved = [best, *(_look(state, turn, plan) for turn in near)]
    solved.sort(key=lambda one: one.chances[seat], reverse=True)
    solved = [one for one in solved if one.chances[seat] >= solved[0].chances[seat] - AS_GOOD]
    different = [one for one in others if _idea(one.turn) != _idea(best.turn)]
    return solved, max(different or others, key=lambda one: one.chances[seat])


def _idea(turn: str) -> str:
    """Return how a turn begins, whatever card is laid for it: what begins alike is the same idea, well done or not."""
    return turn.partition(" ")[0].removeprefix("W").partition("(")[0]


# --- What it is about ------------------------------------------------------------------------------------------------


def themes_of(state: State, best: Assessed, plan: Plan) -> Iterator[Theme]:
    """Yield what the best turn of a puzzle is about."""
    events: list[Event] = []
    after = apply_turn(state, best.turn, events)
    kinds = Counter(event.kind for event in events)
    if max(falls_of(events), default=0) >= LONG_FALL:
        yield Theme.LONG_FALL
    if kinds[EventKind.WRAPPED]:
        yield Theme.OVER_THE_EDGE
    if kinds[EventKind.EJECTED]:
        yield Theme.EJECTION if kinds[EventKind.EJECTED] == 1 else Theme.DOUBLE_EJECTION
    if kinds[EventKind.STOLE] and _theft_matters(state, best, plan):
        yield Theme.THEFT
    if kinds[EventKind.DOOR_MOVED] and _door_matters(state, best, plan):
        yield Theme.DOOR_TIMING
    if kinds[EventKind.TOKEN_SPENT]:
        yield Theme.SECOND_ACTION
    if kinds[EventKind.ROTATED]:
        yield Theme.ROTATION
    if kinds[EventKind.PASSED]:
        yield Theme.GOODIE
    if is_last_round(after):
        yield Theme.LAST_ROUND


def is_last_round(after: State) -> bool:
    """Return whether the game has ended, or will with the round that a turn was played in."""
    ends = after.reached if after.setup.expert else after.stars_left <= LAST_STARS[len(after.players)]
    return after.finished or ends


def _theft_matters(state: State, best: Assessed, plan: Plan) -> bool:
    """Return whether the same turn with another theft is worse."""
    rest = _without_thefts(best.turn)
    bounds = [(opinion, _chance(state, best.turn, plan, opinion) - WORSE) for opinion in (_FIRST, _SECOND)]
    return any(
        all(_chance(state, turn, plan, opinion) <= bound for opinion, bound in bounds)
        for turn, _ in _turns(state)
        if turn != best.turn and _without_thefts(turn) == rest
    )


def _without_thefts(turn: str) -> list[str]:
    return [step for step in turn.split(" ") if not step.startswith("x")]


def _door_matters(state: State, best: Assessed, plan: Plan) -> bool:
    """Return whether the pawn passes the open door, and would have a clearly lower chance had it not moved on."""
    events: list[Event] = []
    after, seat = apply_turn(state, best.turn, events), state.seat
    door, entered = None, None
    for event in events:
        if event.kind in {EventKind.PLACED, EventKind.TELEPORTED, EventKind.MOVED, EventKind.FELL}:
            entered = event.kind
        elif event.kind == EventKind.DOOR_MOVED and entered in {EventKind.MOVED, EventKind.FELL}:
            door = event.params["from"]
            break
    if not isinstance(door, int) or after.finished or after.players[seat].pawn >> 2 == after.board.doors[door] >> 2:
        return False
    root = grow(replace(after, door=door), plan, Random(_FIRST))
    return root.chances(root.choice())[seat] <= best.chances[seat] - DOOR


# --- How hard it is --------------------------------------------------------------------------------------------------


def _is_easy(state: State, solutions: Sequence[str], ways: Sequence[Way]) -> bool:
    """Return whether the greedy player solves it, or whoever takes most points at once."""
    if solves(state, solutions, BOTS["greedy"](state, Random(0))):
        return True
    variants = [one for way in ways for one in way]
    most = max(one.after.players[state.seat].points for one in variants)
    return all(solves(state, solutions, one.turn) for one in variants if one.after.players[state.seat].points == most)


def shares_of(state: State, solutions: Sequence[str], rng: Random) -> dict[str, float]:
    """Return how often each of the `SOLVERS` finds a solution, 0 to 1."""
    always = {"nova:6", "nova:7"} if len(state.players) == 2 else {"nova:6"}

    def share(bot: str) -> float:
        tries = 1 if bot in always else TRIES
        return sum(solves(state, solutions, BOTS[bot](state, rng)) for _ in range(tries)) / tries

    return {bot: share(bot) for bot in SOLVERS}


def rating_of(shares: Mapping[str, float]) -> int:
    """Return the rating against which solvers of those ratings would solve as often, as Elo has it."""
    solved = sum(shares.values()) + 0.5
    solvers = [*(SOLVERS[bot] for bot in shares), _USUAL]
    low, high = 0.0, 4000.0
    while high - low > 0.5:
        middle = (low + high) / 2
        if sum(1 / (1 + 10 ** ((middle - solver) / 400)) for solver in solvers) > solved:
            low = middle
        else:
            high = middle
    return round(low)


# --- Whether it is solved --------------------------------------------------------------------------------------------


def judge_answer(state: State, puzzle: Puzzle, turn: str) -> Answer:
    """Return whether a legal turn solves a puzzle: one of the solutions, what leads to the same, or what is as good.

    Only the last takes a search, of as many playouts as the puzzle was found with. Raises `RulesError`.
    """
    if solves(state, puzzle.solutions, turn):
        return Answer(solved=True, lost=0.0)
    found = _look(state, turn, Plan(puzzle.playouts))
    lost = max(0.0, puzzle.best.chances[state.seat] - found.chances[state.seat])
    if lost <= AS_GOOD:
        return Answer(solved=True, lost=lost)
    said = judge(state, turn, (puzzle.best, found))
    return Answer(solved=False, lost=lost, reason=said.reason, params=said.params)


def solves(state: State, solutions: Sequence[str], turn: str) -> bool:
    """Return whether a turn looks as a solution does, or leads to what looks as after one. Raises `RulesError`."""
    after, looks = known_to(apply_turn(state, turn), None), hide_cards(turn)
    if any(looks == hide_cards(solution) for solution in solutions):
        return True
    return any(after == known_to(apply_turn(state, solution), None) for solution in solutions)
