"""Where commands put what happened, within the transaction that made it so: facts become rows of the outbox."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from accounts.models import User
from games.models import Game, Holiday
from games.notices.facts import Fact
from games.notices.kinds import NoticeState
from games.notices.models import Notice
from games.notices.topic import Item
from games.notices.topics import holidays, items_of, test
from statements import Insert

NOTICE: Final = Insert(Notice, ignore_conflicts=True)


def enqueue(game: Game, *facts: Fact, now: datetime) -> None:
    """Put what happened in a locked game into the outbox: one query, for facts that concern any person.

    Bots get none. The game's seats and their users must be loaded. The same fact put there again changes nothing, as
    long as its notices are kept (`schedule.KEPT_FOR`).
    """
    _store((item for fact in facts for item in items_of(game, fact)), game, now)


def enqueue_each(facts: Iterable[tuple[Game, Fact]], now: datetime) -> None:
    """Put what happened in several locked games into the outbox: one query. As `enqueue` else."""
    _insert([row for game, fact in facts for row in _rows(items_of(game, fact), game, now)])


def enqueue_holiday(holiday: Holiday, now: datetime) -> None:
    """Put the beginning and the end of a holiday into the outbox, to be sent when they come: one query."""
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


def enqueue_test(user: User, now: datetime) -> None:
    """Put a test into the outbox: one query."""
    _store(test.items(user, now), None, now)


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
    return rows if game is None or not game.takes_bots else _of_people(rows)


def _of_people(rows: list[Notice]) -> list[Notice]:
    """Leave out those of bots, which read no mail and are in no other games: one query."""
    numbers = [row.user_id for row in rows]
    bots = {*User.objects.filter(pk__in=numbers).exclude(owner=None).values_list("pk", flat=True)}
    return [row for row in rows if row.user_id not in bots]


def _insert(rows: list[Notice]) -> None:
    if rows:
        NOTICE(*rows)
