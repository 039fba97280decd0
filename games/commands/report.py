"""Reporting somebody to the staff, and what the staff makes of it."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts import mails
from accounts.audit import Staff, record
from accounts.models import StaffAct, User
from games.commands._allowed import refuse_bot
from games.commands._lock import lock_person
from games.commands._open_game import RECENT
from games.errors import GameCode, GameError
from games.log.seats import load_seats
from games.log.talk import why_not_read_room
from games.log.unseen import heard_by
from games.models import Game, Message, Report, ReportKind, ReportOutcome, ReportState, Seat, SpectatorMessage

MOST_REPORTS: Final = 10
"""How many reports one person can send within `RECENT`."""


@transaction.atomic(durable=True)
def report_message(*, user: User, game_key: str, message_id: int, text: str, now: datetime) -> Report:
    """Report what another player wrote in a game to the staff, with the words as they are.

    The same while the staff is not done with it is no error. Raises `GameError`: ``nothing-to-report`` for what the
    person can't read or wrote themselves, ``not-for-bots``, ``too-many-reports``.
    """
    lock_person(user.pk)
    message = Message.objects.select_related("game").filter(pk=message_id, game__key=game_key).first()
    if message is None or not Seat.objects.filter(game=message.game_id, user=user).exists():
        raise GameError(GameCode.NOTHING_TO_REPORT)
    seat = Seat.objects.select_related("user").get(game=message.game_id, number=message.seat)
    if seat.user is None or seat.user_id == user.pk:
        raise GameError(GameCode.NOTHING_TO_REPORT)
    return _store(
        user,
        Report(
            kind=ReportKind.MESSAGE,
            reported=seat.user,
            game=message.game,
            message=message,
            thing=f"message:{message.pk}",
            quoted=message.text,
            name=seat.user.display_name,
            text=text,
            at=now,
        ),
    )


@transaction.atomic(durable=True)
def report_spectator(*, user: User, game_key: str, number: int, text: str, now: datetime) -> Report:
    """Report what another spectator wrote in a game to the staff, with the words as they are.

    The same while the staff is not done with it is no error. Raises `GameError`: ``nothing-to-report`` for what the
    person can't read or wrote themselves, ``not-for-bots``, ``too-many-reports``.
    """
    person = lock_person(user.pk)
    message = _read_in_room(game_key, number, person)
    author = None if message is None else message.spectator.user
    if message is None or author is None or author == person:
        raise GameError(GameCode.NOTHING_TO_REPORT)
    return _store(
        person,
        Report(
            kind=ReportKind.MESSAGE,
            reported=author,
            game=message.game,
            spectator_message=message,
            thing=f"spectator:{message.pk}",
            quoted=message.text,
            name=author.display_name,
            text=text,
            at=now,
        ),
    )


@transaction.atomic(durable=True)
def report_person(
    *, user: User, number: int, kind: ReportKind, text: str, now: datetime, game: Game | None = None
) -> Report:
    """Report a person's name, or how they play or behave, in a ``game`` or at all, to the staff.

    The same while the staff is not done with it is no error. Raises `GameError`: ``nothing-to-report`` for nobody whom
    anyone may see, and for oneself; ``not-for-bots``, ``too-many-reports``.
    """
    lock_person(user.pk)
    person = User.objects.shown().filter(pk=number).first()
    if person is None or person == user or kind == ReportKind.MESSAGE:
        raise GameError(GameCode.NOTHING_TO_REPORT)
    where = "" if game is None or kind == ReportKind.NAME else f":{game.key}"
    thing = f"{kind}:{person.pk}{where}"
    name = person.display_name
    return _store(
        user, Report(kind=kind, reported=person, game=game, thing=thing, quoted="", name=name, text=text, at=now)
    )


@transaction.atomic(durable=True)
def take_report(*, report_id: int, staff: Staff, now: datetime) -> Report:
    """Note that a member of the staff is looking at a report; one that is closed stays so."""
    report = Report.objects.select_for_update(no_key=True).get(pk=report_id)
    if report.state != ReportState.CLOSED:
        report.state, report.taken_by = ReportState.TAKEN, staff.name[:150]
        report.save(update_fields=["state", "taken_by"])
        record(staff, StaffAct.TAKE_REPORT, now, person=report.reported_id, report=report.pk)
    return report


@transaction.atomic(durable=True)
def close_report(*, report_id: int, outcome: ReportOutcome, staff: Staff, now: datetime) -> Report:
    """Close a report, and tell its author that it was looked at; one that is closed stays as it is."""
    report = Report.objects.select_for_update(no_key=True).get(pk=report_id)
    if report.state != ReportState.CLOSED:
        report.state, report.outcome, report.closed_at = ReportState.CLOSED, outcome, now
        report.save(update_fields=["state", "outcome", "closed_at"])
        record(staff, StaffAct.CLOSE_REPORT, now, person=report.reported_id, report=report.pk, outcome=outcome)
        _tell_reporter(report)
    return report


def _read_in_room(game_key: str, number: int, person: User) -> SpectatorMessage | None:
    """Return what a spectator wrote, with its author, if a person can read it."""
    game = Game.objects.filter(key=game_key).first()
    if game is None:
        return None
    load_seats(game)
    if why_not_read_room(game, person) is not None:
        return None
    return heard_by(game, person.pk).filter(number=number).first()


def _store(user: User, report: Report) -> Report:
    """Store a report of a locked person, unless the staff has the same one before it. Raises ``not-for-bots``."""
    refuse_bot(user)
    present = Report.objects.filter(reporter=user, thing=report.thing).exclude(state=ReportState.CLOSED).first()
    if present is not None:
        return present
    if Report.objects.filter(reporter=user, at__gt=report.at - RECENT).count() >= MOST_REPORTS:
        raise GameError(GameCode.TOO_MANY_REPORTS, most=MOST_REPORTS)
    report.reporter = user
    report.save(force_insert=True)
    return report


def _tell_reporter(report: Report) -> None:
    reporter = report.reporter
    if reporter is not None and reporter.is_confirmed:
        mails.ask(mails.REPORT_CLOSED, reporter.email, user=reporter, outcome=report.outcome, report=report.pk)
