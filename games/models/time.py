"""What stops clocks, and what shows that the sweeps are alive."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.zones import zone
from games.clock import HolidaySpan, PauseReason
from games.models.game import Game, Seat


class Holiday(models.Model):
    """A dated absence of a person, in whole days, both included."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="holidays"
    )
    first = models.DateField(_("first day"))
    last = models.DateField(_("last day"))
    # Where its days begin and end, in all games: the owner's zone, followed until the holiday begins there or here.
    zone = models.CharField(_("time zone"), max_length=64, db_default="UTC")

    class Meta:
        verbose_name = _("holiday")
        verbose_name_plural = _("holidays")
        constraints = (
            models.UniqueConstraint(name="holiday_first_once_a_person", fields=("user", "first")),
            models.CheckConstraint(name="holiday_not_backwards", condition=Q(last__gte=F("first"))),
        )
        indexes = (models.Index(name="holiday_by_person", fields=("user", "last")),)

    def __str__(self) -> str:
        return f"{self.first} – {self.last}"

    @property
    def span(self) -> HolidaySpan:
        """The holiday as `games.clock` knows it."""
        return HolidaySpan(self.first, self.last, zone(self.zone))


class Pause(models.Model):
    """A span in which no time counts: of one game or of all, stopped by the staff; of all, while the site was down.

    An outage of one game is the time in which it was at no site: between its export and its import.
    """

    game = models.ForeignKey(
        Game, verbose_name=_("game"), null=True, blank=True, on_delete=models.PROTECT, related_name="pauses"
    )
    reason = models.CharField(_("reason"), max_length=10)
    start = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("to"), null=True, blank=True)
    # Of an outage: whether every turn that it touched has got its remark and its new deadline.
    credited = models.BooleanField(_("given back"), default=False)

    class Meta:
        verbose_name = _("pause")
        verbose_name_plural = _("pauses")
        constraints = (
            models.CheckConstraint(
                name="pause_outage_is_over",
                condition=Q(reason=PauseReason.STAFF.value) | Q(reason=PauseReason.OUTAGE.value, end__isnull=False),
            ),
            models.CheckConstraint(name="pause_not_backwards", condition=Q(end__isnull=True) | Q(end__gte=F("start"))),
            models.UniqueConstraint(name="pause_open_once_a_game", fields=("game",), condition=Q(end__isnull=True)),
            models.UniqueConstraint(
                name="pause_open_once_for_all", fields=("reason",), condition=Q(end__isnull=True, game__isnull=True)
            ),
        )
        indexes = (models.Index(name="pause_of_site", fields=("end",), condition=Q(game__isnull=True)),)

    def __str__(self) -> str:
        return f"{self.reason}, {self.start}"


class Charge(models.Model):
    """What was taken off a seat's clock when it was settled, as `games.clock.Charge` has it, to be counted again.

    Nobody is shown these. Only of turns that reached beyond their allowance, and of what was settled within a turn: no
    other time was lost.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="charges")
    turn = models.PositiveIntegerField()
    zone = models.CharField(max_length=64)
    time_control = models.JSONField()
    start = models.DateTimeField()
    end = models.DateTimeField()
    allowance_before = models.PositiveIntegerField()
    reserve_before = models.PositiveIntegerField()
    allowance_after = models.PositiveIntegerField()
    reserve_after = models.PositiveIntegerField()
    increment = models.PositiveIntegerField()
    cap = models.PositiveIntegerField()
    carries = models.BooleanField()

    class Meta:
        constraints = (models.CheckConstraint(name="charge_not_backwards", condition=Q(end__gte=F("start"))),)
        indexes = (models.Index(name="charge_until", fields=("end",)),)

    def __str__(self) -> str:
        return f"{self.start} – {self.end}"


CLOCKS: Final = "clocks"
"""The heartbeat of the sweep that ends turns: while it is not heard of, no clock runs."""
WEB: Final = "web"
"""The last time that the site answered at its own address. There is none while nobody asks."""
SIGNS_OF_LIFE: Final = (CLOCKS, WEB)
"""The heartbeats without which no time counts."""


class Heartbeat(models.Model):
    """When a sweep was last heard of, or the web server."""

    name = models.CharField(_("name"), max_length=32, unique=True)
    at = models.DateTimeField(_("at"))
    # While a sweep is at work: until when it is believed to be, where no second one may run beside it.
    busy_until = models.DateTimeField(_("busy until"), null=True, blank=True)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")

    def __str__(self) -> str:
        return self.name
