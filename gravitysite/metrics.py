"""The site's figures for Prometheus, read from the database when they are asked for.

So every web process gives the same answer, whichever is asked, and a restart loses no count.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import chain
from math import inf
from threading import Lock
from typing import Final

import redis
from django.conf import settings
from django.db.models import Count, Max, Min
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts.figures import account_mail_trouble, account_mails_by_result, oldest_account_mail
from games.live import views as live
from games.models import Entry, Game
from games.models.choices import Actor, EntryEvent, Reason, Status
from games.notices.figures import notices_by_result, oldest_due
from games.queries import due, relay

SETTLED: Final = timedelta(minutes=10)
"""No transaction lasts longer, so no older row of the log can still appear."""
QUEUES: Final = ("timers", "mail", "outlets", "bots", "reviews")


def write_metrics(now: datetime) -> bytes:
    """Return all figures of the site in Prometheus's text format."""
    return _written(chain.from_iterable(family(now) for family in FAMILIES))


def write_live_metrics() -> bytes:
    """Return the figures of this process, where it is ``live``: nobody else knows them."""
    return _written(streams())


def _written(metrics: Iterable[Metric]) -> bytes:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(metrics))
    return generate_latest(registry)


class _Collector(Collector):
    """Hands on the figures of one scrape."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self.metrics = metrics

    def collect(self) -> Iterable[Metric]:
        """Return each family of figures."""
        return self.metrics


# --- The log -----------------------------------------------------------------------------------------------------

type _Kind = tuple[str, str, str]


class _LogTally:
    """Counts the rows of the move log by kind. The old ones, which never change, are counted once a process."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.up_to = 0
        self.settled: Counter[_Kind] = Counter()

    def count(self, now: datetime) -> Counter[_Kind]:
        """Return how many rows there are of each (by, event, reason)."""
        with self.lock:
            limit = self._settled_limit(now)
            if limit > self.up_to:
                self.settled += _count_entries(self.up_to, limit)
                self.up_to = limit
            return self.settled + _count_entries(self.up_to, None)

    def _settled_limit(self, now: datetime) -> int:
        """Return the id up to which every row that will ever be there is there."""
        recent = Entry.objects.filter(pk__gt=self.up_to, at__gte=now - SETTLED).aggregate(first=Min("pk"))["first"]
        if recent is not None:
            return int(recent) - 1
        return int(Entry.objects.aggregate(last=Max("pk"))["last"] or 0)


def _count_entries(after: int, up_to: int | None) -> Counter[_Kind]:
    rows = Entry.objects.filter(pk__gt=after)
    if up_to is not None:
        rows = rows.filter(pk__lte=up_to)
    return Counter(
        {
            (by, event, reason): n
            for by, event, reason, n in rows.values_list("by", "event", "reason").annotate(n=Count("pk")).order_by()
        }
    )


_tally = _LogTally()


def turns(now: datetime) -> Iterable[Metric]:
    """Turns in the log, by who played them; and what came of clocks that ran out."""
    counted = _tally.count(now)
    played = CounterMetricFamily("gravity_turns", "Turns in the log", labels=["by"])
    for by in (Actor.PLAYER, Actor.BOT, Actor.AUTOPILOT):
        played.add_metric([by.value], counted[by.value, "", ""])
    yield played
    timeouts = CounterMetricFamily("gravity_timeouts", "Clocks that ran out, by what followed", labels=["outcome"])
    timeouts.add_metric(["autopilot"], counted[Actor.AUTOPILOT.value, "", ""])
    retired = (n for (_by, event, why), n in counted.items() if (event, why) == (EntryEvent.RETIRE, Reason.TIMEOUT))
    timeouts.add_metric(["retired"], sum(retired))
    yield timeouts


def games(_now: datetime) -> Iterable[Metric]:
    """Games by status."""
    counted = dict(Game.objects.values_list("status").annotate(n=Count("*")).order_by())
    family = GaugeMetricFamily("gravity_games", "Games, by status", labels=["status"])
    for status in Status:
        family.add_metric([status.value], counted.get(status.value, 0))
    yield family


def notices(_now: datetime) -> Iterable[Metric]:
    """Notices by what became of them, and why; those that wait can become fewer, so these are no counters."""
    family = GaugeMetricFamily("gravity_notices", "Notices, by result", labels=["result", "reason"])
    for (state, cause), n in sorted(notices_by_result().items()):
        family.add_metric([state, cause], n)
    yield family


