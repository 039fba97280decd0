"""What the staff can do about games, people and reports: commands, each on a page that asks why."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from django import forms
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import mails, sessions, tokens
from accounts.acts import Act, Acting, ReasonForm, UntilForm, WordsForm
from accounts.audit import Staff, record
from accounts.factors import remove_factors
from accounts.models import StaffAct, User
from engine.errors import Refusal
from games import commands
from games.errors import GameCode, GameError
from games.models import Game, Report, ReportOutcome, ReportState
from games.models.choices import Actor, Reason, Status
from games.words.refusals import explain


class PublicReasonForm(ReasonForm):
    """Asks besides what the players read in the game's log."""

    public_why = forms.CharField(
        label=_("What the players read"),
        help_text=_("Stands in the log of the game for all to read; name nobody."),
        max_length=200,
    )


class TimeForm(PublicReasonForm):
    """Asks besides how much time is given."""

    minutes = forms.IntegerField(label=_("How many minutes more"), min_value=1, max_value=14 * 24 * 60)


class SeatForm(PublicReasonForm):
    """Asks besides which seat is put out of the game."""

    seat = forms.IntegerField(label=_("Number of the seat"), min_value=1, max_value=20)


class OutcomeForm(ReasonForm):
    """Asks besides what the author of a report is told."""

    outcome = forms.ChoiceField(label=_("What came of it"), choices=ReportOutcome.choices, widget=forms.RadioSelect)


class Acts(Acting):
    """Acts that are commands: what these refuse is said on the page that asked.

    Nobody judges a report of themselves, or of their own, or touches a game that they play in: that is for another
    member of the staff. A superuser may, as there may be nobody else.
    """

    def is_concerned(self, request: HttpRequest, row: Any) -> bool:
        """Return whether a game or a report is the reader's own."""
        assert isinstance(request.user, User)
        reader = request.user
        if reader.is_superuser:
            return False
        if isinstance(row, Report):
            return reader.pk in {row.reported_id, row.reporter_id}
        return isinstance(row, Game) and row.seats.filter(user=reader).exists()

    def refuse(self, error: Exception) -> str:
        """Return the words of a refusal."""
        if isinstance(error, Refusal):
            return explain(error)
        raise error


def _is_running(game: Game) -> bool:
    return game.status == Status.ACTIVE


GAME_ACTS: Final = (
    Act(
        name="stop-clock",
        label=_("Stop the clock"),
        permission="games.change_game",
        form=PublicReasonForm,
        fits=_is_running,
        run=lambda game, _asked, staff: commands.pause_game(game_key=game.key, now=timezone.now(), staff=staff),
    ),
    Act(
        name="start-clock",
        label=_("Start the clock again"),
        permission="games.change_game",
        form=PublicReasonForm,
        fits=_is_running,
        run=lambda game, _asked, staff: commands.resume_game(game_key=game.key, now=timezone.now(), staff=staff),
    ),
    Act(
        name="give-time",
        label=_("Give more time"),
        permission="games.change_game",
        form=TimeForm,
        fits=_is_running,
        run=lambda game, asked, staff: commands.give_time(
            game_key=game.key, seconds=60 * asked["minutes"], now=timezone.now(), staff=staff
        ),
    ),
    Act(
        name="retire-seat",
        label=_("Put a seat out"),
        permission="games.change_game",
        form=SeatForm,
        fits=_is_running,
        run=lambda game, asked, staff: commands.retire_seat(
            game_key=game.key,
            seat=asked["seat"],
            reason=Reason.REMOVED,
            by=Actor.STAFF,
            now=timezone.now(),
            staff=staff,
        ),
    ),
    Act(
        name="take-name",
        label=_("Take the name away"),
        permission="games.change_game",
        fits=lambda game: bool(game.name),
        run=lambda game, _asked, staff: commands.take_game_name(game_key=game.key, now=timezone.now(), staff=staff),
    ),
)
"""What the staff can do about a game; all but the last is in its log too."""


def _warn(person: User, asked: dict[str, Any], staff: Staff) -> None:
    commands.warn_person(user=person, words=asked["words"], staff=staff, now=timezone.now())


def _silence(person: User, asked: dict[str, Any], staff: Staff) -> None:
    now = timezone.now()
    until = now + timedelta(days=asked["days"])
    commands.silence(user=person, until=until, words=asked["words"], staff=staff, now=now)


