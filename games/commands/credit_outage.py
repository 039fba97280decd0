"""Giving an outage back to every turn that it touched."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q

from games import clock
from games.clock import Calendar
from games.commands._lock import lock_game, save_change
from games.commands._outages import WORTH_A_NOTICE, credit_outages, remark_kind, seconds_given
from games.log.seats import first_day, with_seats
from games.log.table import next_actor
from games.models import Charge, Game, Holiday, Pause, Remark, Seat
from games.models.choices import RemarkKind, Status
from games.notices.facts import DeadlineMoved, Fact, MovedBy
from games.notices.outbox import enqueue_each
from games.timing.deadlines import (
    DUE_COLUMNS,
    clock_holidays,
    clock_of,
    next_warning,
    pause_span,
    time_control_of,
    zone_of,
)

KEPT_FOR: Final = timedelta(days=30)
"""How long charges are kept: an outage that the staff marks can lie no further back."""


@transaction.atomic(durable=True)
def credit_game(*, game_id: int, now: datetime) -> bool:
    """Give a game back what outages took, as a visible event; return whether there was anything.

    Safe to repeat: each outage is given back once. Raises `GameError` (``no-such-game``).
    """
    game = lock_game(pk=game_id)
    credited = credit_outages(game, now)
    if credited:
        save_change(game, *DUE_COLUMNS)
    return credited


@transaction.atomic(durable=True)
def credit_games(*, outage_id: int, game_ids: Collection[int], now: datetime) -> list[int]:
    """Give an outage back to the open turns of several games, in a number of statements that does not grow with them.

    What `credit_game` does, where no clock was settled meanwhile. Return the ids of the games that need that one.
    """
    outage = Pause.objects.get(pk=outage_id)
    games = list(with_seats(Game.objects.select_for_update(no_key=True).filter(pk__in=game_ids).order_by("pk")))
    done = set(Remark.objects.filter(pause=outage, game__in=games).values_list("game", flat=True))
    settled = Charge.objects.filter(seat__game__in=games, end__gt=outage.start)
    apart = set(settled.values_list("seat__game", flat=True))
    open_turns = [(game, seat) for game in games if game.pk not in done for seat in _touched(game, outage)]
    calendars = _Calendars([turn for turn in open_turns if turn[0].pk not in apart])
    changed: list[Game] = []
    remarks: list[Remark] = []
    facts: list[tuple[Game, Fact]] = []
    for game, seat in open_turns:
        before = game.deadline
        if game.pk in apart or not _derive(game, seat, calendars.of(game, seat), now):
            apart.add(game.pk)
            continue
        changed.append(game)
        remarks += _remark(game, seat, outage, calendars.known(game), now)
        if before is None or game.deadline is None or abs(game.deadline - before) >= WORTH_A_NOTICE:
            facts.append((game, DeadlineMoved(seat.number or 0, game.deadline, MovedBy.OUTAGE)))
    _save(changed)
    Remark.objects.bulk_create(remarks)
    enqueue_each(facts, now)
    return sorted(apart)


def games_to_take_back(outage: Pause) -> list[int]:
    """Return the ids of running games that were given an outage back which the staff has taken back since."""
    told = Remark.objects.filter(game=OuterRef("pk"), pause=outage)
    undone = told.filter(kind=RemarkKind.OUTAGE_UNDONE)
    games = Game.objects.filter(Exists(told), ~Exists(undone), status=Status.ACTIVE).order_by("pk")
    return list(games.values_list("pk", flat=True))


@transaction.atomic(durable=True)
def close_outage(*, outage_id: int) -> None:
    """Remember that everything that an outage touched has been given it back; open games stay open that much longer."""
    outage = Pause.objects.select_for_update().get(pk=outage_id)
    if outage.credited or outage.end is None:
        return
    waiting = Game.objects.filter(status=Status.OPEN, created_at__lt=outage.start, expires_at__gt=outage.start)
    waiting.update(expires_at=F("expires_at") + (outage.end - outage.start))
    outage.credited = True
    outage.save(update_fields=["credited"])


@transaction.atomic(durable=True)
def prune_charges(*, now: datetime) -> int:
    """Delete what was taken off clocks so long ago that no outage will be found in it; return how much."""
    return Charge.objects.filter(end__lt=now - KEPT_FOR).delete()[0]


class _Calendars:
    """The calendars of open turns, read together."""

    def __init__(self, turns: list[tuple[Game, Seat]]) -> None:
        sinces = [seat.since for _game, seat in turns if seat.since is not None]
        self.holidays: dict[int, list[Holiday]] = defaultdict(list)
        self.own: dict[int | None, list[Pause]] = defaultdict(list)
        if not sinces:
            return
        users = {seat.user_id for _game, seat in turns}
        for holiday in Holiday.objects.filter(user__in=users, last__gte=first_day(min(sinces))).order_by("first"):
            self.holidays[holiday.user_id].append(holiday)
        pauses = Pause.objects.filter(Q(game=None) | Q(game__in=[game for game, _seat in turns]))
        for pause in pauses.filter(Q(end=None) | Q(end__gt=min(sinces))).order_by("start"):
            self.own[pause.game_id].append(pause)

    def known(self, game: Game) -> list[Pause]:
        """Return the pauses that may stop a game's clocks."""
        return [*self.own[None], *self.own[game.pk]]

    def of(self, game: Game, seat: Seat) -> Calendar:
        """Return the calendar of a seat."""
        holidays = clock_holidays(self.holidays[seat.user_id or 0])
        return Calendar(zone_of(seat), holidays, tuple(pause_span(pause) for pause in self.known(game)))


def _touched(game: Game, outage: Pause) -> Iterator[Seat]:
    """Yield the seat whose open turn an outage touches, if there is one."""
    seat = next_actor(game)
    if seat is not None and seat.since is not None and outage.end is not None and seat.since < outage.end:
        yield seat


def _remark(game: Game, seat: Seat, outage: Pause, known: list[Pause], now: datetime) -> list[Remark]:
    assert seat.since is not None
    assert outage.end is not None
    seconds = seconds_given(outage, seat.since, outage.end, known)
    remark = Remark(
        game=game,
        at=now.replace(microsecond=0),
        after=game.seq,
        kind=remark_kind(outage),
        seat=seat.number,
        pause=outage,
        params={"seconds": seconds},
    )
    return [remark] if seconds else []


def _derive(game: Game, seat: Seat, calendar: Calendar, now: datetime) -> bool:
    """Set the `DUE_COLUMNS`; return whether that is all, or a warning is due that has yet to be given."""
    turn = time_control_of(game), calendar, clock_of(seat)
    warnings = clock.warning_instants(*turn)
    if game.warning_at is not None and any(game.warning_at <= warning.at <= now for warning in warnings):
        return False
    game.deadline, game.warning_at = clock.turn_deadline(*turn), next_warning(warnings, now)
    return True


def _save(games: list[Game]) -> None:
    """Write the `DUE_COLUMNS` of locked games and raise their versions, as one pipeline."""
    adapt = connection.ops.adapt_datetimefield_value
    rows = [(adapt(game.deadline), adapt(game.warning_at), game.pk) for game in games]
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE games_game SET deadline = %s, warning_at = %s, version = version + 1 WHERE id = %s", rows
            )
