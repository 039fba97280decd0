"""What is due at an instant, for the sweeps; and what should have been done long before, for the alarm."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts import archives
from accounts.figures import AccountMailTrouble, account_mail_trouble
from games.commands.answer_puzzle import MOST_TRIES
from games.commands.review_game import MOST_ATTEMPTS
from games.commands.search_puzzles import SEARCH
from games.models import Charge, Game, Heartbeat, JudgedTurn, Pause, Plan, PlanState, Remark, Review, Setback
from games.models.choices import Status
from games.models.game import EXPIRY_NOTICE
from games.models.time import CLOCKS as CLOCKS  # noqa: PLC0414 - beside the others
from games.models.time import WEB
from games.queries.relay import MailTrouble, mail_trouble

BOTS: Final = "bots"
"""The heartbeat of the sweep that lets computer players move."""
NOTICES: Final = "mails"
"""The heartbeat of the sweep that sends notices."""
OUTLETS: Final = "outlets"
"""The heartbeat of the sweep that calls outlets."""
RATINGS: Final = "ratings"
"""The heartbeat of the sweep that rates games."""
REVIEWS: Final = "reviews"
"""The heartbeat of the sweep that makes reviews."""
HEARTBEATS: Final = (CLOCKS, BOTS, NOTICES)
"""The heartbeats that a healthy site has."""
RARE: Final = (SEARCH,)
"""Sweeps that run once an hour: by their heartbeats nobody can tell whether they are alive."""
UNSETTLED_AFTER: Final = timedelta(minutes=10)
"""How long after its end a rated game may wait to be rated."""
REVIEW_LATE_AFTER: Final = timedelta(hours=1)
"""How long a review may be awaited."""
OVERDUE_AFTER: Final = timedelta(minutes=5)
"""How long after its deadline an open turn means that something is wrong."""
STUCK_AFTER: Final = 6
"""How often a turn must have failed: the sixth attempt comes more than five minutes after the first."""
HEARTBEAT_OLD: Final = timedelta(minutes=3)
"""How old a heartbeat may be."""


@dataclass(frozen=True, slots=True)
class Overdue:
    """A running game whose turn should have been ended."""

    key: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Stuck:
    """A running game whose turn a worker has failed to play again and again."""

    key: str
    attempts: int
    retry_at: datetime
    cause: str
    """A word for the staff, which quotes nothing of the game."""


@dataclass(frozen=True, slots=True)
class OldHeartbeat:
    """A sweep that was not heard of for too long, or never (None)."""

    name: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why somebody should look after the site: empty when all is well."""

    overdue: tuple[Overdue, ...]
    stuck: tuple[Stuck, ...]
    heartbeats: tuple[OldHeartbeat, ...]
    mail: MailTrouble
    account_mail: AccountMailTrouble
    archives: int
    """How many people wait for an archive of their data, too long or in vain."""
    pauses: tuple[Pause, ...]
    """Outages that were not given back in time, and the pause of all clocks."""
    unsettled: str = ""
    """The key of a game that has waited too long to be rated, the one that ended first; empty if there is none."""
    review: datetime | None = None
    """Since when the review is awaited that has been for longest, if that is too long."""

    def __bool__(self) -> bool:
        """Return whether there is a reason."""
        late = self.mail or self.account_mail or self.archives or self.unsettled or self.review
        return any((self.overdue, self.stuck, self.heartbeats, late, self.pauses))


