"""Whether a notice is to be sent now: decided when it would be sent, by what is true and wanted then."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog

from accounts.models import User
from accounts.zones import zone
from games.log.positions import take_hidden
from games.log.seats import with_seats
from games.models import Game
from games.notices import preferences, presence, schedule
from games.notices.kinds import Cadence, Cause, NoticeKind
from games.notices.models import GameMute, Notice
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
    """Decides about notices of one person, with all that this takes read at once: five queries, and one or two a topic.

    The topics say what it takes to know whether a notice is still so.
    """

    def __init__(self, user: User, notices: Iterable[Notice], now: datetime) -> None:
        notices = tuple(notices)
        games = {notice.game_id for notice in notices if notice.game_id is not None}
        self.user = user
        self.now = now
        self.choices = preferences.choices_of(user)
        self.muted = set(GameMute.objects.filter(user=user, game_id__in=games).values_list("game_id", flat=True))
        self.seen = presence.seen_at(user.pk, games)
        self.checks = _checks(notices, Situation(user, now, load_games(games), self.seen))

    def verdict(self, notice: Notice) -> Verdict:
        """Decide about one notice: first whether it is still so, then whether, then when it is wanted."""
        check = self.checks.get(notice.topic)
        if check is None or notice.kind not in NoticeKind:
            return self._unknown(notice)
        cause = check(notice) or self._unwanted(notice)
        if cause is not None:
            return Close(cause)
        choice = self.choices.kinds[NoticeKind(notice.kind)]
        ripe = schedule.ripe_at(
            choice.cadence,
            notice.at,
            minutes=choice.minutes,
            hour=self.choices.digest_hour,
            zone=zone(self.user.time_zone),
        )
        if ripe > self.now:
            return Wait(ripe, Cause.DELAY if choice.cadence is Cadence.LATER else Cause.DIGEST)
        if self.is_present(notice):
            return Wait(self.seen[notice.game_id or 0] + schedule.PRESENT_FOR, Cause.PAGE_OPEN)
        return Send()

    def is_present(self, notice: Notice) -> bool:
        """Return whether the person has the notice's game open."""
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
        if not self.user.is_confirmed:
            return Cause.UNCONFIRMED
        if self.user.refuses_mail:
            return Cause.NO_ADDRESS
        if self.choices.kinds[NoticeKind(notice.kind)].cadence is Cadence.NEVER:
            return Cause.NOT_WANTED
        if notice.game_id in self.muted and notice.kind != NoticeKind.CLOCK:
            return Cause.MUTED
        return None


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
