"""Where commands tell what happened, within the transaction that made it so: the facts become rows of the outbox."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, assert_never

from accounts.models import User
from accounts.zones import zone
from games.clock import WarningKind
from games.log.table import people_in
from games.models import Game, Holiday
from games.models.choices import ProposalKind, ProposalOutcome, Reason, Status
from games.notices.facts import (
    AutopilotPlayed,
    CancelledBy,
    ConsentAsked,
    DeadlineMoved,
    ExpiryNears,
    Fact,
    GameCancelled,
    GameOver,
    GameStarted,
    Invited,
    Joined,
    MessageWritten,
    MovedBy,
    ProposalClosed,
    SeatRetired,
    TurnBegan,
)
from games.notices.kinds import KIND_OF, NoticeState, Topic
from games.notices.models import Notice

ANNOUNCED = frozenset({MovedBy.OUTAGE, MovedBy.TIME_CONTROL, MovedBy.STAFF})
"""Why a deadline moved, where its owner has not moved it and should hear of it."""
TOPIC_OF_WARNING = {WarningKind.HALF: Topic.HALF, WarningKind.LAST: Topic.LAST}


@dataclass(frozen=True, slots=True)
class _Item:
    """A fact as some people are to be told it."""

    topic: Topic
    people: Iterable[int | None]
    """Ids of users; None, for who has no account, is told nothing."""
    ref: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    at: datetime | None = None
    """From when it is true, if not from now."""


def enqueue(game: Game, *facts: Fact, now: datetime) -> None:
    """Put what happened in a locked game into the outbox: one query, for facts that concern any person.

    The game's seats and their users must be loaded. The same fact told again changes nothing.
    """
    _store((news for fact in facts for news in _news_of(game, fact, now)), game, now)


def enqueue_holiday(holiday: Holiday, user: User) -> None:
    """Put the beginning and the end of a holiday into the outbox, to be told when they come: one query."""
    here = zone(user.time_zone)
    begins = datetime.combine(holiday.first, time(), tzinfo=here)
    ends = datetime.combine(holiday.last + timedelta(days=1), time(), tzinfo=here)
    first, last = holiday.first.isoformat(), holiday.last.isoformat()
    params = {"holiday": holiday.pk, "first": first, "last": last}
    news = (
        _Item(Topic.HOLIDAY_BEGINS, [user.pk], f"{holiday.pk}:{first}", params, begins),
        _Item(Topic.HOLIDAY_ENDS, [user.pk], f"{holiday.pk}:{last}", params, ends),
    )
    _store(news, None, begins)


def enqueue_test(user: User, now: datetime) -> None:
    """Put a test into the outbox: one query."""
    _store([_Item(Topic.TEST, [user.pk], now.isoformat(timespec="seconds"))], None, now)


def _store(news: Iterable[_Item], game: Game | None, now: datetime) -> None:
    rows = [
        Notice(
            user_id=user_id,
            game=game,
            kind=KIND_OF[one.topic],
            topic=one.topic,
            ref=one.ref,
            params=dict(one.params),
            at=one.at or now,
            due_at=one.at or now,
        )
        for one in news
        for user_id in one.people
        if user_id is not None
    ]
    if rows:
        Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _news_of(game: Game, fact: Fact, now: datetime) -> Iterator[_Item]:
    """Yield what is to be told of a fact, with whom it concerns."""
    match fact:
        case TurnBegan() | DeadlineMoved():
            yield from _news_of_turn(game, fact, now)
        case AutopilotPlayed() | SeatRetired():
            yield from _news_of_seat(game, fact)
        case ConsentAsked(proposal, kind, seat, asked):
            params = {"proposal": proposal, "what": kind.value, "by": seat}
            yield _Item(Topic.ASKED, _in_seats(game, asked), str(proposal), params)
        case ProposalClosed():
            yield from _news_of_settled(game, fact)
        case Invited(user_id, by):
            yield _Item(Topic.INVITED, [user_id], params={"user": by, "size": game.size})
        case MessageWritten():
            yield from _news_of_message(game, fact)
        case _:
            yield from _news_of_game(game, fact)


def _news_of_game(game: Game, fact: Joined | GameStarted | GameOver | GameCancelled | ExpiryNears) -> Iterator[_Item]:
    everyone = [seat.user_id for seat in game.seats.all()]
    match fact:
        case Joined(user_id):
            if game.creator_id != user_id:
                yield _Item(Topic.JOINED, [game.creator_id], str(user_id), {"user": user_id})
        case GameStarted():
            yield _Item(Topic.STARTED, everyone)
        case GameOver():
            yield _Item(Topic.OVER, everyone)
        case GameCancelled(why):
            by_creator = why in {CancelledBy.CREATOR, CancelledBy.ACCOUNT}
            people = [user for user in everyone if not (by_creator and user == game.creator_id)]
            yield _Item(Topic.CANCELLED, people, params={"why": why.value})
        case ExpiryNears(expires_at):
            ref = _written(expires_at)
            yield _Item(Topic.EXPIRY, [game.creator_id], ref, {"expires_at": ref})
        case _:
            assert_never(fact)


def _news_of_turn(game: Game, fact: TurnBegan | DeadlineMoved, now: datetime) -> Iterator[_Item]:
    """Yield the turn or its new deadline, and the warnings that are still to come, each true from its own instant."""
    people = _in_seats(game, [fact.seat])
    deadline = _written(fact.deadline)
    match fact:
        case TurnBegan():
            yield _Item(Topic.TURN, people, str(fact.seq), {"seq": fact.seq, "turns": game.turns})
        case DeadlineMoved():
            if fact.why in ANNOUNCED:
                params = {"why": fact.why.value, "deadline": deadline, "turns": game.turns}
                yield _Item(Topic.MOVED, people, f"{game.turns}:{fact.why}:{deadline}", params)
        case _:
            assert_never(fact)
    for warning in fact.warnings:
        if warning.at > now:
            params = {"deadline": deadline, "turns": game.turns}
            yield _Item(TOPIC_OF_WARNING[warning.kind], people, f"{game.turns}:{deadline}", params, warning.at)


def _news_of_seat(game: Game, fact: AutopilotPlayed | SeatRetired) -> Iterator[_Item]:
    people = _in_seats(game, [fact.seat])
    match fact:
        case AutopilotPlayed(_, seq, misses):
            yield _Item(Topic.AUTOPILOT, people, str(seq), {"seq": seq, "misses": misses})
        case SeatRetired(_, seq, reason):
            if reason != Reason.RESIGNED:
                yield _Item(Topic.RETIRED, people, str(seq), {"seq": seq, "reason": reason.value})
        case _:
            assert_never(fact)


def _news_of_settled(game: Game, fact: ProposalClosed) -> Iterator[_Item]:
    """Yield how a proposal ended, unless it ended the game, or the game went past it: those are told by themselves."""
    cancelled = fact.kind == ProposalKind.CANCEL and fact.outcome == ProposalOutcome.ACCEPTED
    if cancelled or fact.outcome == ProposalOutcome.LAPSED or game.status != Status.ACTIVE:
        return
    others = [number for number in people_in(game) if number != fact.seat]
    params = {"what": fact.kind.value, "outcome": fact.outcome.value, "by": fact.seat}
    yield _Item(Topic.SETTLED, _in_seats(game, others), str(fact.proposal_id), params)


def _news_of_message(game: Game, fact: MessageWritten) -> Iterator[_Item]:
    """Yield that there are messages, unless a notice that waits says so already: one query.

    That one is kept from being taken for a mail until our message can be read; one that was taken says nothing of it.
    """
    others = {seat.user_id for seat in game.seats.all() if seat.number != fact.seat and seat.user_id is not None}
    waiting = Notice.objects.select_for_update(no_key=True).filter(
        user__in=others, game=game, topic=Topic.MESSAGE, state=NoticeState.WAITING, message_id=""
    )
    people = others - set(waiting.values_list("user_id", flat=True))
    yield _Item(Topic.MESSAGE, sorted(people), str(fact.message_id), {"first": fact.message_id})


def _in_seats(game: Game, numbers: Sequence[int]) -> list[int | None]:
    return [seat.user_id for seat in game.seats.all() if seat.number in numbers]


def _written(instant: datetime | None) -> str:
    return "" if instant is None else instant.isoformat()