def claim_due_turns(now: datetime, size: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of at most ``size`` games whose deadline has come, longest ago first, none that is locked.

    One query over the index of deadlines. The claim is a hint, which ends with this call: `expire_turn` locks each game
    and asks again, so two sweeps can share what is due, and one that dies holds nothing back.
    """
    games = not_set_back(Game.objects.filter(deadline__lte=now), now).exclude(pk__in=besides).order_by("deadline")
    with transaction.atomic():
        if connection.features.has_select_for_update_skip_locked:
            games = games.select_for_update(skip_locked=True, no_key=True)
        return list(games.values_list("pk", flat=True)[:size])


def not_set_back(games: QuerySet[Game], now: datetime) -> QuerySet[Game]:
    """Leave out the games whose turn could not be played a moment ago."""
    return games.exclude(Exists(Setback.objects.filter(game=OuterRef("pk"), seq=OuterRef("seq"), retry_at__gt=now)))


def uncredited_outages(until: datetime) -> list[Pause]:
    """Return the outages that are over and that some turn may still have to be given back, earliest first.

    One that began at ``until`` or later, the last instant at which the site was known to be up, still goes on.
    """
    rows = Pause.objects.filter(game=None, credited=False, end__isnull=False, start__lt=until)
    return list(rows.order_by("start"))


def games_to_credit(outage: Pause, size: int, after: int) -> list[int]:
    """Return the ids above ``after`` of at most ``size`` games whose open turn may have to be given back an outage.

    In those of `charged_games` nothing is left to do then.
    """
    remarked = Remark.objects.filter(game=OuterRef("pk"), pause=outage)
    games = Game.objects.filter(~Exists(remarked), status=Status.ACTIVE, bot_to_move=False, pk__gt=after)
    games = games.filter(turn_began_at__lt=outage.end).order_by("pk")
    return list(games.values_list("pk", flat=True)[:size])


def charged_games(outage: Pause) -> list[int]:
    """Return the ids of running games in which an outage touches a settled clock, and which lack its remark."""
    remarked = Remark.objects.filter(game=OuterRef("seat__game"), pause=outage)
    charges = Charge.objects.filter(~Exists(remarked), end__gt=outage.start, start__lt=outage.end)
    return sorted(set(charges.filter(seat__game__status=Status.ACTIVE).values_list("seat__game", flat=True)))


def games_without_clock(size: int) -> list[int]:
    """Return the ids of running games in which a person is to move and no time runs, though nobody has stopped it."""
    if Pause.objects.filter(game=None, end=None).exists():
        return []
    stopped = Pause.objects.filter(game=OuterRef("pk"), end=None)
    games = Game.objects.filter(~Exists(stopped), status=Status.ACTIVE, bot_to_move=False, deadline=None)
    return list(games.values_list("pk", flat=True)[:size])


def games_with_due_plans(size: int) -> list[int]:
    """Return the ids of at most ``size`` games in which a turn has begun whose seat has plans, and nobody has looked.

    One query over the index of due plans, which are few: a nudge makes them be looked at at once.
    """
    due = Plan.objects.filter(state=PlanState.DUE).order_by("seat__game")
    return list(due.values_list("seat__game", flat=True).distinct()[:size])


def due_open_games(now: datetime, size: int) -> list[int]:
    """Return the ids of open games that are at their end, or near it and without a notice of that."""
    near = Q(expires_at__lte=now + EXPIRY_NOTICE, expiry_noticed=False)
    games = Game.objects.filter(near | Q(expires_at__lte=now), status=Status.OPEN).order_by("expires_at")
    return list(games.values_list("pk", flat=True)[:size])


def series_to_continue(size: int) -> list[int]:
    """Return the ids of finished games of series after which another begins, those that wait longest first."""
    games = Game.objects.filter(status=Status.FINISHED, is_followed=True).order_by("id")
    return list(games.values_list("pk", flat=True)[:size])


def games_to_tally(now: datetime, size: int) -> list[int]:
    """Return the ids of finished games that were not counted up yet, but for those that failed a moment ago."""
    games = not_set_back(Game.objects.filter(status=Status.FINISHED, is_tallied=False), now).order_by("id")
    return list(games.values_list("pk", flat=True)[:size])


def alarm(now: datetime) -> Alarm:
    """Return what is wrong with the turns, the clocks, the sweeps, the mails and the reviews: 13 queries at most."""
    return Alarm(
        overdue=overdue_turns(now),
        stuck=stuck_games(),
        heartbeats=old_heartbeats(now),
        mail=mail_trouble(now),
        account_mail=account_mail_trouble(now),
        archives=archives.count_late(now),
        pauses=open_pauses(now),
        unsettled=unsettled_game(now),
        review=late_review(now),
    )


def games_to_settle(size: int) -> list[int]:
    """Return the ids of at most ``size`` games that have ended and are not settled: the rated ones, in that order."""
    games = Game.objects.filter(status=Status.FINISHED, settled=False).order_by("-rated", "finished_at", "pk")
    return list(games.values_list("pk", flat=True)[:size])


def unsettled_game(now: datetime) -> str:
    """Return the key of the rated game that has waited longest for that, if it is too long; else the empty text."""
    games = Game.objects.filter(status=Status.FINISHED, settled=False, rated=True)
    late = games.filter(finished_at__lt=now - UNSETTLED_AFTER).order_by("finished_at", "pk")
    return late.values_list("key", flat=True).first() or ""


def open_pauses(now: datetime) -> tuple[Pause, ...]:
    """Return the outages that should have been given back minutes ago, and the pause of all clocks, if they stand."""
    late = Q(end=None) | Q(end__lt=now - OVERDUE_AFTER)
    return tuple(Pause.objects.filter(late, game=None, credited=False).order_by("start"))


def games_to_warn(now: datetime, size: int, besides: Collection[int] = ()) -> list[int]:
    """Return the ids of at most ``size`` games in which a warning of the clock has come, longest ago first.

    One query over the index of warnings.
    """
    games = Game.objects.filter(warning_at__lte=now).exclude(pk__in=besides).order_by("warning_at")
    return list(games.values_list("pk", flat=True)[:size])


def overdue_turns(now: datetime, size: int = 100) -> tuple[Overdue, ...]:
    """Return the open turns that should have been ended more than five minutes ago, at most ``size`` of them."""
    rows = Game.objects.filter(deadline__lt=now - OVERDUE_AFTER).order_by("deadline").values_list("key", "deadline")
    return tuple(Overdue(key, due) for key, due in rows[:size] if due is not None)


def overdue_count(now: datetime) -> int:
    """Return how many open turns should have been ended more than five minutes ago."""
    return Game.objects.filter(deadline__lt=now - OVERDUE_AFTER).count()


def oldest_review() -> datetime | None:
    """Return since when the review is awaited that has waited longest, but for those that were given up."""
    waiting = Review.objects.filter(made_at=None, attempts__lt=MOST_ATTEMPTS)
    return waiting.order_by("at").values_list("at", flat=True).first()


def late_review(now: datetime) -> datetime | None:
    """Return since when the review is awaited that has waited longest, if it is too long."""
    since = oldest_review()
    return since if since is not None and now - since > REVIEW_LATE_AFTER else None


def oldest_answer() -> datetime | None:
    """Return since when the answer to a puzzle waits to be judged that has waited longest, as above."""
    waiting = JudgedTurn.objects.filter(judged_at=None, tries__lt=MOST_TRIES)
    return waiting.order_by("asked_at").values_list("asked_at", flat=True).first()


def stuck_games(size: int = 100) -> tuple[Stuck, ...]:
    """Return the games whose open turn has failed `STUCK_AFTER` times or more, at most ``size``, the worst first."""
    rows = _stuck().order_by("-attempts", "pk").values_list("game__key", "attempts", "retry_at", "cause")
    return tuple(Stuck(*row) for row in rows[:size])


def stuck_count() -> int:
    """Return how many games there are whose open turn has failed `STUCK_AFTER` times or more."""
    return _stuck().count()


def _stuck() -> QuerySet[Setback]:
    return Setback.objects.filter(seq=F("game__seq"), game__status=Status.ACTIVE, attempts__gte=STUCK_AFTER)


def heard_of() -> dict[str, datetime]:
    """Return when each sweep was last heard of, but for rare ones: one query."""
    return dict(Heartbeat.objects.exclude(name__in=RARE).values_list("name", "at"))


def old_heartbeats(now: datetime) -> tuple[OldHeartbeat, ...]:
    """Return the sweeps that were not heard of for more than three minutes; the web server too, if anyone asks it."""
    heard = heard_of()
    asked = (WEB,) if settings.PROBE_URL else ()
    names = sorted({*HEARTBEATS, *asked, *heard})
    return tuple(
        OldHeartbeat(name, heard.get(name)) for name in names if name not in heard or now - heard[name] > HEARTBEAT_OLD
    )
