"""Counting up what a finished game came to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise, permutations
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.models import User
from engine.contract import PlayedEntry, Tally
from games.commands._lock import glance_at
from games.log.positions import Snapshot, replay, rules_of
from games.log.seats import load_seats, seats_of
from games.models import Career, Entry, Game, Mark, Result, Rivalry, Seat
from games.models.choices import Actor, GameKind, Status


def tally_game(*, game_id: int) -> bool:
    """Write what a finished game came to, and add it to what its people have; return whether that was still to do.

    The log is replayed before anything is locked, as nothing of a finished game changes. Raises `RulesError` where that
    fails.
    """
    game = glance_at(game_id)
    if game is None or game.status != Status.FINISHED or game.is_tallied:
        return False
    entries = list(Entry.objects.filter(game=game).order_by("seq"))
    tally = rules_of(game).tally(list(played_entries(game, list(replay(game, entries)))))
    return _write(game_id, tally, entries)


@transaction.atomic(durable=True)
def forget_results() -> None:
    """Delete all that was counted, so that every finished game is counted again."""
    for model in (Result, Mark, Career, Rivalry):
        model._default_manager.all().delete()
    Game.objects.filter(is_tallied=True).update(is_tallied=False)


@transaction.atomic(durable=True)
def _write(game_id: int, tally: Tally, entries: Sequence[Entry]) -> bool:
    # People before games, as everywhere.
    sitting = Seat.objects.filter(game=game_id, user__isnull=False).values("user")
    list(User.objects.select_for_update(no_key=True).filter(pk__in=sitting).order_by("pk").values_list("pk"))
    game = Game.objects.select_for_update(no_key=True).filter(pk=game_id, is_tallied=False).first()
    if game is None:
        return False
    load_seats(game)
    at = game.finished_at or entries[-1].at
    results = list(results_of(game, tally, entries, at))
    Result.objects.bulk_create(results)
    terms: dict[str, Any] = {"game": game, "size": game.size, "finished_at": at, "public": _is_listed(game)}
    Mark.objects.bulk_create([Mark(code=code, **terms) for code in tally.marks])
    people = sorted((result for result in results if result.user_id is not None), key=lambda one: one.user_id or 0)
    for result in people:
        _add_to_career(result)
    for one, other in permutations(people, 2):
        _add_to_rivalry(one, other)
    Game.objects.filter(pk=game_id).update(is_tallied=True)
    Seat.objects.filter(game=game_id, ended_at=None).update(ended_at=at)  # an older version may have ended it
    return True


def played_entries(game: Game, reached: Sequence[Snapshot]) -> Iterator[PlayedEntry]:
    """Yield what a log was made of, for `Rules.tally`."""
    rules = rules_of(game)
    summaries = [rules.summary(snapshot.state) for snapshot in reached]
    for (before, after), snapshot in zip(pairwise(summaries), reached[1:], strict=True):
        yield PlayedEntry(before, after, snapshot.events)


def kind_of(seats: Sequence[Seat]) -> GameKind:
    """Return with what other games one with these seats is counted."""
    if any(seat.bot or _is_of_bot(seat) for seat in seats):
        return GameKind.BOTS
    return GameKind.TWO if len(seats) == 2 else GameKind.MANY


def _is_of_bot(seat: Seat) -> bool:
    """Return whether somebody's program has a seat; one whose account is gone is taken for one where that may be."""
    return seat.game.takes_bots and (seat.user is None or seat.user.is_bot)


def results_of(game: Game, tally: Tally, entries: Sequence[Entry], at: datetime) -> Iterator[Result]:
    """Yield the unsaved results of the people in a finished game, whose seats are loaded and whose log is given."""
    seats = list(seats_of(game))
    began = [game.started_at, *(entry.at for entry in entries)]
    seconds, turns, in_time = Counter[int](), Counter[int](), Counter[int]()
    for entry, since in zip(entries, began, strict=False):
        if entry.event:
            continue
        turns[entry.seat] += 1
        if entry.by == Actor.PLAYER:
            in_time[entry.seat] += 1
            seconds[entry.seat] += _seconds(since, entry.at)
    for seat, counts in zip(seats, tally.counts, strict=True):
        if seat.bot or seat.number is None or seat.place is None:
            continue
        yield Result(
            game=game,
            seat=seat.number,
            user_id=seat.user_id,
            place=seat.place,
            retired=seat.retired,
            kind=kind_of(seats),
            size=game.size,
            public=_is_listed(game),
            finished_at=at,
            points=max(seat.points, 0),
            turns=turns[seat.number],
            in_time=in_time[seat.number],
            seconds=seconds[seat.number],
            counts=dict(sorted(counts.items())),
        )


def _is_listed(game: Game) -> bool:
    """Return whether lists show a game to everyone: not one found by its link alone, nor one for its players only."""
    return game.public and not game.players_only


def _seconds(since: datetime | None, at: datetime) -> int:
    return 0 if since is None else max(0, round((at - since).total_seconds()))


def _add_to_career(result: Result) -> None:
    key: dict[str, Any] = {"user_id": result.user_id, "kind": result.kind, "public": result.public}
    career, _made = Career.objects.get_or_create(**key)  # nobody else does so meanwhile: the person is locked
    career.games += 1
    career.wins += result.place == 1
    career.left += result.retired
    for name in ("points", "turns", "in_time", "seconds"):
        setattr(career, name, getattr(career, name) + getattr(result, name))
    career.counts = _sum(career.counts, result.counts)
    career.save()


def _add_to_rivalry(one: Result, other: Result) -> None:
    key: dict[str, Any] = {"user_id": one.user_id, "rival_id": other.user_id, "public": one.public}
    Rivalry.objects.get_or_create(**key)
    Rivalry.objects.filter(**key).update(
        games=F("games") + 1,
        ahead=F("ahead") + int(one.place < other.place),
        behind=F("behind") + int(one.place > other.place),
    )


def _sum(counts: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(counts) + Counter(more)).items()))
