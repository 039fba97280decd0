"""Whether a notice is to be told now: decided when it would be sent, by what is true and wanted then."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max

from accounts.models import User
from accounts.zones import zone
from games.log.seats import with_seats
from games.log.table import ENDED, next_actor, seat_of
from games.models import Game, Holiday, Invitation, Message, Proposal
from games.models.choices import Status
from games.notices import preferences, presence, schedule
from games.notices.kinds import Cadence, Cause, NoticeKind, Topic
from games.notices.models import GameMute, Notice


@dataclass(frozen=True, slots=True)
class Send:
    """It is to be told now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """It is to be looked at again at an instant."""

    until: datetime
    cause: Cause


@dataclass(frozen=True, slots=True)
class Close:
    """It is not to be told."""

    cause: Cause


type Verdict = Send | Wait | Close


class Decider:
    """Decides about notices of one person, with all that this takes read at once: at most nine queries."""

    def __init__(self, user: User, notices: Iterable[Notice], now: datetime) -> None:
        notices = tuple(notices)
        games = {notice.game_id for notice in notices if notice.game_id is not None}
        self.user = user
        self.now = now
        self.choices = preferences.choices_of(user)
        self.games = load_games(games)
        self.muted = set(GameMute.objects.filter(user=user, game_id__in=games).values_list("game_id", flat=True))
        self.seen = presence.seen_at(user.pk, games)
        self.proposals = self._open_proposals(notices)
        self.holidays = self._holidays(notices)
        self.declined = self._declined(notices)
        self.written = self._written(notices)

    def verdict(self, notice: Notice) -> Verdict:
        """Decide about one notice: first whether it is still so, then whether, then when it is wanted."""
        cause = self.outdated(notice) or self._unwanted(notice)
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
        """Tell whether the person has the notice's game open."""
        seen = self.seen.get(notice.game_id or 0)
        return seen is not None and seen + schedule.PRESENT_FOR > self.now

    def outdated(self, notice: Notice) -> Cause | None:
        """Return why a notice is not so any more, or None."""
        game = None if notice.game_id is None else self.games[notice.game_id]
        cause = None
        match Topic(notice.topic):
            case Topic.TURN:
                cause = self._not_to_move(game, notice.params)
            case Topic.HALF | Topic.LAST | Topic.MOVED:
                cause = self._not_to_move(game, notice.params) or self._other_deadline(game, notice.params)
            case Topic.STARTED:
                cause = Cause.GAME_OVER if game is not None and game.status in ENDED else None
            case Topic.INVITED | Topic.JOINED | Topic.EXPIRY:
                cause = _not_open(game) or self._past(notice, game)
            case Topic.ASKED:
                cause = None if notice.params["proposal"] in self.proposals else Cause.ANSWERED
            case Topic.HOLIDAY_BEGINS | Topic.HOLIDAY_ENDS:
                cause = self._no_such_holiday(notice)
            case Topic.MESSAGE:
                cause = self._read(notice)
            case Topic.AUTOPILOT | Topic.RETIRED | Topic.OVER | Topic.CANCELLED | Topic.SETTLED | Topic.TEST:
                pass  # what is done stays done
        return cause

    def _not_to_move(self, game: Game | None, params: Mapping[str, Any]) -> Cause | None:
        if game is None or game.status in ENDED:
            return Cause.GAME_OVER
        mover = next_actor(game)
        if mover is None or mover.user_id != self.user.pk or game.turns != params["turns"]:
            return Cause.TURN_OVER
        return None

    def _other_deadline(self, game: Game | None, params: Mapping[str, Any]) -> Cause | None:
        deadline = None if game is None else game.deadline
        if deadline != _read(params["deadline"]):
            return Cause.OTHER_DEADLINE
        return Cause.TOO_LATE if deadline is not None and deadline <= self.now else None

    def _past(self, notice: Notice, game: Game | None) -> Cause | None:
        """Return what makes a notice about an open game needless, or None."""
        match Topic(notice.topic):
            case Topic.INVITED if game is not None:
                answered = game.pk in self.declined or seat_of(game, self.user) is not None
                return Cause.ANSWERED if answered else None
            case Topic.EXPIRY:
                return _kept_open(game, notice.params)
            case _:
                return None

    def _read(self, notice: Notice) -> Cause | None:
        """Say so if the person has had the game open since the last message of the others."""
        seen, written = self.seen.get(notice.game_id or 0), self.written.get(notice.game_id or 0)
        return Cause.READ if seen is not None and written is not None and seen > written else None

    def _no_such_holiday(self, notice: Notice) -> Cause | None:
        days = self.holidays.get(notice.params["holiday"])
        if days is None:
            return Cause.TAKEN_BACK
        if notice.topic == Topic.HOLIDAY_ENDS:
            return None if days[1] == notice.params["last"] else Cause.TAKEN_BACK
        return None if days[0] == notice.params["first"] else Cause.TAKEN_BACK

    def _unwanted(self, notice: Notice) -> Cause | None:
        if not self.user.is_active:
            return Cause.NO_ACCOUNT
        if self.user.refuses_mail:
            return Cause.NO_ADDRESS
        if self.choices.kinds[NoticeKind(notice.kind)].cadence is Cadence.NEVER:
            return Cause.NOT_WANTED
        if notice.game_id in self.muted and notice.kind != NoticeKind.CLOCK:
            return Cause.MUTED
        return None

    def _open_proposals(self, notices: Iterable[Notice]) -> set[int]:
        """Return which of the proposals that the notices are about still wait for this person's answer."""
        asked = {notice.params["proposal"] for notice in notices if notice.topic == Topic.ASKED}
        if not asked:
            return set()
        rows = Proposal.objects.filter(pk__in=asked, closed_at=None).prefetch_related("consents")
        return {
            row.pk
            for row in rows
            if (seat := seat_of(self.games[row.game_id], self.user)) is not None
            and not seat.retired
            and seat.number not in {consent.seat for consent in row.consents.all()}
        }

    def _holidays(self, notices: Iterable[Notice]) -> dict[int, tuple[str, str]]:
        asked = {notice.params["holiday"] for notice in notices if "holiday" in notice.params}
        if not asked:
            return {}
        rows = Holiday.objects.filter(user=self.user, pk__in=asked)
        return {row.pk: (row.first.isoformat(), row.last.isoformat()) for row in rows}

    def _declined(self, notices: Iterable[Notice]) -> set[int]:
        """Return the games to which the person does not want to be invited."""
        games = {notice.game_id for notice in notices if notice.topic == Topic.INVITED}
        if not games:
            return set()
        rows = Invitation.objects.filter(user=self.user, game__in=games, declined_at__isnull=False)
        return set(rows.values_list("game_id", flat=True))

    def _written(self, notices: Iterable[Notice]) -> dict[int, datetime]:
        """Return when someone else last wrote in each of the games whose messages the notices are about."""
        about = [notice for notice in notices if notice.topic == Topic.MESSAGE]
        if not about:
            return {}
        first = min(notice.params["first"] for notice in about)
        rows = Message.objects.filter(game__in={notice.game_id for notice in about}, pk__gte=first)
        written: dict[int, datetime] = {}
        for game_id, number, at in rows.values_list("game_id", "seat").annotate(at=Max("at")).order_by("at"):
            own = seat_of(self.games[game_id], self.user)
            if own is None or own.number != number:
                written[game_id] = at
        return written


def _not_open(game: Game | None) -> Cause | None:
    if game is None or game.status == Status.OPEN:
        return None
    return Cause.GAME_OVER if game.status in ENDED else Cause.GAME_STARTED


def _kept_open(game: Game | None, params: Mapping[str, Any]) -> Cause | None:
    return Cause.OTHER_DEADLINE if game is not None and game.expires_at != _read(params["expires_at"]) else None


def load_games(games: set[int]) -> dict[int, Game]:
    """Return games by id with their seats and people loaded: two queries, none for no games."""
    if not games:
        return {}
    return {game.pk: game for game in with_seats(Game.objects.filter(pk__in=games))}


def _read(instant: str) -> datetime | None:
    return datetime.fromisoformat(instant) if instant else None
