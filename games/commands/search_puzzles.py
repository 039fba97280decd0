"""Looking for puzzles: in finished games, in the order in which they ended, and in games between computer players."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

import structlog
from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.contract import JsonObject, Rules
from engine.errors import RecordError, RulesError
from engine.puzzles import write_puzzle
from engine.rulesets import RULESETS
from games.commands.add_puzzle import add_puzzle, is_worth_it
from games.log.positions import position_at, rules_of
from games.models import Game, Puzzle, PuzzleSearch, PuzzleSource, Seat
from games.models.choices import Status

SEARCH: Final = "puzzles"
"""The sweep that looks through finished games: one at a time."""
SEARCH_LEASE: Final = timedelta(minutes=3)
"""How long it may be silent until it is given up for dead: longer than any task may take."""
PLAYOUTS: Final = 1000
"""How far the search looks that finds a puzzle: a second or two a position that may be one."""
PER_GAME: Final = 2
"""So many puzzles are taken from one game, the first ones."""

ENOUGH: Final = 60
"""While so many puzzles were none of a day yet, no game between computer players is looked through for more."""

type GoesOn = Callable[[], bool]

logger = structlog.get_logger(__name__)


def search_games(
    *,
    playouts: int,
    per_game: int,
    now: datetime,
    goes_on: GoesOn,
    bounded: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Iterator[Puzzle]:
    """Yield puzzles as they are found in games that have ended, as long as ``goes_on`` says so before each position.

    A position whose search fails, or takes longer than ``bounded`` lets it, is left out. None is searched twice, not
    even one that a process dies of.

    Where it stops is written down position by position; the next search goes on there. Games that anyone may watch are
    looked through, but for those with somebody who does not show their results to others.
    """
    place, _is_new = PuzzleSearch.objects.get_or_create(pk=1)
    while (game := _game_at(place, per_game)) is not None:
        while place.seq < game.seq and place.found < per_game:
            if not goes_on():
                return
            place.seq += 1
            place.save()
            try:
                with bounded():
                    state = position_at(game, place.seq - 1).state
                    written = _found_in(rules_of(game), state, Random(place.seq - 1), playouts)  # noqa: S311 - no secret
            except (RulesError, RecordError):  # its log can't be replayed: `manage.py verify_games` says so
                break
            except Exception:
                logger.exception("position not searched", game=game.pk, seq=place.seq - 1)
                continue
            if written is None:
                continue
            puzzle = add_puzzle(written=written, source=PuzzleSource.PLAYED, now=now)
            place.found += 1
            place.save()
            if puzzle is not None:
                yield puzzle
        place.finished_at, place.game, place.seq, place.found = game.finished_at, game.pk, game.seq, per_game
        place.save()


def search_anew() -> None:
    """Begin the search anew with the game that ended first; puzzles that are there are not made twice."""
    PuzzleSearch.objects.update(finished_at=None, game=0, seq=0, found=0)


def _game_at(place: PuzzleSearch, per_game: int) -> Game | None:
    """Return the game that is being looked through, or the next one: two queries at most."""
    begun = _searched().filter(pk=place.game).first()
    if begun is not None and place.seq < begun.seq and place.found < per_game:
        return begun
    games = _searched().order_by("finished_at", "pk")
    if place.finished_at is not None:
        after = Q(finished_at__gt=place.finished_at) | Q(finished_at=place.finished_at, pk__gt=place.game)
        games = games.filter(after, finished_at__gte=place.finished_at)
    game = games.first()
    if game is not None:
        place.finished_at, place.game, place.seq, place.found = game.finished_at, game.pk, 0, 0
    return game


def _searched() -> QuerySet[Game]:
    hiding = Seat.objects.filter(game=OuterRef("pk"), user__ratings_shown=False)
    games = Game.objects.filter(status=Status.FINISHED, public=True, players_only=False, ruleset__in=RULESETS)
    return games.filter(~Exists(hiding), finished_at__isnull=False)


def _found_in(rules: Rules[Any], state: Any, rng: Random, playouts: int) -> JsonObject | None:
    """Return the puzzle that a position makes, if it is worth to be kept."""
    found = rules.find_puzzle(state, rng, playouts=playouts)
    if found is None:
        return None
    written = write_puzzle(rules, state, found)
    return written if is_worth_it(written) else None


def search_self_play(
    *, ruleset: str, size: int, options: JsonObject, seed: int, playouts: int, now: datetime
) -> Iterator[Puzzle]:
    """Yield the puzzles of one game that the adviser plays against itself; the same seed makes the same game."""
    rules = RULESETS[ruleset]
    for state in _self_play(rules, size, options, seed):
        written = _found_in(rules, state, Random(seed), playouts)  # noqa: S311 - it keeps no secret
        puzzle = written and add_puzzle(written=written, source=PuzzleSource.SELF_PLAY, now=now)
        if puzzle:
            yield puzzle


def top_up_puzzles(
    *,
    playouts: int,
    now: datetime,
    goes_on: GoesOn,
    bounded: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Iterator[Puzzle]:
    """Yield puzzles as they are found in games between computer players, while fewer than `ENOUGH` had no day yet.

    Games are for every number of players in turn. As `search_games` does, it asks ``goes_on`` before each position,
    leaves out what fails or takes longer than ``bounded`` lets it, and goes on where the last search stopped.
    """
    place, _is_new = PuzzleSearch.objects.get_or_create(pk=1)
    ruleset, rules = next(iter(RULESETS.items()))
    while Puzzle.objects.filter(daily=None, ruleset=ruleset)[:ENOUGH].count() < ENOUGH:
        size = rules.seats[place.self_play % len(rules.seats)]
        for turn, state in enumerate(_self_play(rules, size, {}, place.self_play)):
            if turn < place.turn:
                continue
            if not goes_on():
                return
            place.turn = turn + 1
            place.save()
            try:
                with bounded():
                    written = _found_in(rules, state, Random(turn), playouts)  # noqa: S311
            except Exception:
                logger.exception("position not searched", self_play=place.self_play, turn=turn)
                continue
            puzzle = written and add_puzzle(written=written, source=PuzzleSource.SELF_PLAY, now=now)
            if puzzle:
                yield puzzle
        place.self_play, place.turn = place.self_play + 1, 0
        place.save()


def _self_play(rules: Rules[Any], size: int, options: JsonObject, seed: int) -> Iterator[Any]:
    """Yield the positions between turns of a game that the adviser plays against itself, but for the last one."""
    rng = Random(seed)  # noqa: S311 - it keeps no secret
    names = [f"Player {seat}" for seat in range(1, size + 1)]
    state = rules.set_up(names, rules.check_options(options, size), rng)
    while not rules.summary(state).finished:
        yield state
        state = rules.apply_turn(state, rules.choose_turn(rules.adviser, state, rng)).state
