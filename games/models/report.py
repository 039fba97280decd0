"""What people report to the staff."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.people import MESSAGE_LENGTH, Message
from games.models.talk import SpectatorMessage

REPORT_LENGTH: Final = 1000


class ReportKind(models.TextChoices):
    """What a report is about."""

    MESSAGE = "message", _("a message")
    NAME = "name", _("a name")
    CONDUCT = "conduct", _("how someone plays or behaves")


class ReportState(models.TextChoices):
    """How far the staff is with a report."""

    OPEN = "open", _("open")
    TAKEN = "taken", _("taken")
    CLOSED = "closed", _("closed")


class ReportOutcome(models.TextChoices):
    """What came of a report, as its author is told."""

    ACTED = "acted", _("something was done")
    NOTHING = "nothing", _("nothing was done")


class Report(models.Model):
    """Something that a person tells the staff of another one, with what it is about as it was then."""

    kind = models.CharField(_("kind"), max_length=10, choices=ReportKind.choices)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reported by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reports_made",
    )
    reported = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reports",
    )
    game = models.ForeignKey(
        Game, verbose_name=_("game"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    message = models.ForeignKey(
        Message, verbose_name=_("message"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    spectator_message = models.ForeignKey(
        SpectatorMessage,
        verbose_name=_("spectator’s message"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    # What one person can report once at a time: the kind, with the message, or the person and the game.
    thing = models.CharField(_("thing"), max_length=60, editable=False)
    # As they were when it was reported: the words of the message, the person's name.
    quoted = models.CharField(_("message"), max_length=MESSAGE_LENGTH, blank=True)
    name = models.CharField(_("name"), max_length=150)
    text = models.CharField(_("what was reported"), max_length=REPORT_LENGTH, blank=True)
    at = models.DateTimeField(_("at"))
    state = models.CharField(_("state"), max_length=10, choices=ReportState.choices, default=ReportState.OPEN)
    taken_by = models.CharField(_("taken by"), max_length=150, blank=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=ReportOutcome.choices, blank=True)

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        constraints = (
            models.UniqueConstraint(
                name="report_open_once",
                fields=("reporter", "thing"),
                condition=~Q(state=ReportState.CLOSED) & Q(reporter__isnull=False),
            ),
            models.CheckConstraint(
                name="report_closed_has_outcome",
                condition=(Q(state=ReportState.CLOSED, closed_at__isnull=False) & ~Q(outcome=""))
                | (~Q(state=ReportState.CLOSED) & Q(closed_at__isnull=True, outcome="")),
            ),
        )
        indexes = (
            models.Index(name="report_queue", fields=("state", "at")),
            models.Index(name="report_closed", fields=("closed_at",), condition=Q(closed_at__isnull=False)),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.name}"