def _suspend(person: User, asked: dict[str, Any], staff: Staff) -> None:
    now = timezone.now()
    until = now + timedelta(days=asked["days"])
    commands.suspend(user=person, until=until, words=asked["words"], staff=staff, now=now)


def _take_name(person: User, asked: dict[str, Any], staff: Staff) -> None:
    commands.take_name(user=person, words=asked["words"], staff=staff, now=timezone.now())


def _lift(person: User, _asked: dict[str, Any], staff: Staff) -> None:
    commands.lift(user=person, staff=staff, now=timezone.now())


@transaction.atomic
def _end_sessions(person: User, _asked: dict[str, Any], staff: Staff) -> None:
    sessions.end_other_sessions(person, current=None)
    record(staff, StaffAct.END_SESSIONS, timezone.now(), person=person.pk)


def _remove_factors(person: User, _asked: dict[str, Any], staff: Staff) -> None:
    remove_factors(person, staff=staff)


def _revoke_tokens(person: User, _asked: dict[str, Any], staff: Staff) -> None:
    tokens.revoke_for_staff(person, staff)


def _send_again(person: User, _asked: dict[str, Any], staff: Staff) -> None:
    now = timezone.now()
    commands.reopen(people=[person], now=now, staff=staff)
    mails.reopen(addresses=[person.email], now=now)


def _is_no_staff(person: User) -> bool:
    return not person.is_staff


MEASURES: Final = (
    ("warn", _("Warn"), WordsForm, _warn),
    ("silence", _("Silence"), UntilForm, _silence),
    ("suspend", _("Suspend"), UntilForm, _suspend),
    ("take-name", _("Take the name away"), WordsForm, _take_name),
)
"""What the staff can do about how a person behaves, on their page and on that of a report."""
PERSON_ACTS: Final = (
    *(
        Act(name=name, label=label, permission="accounts.change_user", form=form, fits=_is_no_staff, run=run)
        for name, label, form, run in MEASURES
    ),
    Act(
        name="lift",
        label=_("Lift silence and suspension"),
        permission="accounts.change_user",
        fits=lambda person: person.restricted_until is not None,
        run=_lift,
    ),
    Act(name="end-sessions", label=_("Sign out everywhere"), permission="accounts.change_user", run=_end_sessions),
    Act(
        name="remove-factors",
        label=_("Remove second factors"),
        permission="accounts.change_user",
        fits=_is_no_staff,
        run=_remove_factors,
    ),
    Act(
        name="revoke-tokens",
        label=_("Revoke access tokens"),
        permission="accounts.change_user",
        fits=lambda person: tokens.owned(person).exists(),
        run=_revoke_tokens,
    ),
    Act(name="send-again", label=_("Send mails again"), permission="accounts.change_user", run=_send_again),
)


def _about(run: Callable[[User, dict[str, Any], Staff], None]) -> Callable[[Report, dict[str, Any], Staff], None]:
    """Return what does something about the person of a report, and closes it."""

    def act(report: Report, asked: dict[str, Any], staff: Staff) -> None:
        if report.reported is None:
            raise GameError(GameCode.NOTHING_TO_REPORT)
        run(report.reported, asked, staff)
        commands.close_report(report_id=report.pk, outcome=ReportOutcome.ACTED, staff=staff, now=timezone.now())

    return act


def _is_to_do(report: Report) -> bool:
    return report.state != ReportState.CLOSED


def _can_be_met(report: Report) -> bool:
    return _is_to_do(report) and report.reported is not None and not report.reported.is_staff


REPORT_ACTS: Final = (
    Act(
        name="take",
        label=_("Take it"),
        permission="games.change_report",
        fits=lambda report: report.state == ReportState.OPEN,
        run=lambda report, _asked, staff: commands.take_report(report_id=report.pk, staff=staff, now=timezone.now()),
    ),
    *(
        Act(name=name, label=label, permission="games.change_report", form=form, fits=_can_be_met, run=_about(run))
        for name, label, form, run in MEASURES
    ),
    Act(
        name="close",
        label=_("Close without a measure"),
        permission="games.change_report",
        form=OutcomeForm,
        fits=_is_to_do,
        run=lambda report, asked, staff: commands.close_report(
            report_id=report.pk, outcome=ReportOutcome(asked["outcome"]), staff=staff, now=timezone.now()
        ),
    ),
)