def mails(now: datetime) -> Iterable[Metric]:
    """What is wrong with mails: whether sending rests, and what the mail server did not take."""
    yield GaugeMetricFamily(
        "gravity_mail_paused", "Whether sending rests since many mails were refused", value=relay.is_paused(now)
    )
    found = relay.mail_trouble(now)
    trouble = GaugeMetricFamily("gravity_mail_trouble", "Mails that do not get away, by what is wrong", labels=["what"])
    trouble.add_metric(["refused"], found.refused)
    trouble.add_metric(["late"], found.late)
    trouble.add_metric(["given-up"], found.given_up)
    yield trouble
    yield GaugeMetricFamily(
        "gravity_refused_addresses", "People whose address nobody has", value=relay.refused_addresses()
    )


def account_mails(now: datetime) -> Iterable[Metric]:
    """Mails about accounts of the last day, by what became of them, and what is wrong with them."""
    family = GaugeMetricFamily("gravity_account_mails", "Mails about accounts of a day, by result", labels=["result"])
    for result, n in account_mails_by_result().items():
        family.add_metric([result], n)
    yield family
    found = account_mail_trouble(now)
    trouble = GaugeMetricFamily(
        "gravity_account_mail_trouble", "Mails about accounts that do not get away, by what is wrong", labels=["what"]
    )
    trouble.add_metric(["late"], found.late)
    trouble.add_metric(["given-up"], found.given_up)
    yield trouble
    yield GaugeMetricFamily(
        "gravity_account_mail_age_seconds",
        "Time since the mail about an account was asked for that has waited for longest",
        value=_seconds(now, oldest_account_mail()),
    )


# --- What waits --------------------------------------------------------------------------------------------------


def queues(now: datetime) -> Iterable[Metric]:
    """How long the oldest piece of work has been waiting, and how many messages the broker holds."""
    age = GaugeMetricFamily("gravity_queue_age_seconds", "Age of the oldest work that waits", labels=["queue"])
    oldest = Game.objects.filter(bot_to_move=True).aggregate(at=Min("turn_began_at"))["at"]
    age.add_metric(["bots"], _seconds(now, oldest))
    deadline = Game.objects.filter(deadline__lte=now).aggregate(at=Min("deadline"))["at"]
    age.add_metric(["timers"], _seconds(now, deadline))
    mails, outlets = oldest_due(now)
    age.add_metric(["mail"], _seconds(now, mails))
    age.add_metric(["outlets"], _seconds(now, outlets))
    awaited = [at for at in (due.oldest_review(), due.oldest_answer()) if at is not None]
    age.add_metric(["reviews"], _seconds(now, min(awaited, default=None)))
    yield age
    yield GaugeMetricFamily(
        "gravity_overdue_games",
        "Open turns that should have been ended more than five minutes ago",
        value=due.overdue_count(now),
    )
    yield GaugeMetricFamily(
        "gravity_stuck_games", "Games whose open turn fails again and again", value=due.stuck_count()
    )
    length = GaugeMetricFamily("gravity_queue_messages", "Messages that the broker holds", labels=["queue"])
    for queue, messages in _broker_lengths().items():
        length.add_metric([queue], messages)
    yield length


def _broker_lengths() -> dict[str, int]:
    if not settings.REDIS_URL:
        return {}
    client = redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        return {queue: int(client.llen(queue)) for queue in QUEUES}
    except redis.RedisError:
        return {}
    finally:
        client.close()


def _seconds(now: datetime, since: datetime | None) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())


def pauses(now: datetime) -> Iterable[Metric]:
    """Whether all clocks stand still, and how many outages should have been given back minutes ago."""
    found = due.open_pauses(now)
    stopped = sum(pause.end is None for pause in found)
    yield GaugeMetricFamily("gravity_clocks_stopped", "Whether the staff has stopped all clocks", value=stopped)
    yield GaugeMetricFamily(
        "gravity_outages_not_given_back",
        "Outages that should have been given back more than five minutes ago",
        value=len(found) - stopped,
    )


# --- Streams -----------------------------------------------------------------------------------------------------


def streams() -> Iterable[Metric]:
    """How many streams this process holds, and whether it hears of the changes that it tells them."""
    yield GaugeMetricFamily("gravity_live_streams", "Streams that are open", value=live.open_streams())
    yield GaugeMetricFamily("gravity_live_hearing", "Whether Redis is heard", value=live.is_hearing())


# --- Heartbeats --------------------------------------------------------------------------------------------------


def heartbeats(now: datetime) -> Iterable[Metric]:
    """Age of each heartbeat; one that was never heard of counts as infinitely old."""
    family = GaugeMetricFamily("gravity_heartbeat_age_seconds", "Time since a sweep was heard of", labels=["name"])
    heard = due.heard_of()
    for name in sorted({*due.HEARTBEATS, *heard}):
        family.add_metric([name], (now - heard[name]).total_seconds() if name in heard else inf)
    yield family


FAMILIES: Final[tuple[Callable[[datetime], Iterable[Metric]], ...]] = (
    turns,
    games,
    notices,
    mails,
    account_mails,
    queues,
    pauses,
    heartbeats,
)
