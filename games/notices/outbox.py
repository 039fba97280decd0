"""Where commands put what happened, within the transaction that made it so: facts become rows of the outbox."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from accounts.models import User
from games.log.seats import seats_of
from games.models import Game, Holiday
from games.notices.facts import Fact
from games.notices.kinds import NoticeState
from games.notices.models import Notice, Outlet
from games.notices.topic import Item
from games.notices.topics import holidays, items_of, test
from statements import Insert

NOTICE: Final = Insert(Notice, ignore_conflicts=True)


def enqueue(game: Game, *facts: Fact, now: datetime) -> None:
    """Put what happened in a locked game into the outbox: one query, for facts that concern any person.

    And one more where any of these has, or has had, an outlet. A fact becomes a row for a mail to each of its people,
    and one for each outlet that they have; bots get none. The game's seats and their users must be loaded. The same
    fact put there again changes nothing, as long as its notices are kept (`schedule.KEPT_FOR`).
    """
    _store((item for fact in facts for item in items_of(game, fact)), game, now)


def enqueue_each(facts: Iterable[tuple[Game, Fact]], now: datetime) -> None:
    """Put what happened in several locked games into the outbox: a query or two. As `enqueue` else."""
    _insert([row for game, fact in facts for row in _rows(items_of(game, fact), game, now)])


def enqueue_holiday(holiday: Holiday, now: datetime) -> None:
    """Put the beginning and the end of a holiday into the outbox, to be sent when they come: two queries."""
    _store(holidays.items(holiday), None, now)


def enqueue_holiday_anew(holiday: Holiday, now: datetime) -> None:
    """Do so for a holiday that has not begun and whose instants are others now."""
    forget_holiday(holiday)
    enqueue_holiday(holiday, now)


def forget_holiday(holiday: Holiday) -> None:
    """Take the notices of a holiday that still wait out of the outbox: one query."""
    topics = [topic.value for topic in holidays.TOPICS]
    waiting = Notice.objects.filter(user=holiday.user_id, state=NoticeState.WAITING, topic__in=topics)
    waiting.filter(ref__startswith=f"{holiday.pk}:").delete()


def enqueue_test(user: User, now: datetime, outlet: Outlet | None = None) -> None:
    """Put a test into the outbox, for a mail or for one outlet: one query."""
    rows = _rows(test.items(user, now, test.TOPIC if outlet is None else test.OF_OUTLET), None, now)
    NOTICE(*(rows if outlet is None else [_through(outlet, row) for row in rows]))


def _store(items: Iterable[Item], game: Game | None, now: datetime) -> None:
    _insert(_rows(items, game, now))


def _rows(items: Iterable[Item], game: Game | None, now: datetime) -> list[Notice]:
    rows = [
        Notice(
            user_id=user_id,
            game=game,
            kind=item.topic.kind,
            topic=item.topic.value,
            ref=item.ref,
            params=dict(item.params),
            at=item.at or now,
            due_at=item.at or now,
        )
        for item in items
        for user_id in item.people
        if user_id is not None
    ]
    return rows if game is None or not game.takes_bots else _of_people(game, rows)


def _of_people(game: Game, rows: list[Notice]) -> list[Notice]:
    """Leave out those of bots, which read no mail and are in no other games: a query where any is for nobody seated."""
    seated = {seat.user.pk: seat.user for seat in seats_of(game) if seat.user is not None}
    bots = {number for number, user in seated.items() if user.is_bot}
    if others := {row.user_id for row in rows} - seated.keys():
        bots |= {*User.objects.filter(pk__in=others).exclude(owner=None).values_list("pk", flat=True)}
    return [row for row in rows if row.user_id not in bots]


def _insert(rows: list[Notice]) -> None:
    if not rows:
        return
    outlets: dict[int, list[Outlet]] = {}
    if people := _with_outlets(rows):
        for outlet in Outlet.objects.filter(user__in=people, off_at=None):
            outlets.setdefault(outlet.user_id, []).append(outlet)
    NOTICE(*rows, *(_through(outlet, row) for row in rows for outlet in outlets.get(row.user_id, ())))


def _with_outlets(rows: Iterable[Notice]) -> set[int]:
    """Return the people who may have outlets: not those in seats of whom it is known that they have none."""
    games = {row.game_id: row.game for row in rows if row.game is not None}
    seated = (seat.user for game in games.values() for seat in seats_of(game))
    without = {user.pk for user in seated if user is not None and not user.has_outlets}
    return {row.user_id for row in rows} - without


def _through(outlet: Outlet, row: Notice) -> Notice:
    """Return a notice for a mail as one for an outlet, which is left alone for a while once it was not reached."""
    return Notice(
        user_id=row.user_id,
        game_id=row.game_id,
        kind=row.kind,
        topic=row.topic,
        ref=row.ref,
        channel=outlet.channel,
        outlet=outlet,
        params=row.params,
        at=row.at,
        due_at=max(row.due_at, outlet.wait_until or row.due_at),
    )
