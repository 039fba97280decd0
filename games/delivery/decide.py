"""Whether a notice is to be sent now: decided when it would be sent, by what is true and wanted then."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.db.models import Max

from accounts.models import User
from accounts.zones import zone
from games.log.positions import take_hidden
from games.log.seats import with_seats
from games.models import Game
from games.notices import preferences, presence, schedule
from games.notices.kinds import Cadence, Cause, Channel, NoticeKind, NoticeState
from games.notices.models import GameMute, Notice, Outlet
from games.notices.topic import Check, Situation
from games.notices.topics import TOPICS

UNKNOWN_FOR: Final = timedelta(hours=1)
"""How long a notice of a topic that is not known waits for a version of the site that knows it."""
UNKNOWN_AGAIN: Final = timedelta(minutes=5)
"""How long it waits between two looks."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Send:
    """It is to be sent now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """It is to be looked at again at an instant."""

    until: datetime
    cause: Cause


@dataclass(frozen=True, slots=True)
class Close:
    """It is not to be sent."""

    cause: Cause


type Verdict = Send | Wait | Close


class Decider:
    """Decides about notices of one person, by mail or for one outlet, with all that this takes read at once.

    That is six queries, five for an outlet, and one or two a topic.

    The topics say what it takes to know whether a notice is still so.
    """

    def __init__(self, user: User, notices: Iterable[Notice], now: datetime, outlet: Outlet | None = None) -> None:
        notices = tuple(notices)
        games = {notice.game_id for notice in notices if notice.game_id is not None}
        self.user = user
        self.now = now
        self.outlet = outlet
        self.choices = preferences.choices_of(user, Channel.MAIL if outlet is None else Channel(outlet.channel))
        self.muted = set(GameMute.objects.filter(user=user, game_id__in=games).values_list("game_id", flat=True))
        self.seen = presence.seen_at(user.pk, games)
        self.games = load_games(games)
        self.zone = zone(user.time_zone)
        self.morning = schedule.quiet_until(now, user.quiet_from, user.quiet_until, self.zone)
        self.turns_told_at = _turns_mailed_at(user) if outlet is None else None
        self.checks = _checks(notices, Situation(user, now, self.games, self.seen))

    def verdict(self, notice: Notice) -> Verdict:
        """Decide about one notice: first whether it is still so, then whether, then when it is wanted."""
        check = self.checks.get(notice.topic)
        if check is None or notice.kind not in NoticeKind:
            return self._unknown(notice)
        cause = check(notice) or self._unwanted(notice)
        if cause is not None:
            return Close(cause)
        return self._when(notice)

    def _when(self, notice: Notice) -> Verdict:
        """Decide when a notice that is so, and wanted, is to be sent."""
        kind = NoticeKind(notice.kind)
        choice = self.choices.kinds[kind]
        ripe = schedule.ripe_at(
            choice.cadence, notice.at, minutes=choice.minutes, hour=self.choices.digest_hour, zone=self.zone
        )
        if self.morning is not None and not self._breaks_quiet(notice):
            return Wait(self.morning, Cause.QUIET)
        if kind is NoticeKind.TURN and self.turns_told_at is not None:
            free = self.turns_told_at + schedule.TURNS_APART
            if free > max(ripe, self.now):
                return Wait(free, Cause.SPACED)
        if ripe > self.now:
            return Wait(ripe, Cause.DELAY if choice.cadence is Cadence.LATER else Cause.DIGEST)
        if self.is_present(notice) and self.now < ripe + schedule.HELD_FOR:
            gone = self.seen[notice.game_id or 0] + schedule.PRESENT_FOR
            return Wait(min(gone, ripe + schedule.HELD_FOR), Cause.PAGE_OPEN)
        return Send()

    def _breaks_quiet(self, notice: Notice) -> bool:
        """Return whether a notice may come in quiet hours: a warning that could not wait, or a test."""
        if notice.kind == NoticeKind.CLOCK and self.morning is not None:
            game = self.games.get(notice.game_id or 0)
            deadline = None if game is None else game.deadline
            return deadline is not None and deadline < self.morning + schedule.MORNING_LEFT
        return notice.kind == NoticeKind.TEST

    def is_present(self, notice: Notice) -> bool:
        """Return whether the person is at the notice's game, which the clock's warnings do not wait for."""
        if notice.kind == NoticeKind.CLOCK:
            return False
        seen = self.seen.get(notice.game_id or 0)
        return seen is not None and seen + schedule.PRESENT_FOR > self.now

    def _unknown(self, notice: Notice) -> Verdict:
        """Decide about a notice that another version of the site wrote.

        A newer one may be about to take over, so it waits a while and nothing is lost; then it is closed, and holds up
        nothing else.
        """
        if self.now < notice.at + UNKNOWN_FOR:
            return Wait(self.now + UNKNOWN_AGAIN, Cause.UNKNOWN)
        logger.error("notice of an unknown topic closed", notice=notice.pk, topic=notice.topic, kind=notice.kind)
        return Close(Cause.UNKNOWN)

    def _unwanted(self, notice: Notice) -> Cause | None:
        if not self.user.is_active:
            return Cause.NO_ACCOUNT
        if closed := self._barred():
            return closed
        if self.choices.kinds[NoticeKind(notice.kind)].cadence is Cadence.NEVER:
            return Cause.NOT_WANTED
        if notice.game_id in self.muted and notice.kind != NoticeKind.CLOCK:
            return Cause.MUTED
        return None

    def _barred(self) -> Cause | None:
        """Return why nothing at all may take this way."""
        if self.outlet is not None:
            return None if self.outlet.off_at is None else Cause.SWITCHED_OFF
        if not self.user.is_confirmed:
            return Cause.UNCONFIRMED
        return Cause.NO_ADDRESS if self.user.refuses_mail else None


def _turns_mailed_at(user: User) -> datetime | None:
    """Return when a mail about turns was last sent to a person."""
    told = Notice.objects.filter(user=user, kind=NoticeKind.TURN, state=NoticeState.SENT, outlet=None)
    last: datetime | None = told.aggregate(at=Max("closed_at"))["at"]
    return last


def load_games(games: set[int]) -> dict[int, Game]:
    """Return games by id with their seats and people loaded: two queries, none for no games."""
    if not games:
        return {}
    return {game.pk: take_hidden(game) for game in with_seats(Game.objects.defer(None).filter(pk__in=games))}


def _checks(notices: Iterable[Notice], person: Situation) -> dict[str, Check]:
    """Return the check of each known topic that the notices have."""
    groups: dict[str, list[Notice]] = {}
    for notice in notices:
        groups.setdefault(notice.topic, []).append(notice)
    return {value: TOPICS[value].outdated(group, person) for value, group in groups.items() if value in TOPICS}
