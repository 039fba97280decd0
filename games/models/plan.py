"""Turns that are planned ahead: of their seat alone, and gone with its next turn."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import TURN_LENGTH, Seat

MOST_PLANS: Final = 3
"""So many plans a seat can have at once."""
CONDITION_LENGTH: Final = 500
MOST_CONDITIONS: Final = 60
"""More than any turn relies on."""


class PlanState(models.TextChoices):
    """What became of a plan so far."""

    WAITING = "waiting", _("waits for its seat’s turn")
    DUE = "due", _("its seat’s turn has begun, and nobody has looked at it yet")
    UNMET = "unmet", _("not played: a condition did not hold")
    ILLEGAL = "illegal", _("not played: the turn was not legal")


class Plan(models.Model):
    """A turn that is played as soon as it is its seat's turn, if all of its conditions hold then.

    It is hidden from everyone but the seat's owner, as a card that lies face down: no log, no admin and no other
    person's answer has it, and saving it leaves the version of the game as it is.
    """

    seat = models.ForeignKey(Seat, verbose_name=_("seat"), on_delete=models.CASCADE, related_name="plans")
    # They are looked at in this order. It is kept while others are withdrawn.
    place = models.PositiveSmallIntegerField(_("place"))
    turn = models.CharField(_("turn"), max_length=TURN_LENGTH)
    # As `engine.contract.Rules.conditions` writes them, in its order.
    conditions = models.JSONField(_("conditions"), default=list)
    made_at = models.DateTimeField(_("made at"))
    # The number of the last entry when it was made.
    seq = models.PositiveIntegerField(_("made after entry"))
    state = models.CharField(_("state"), max_length=8, choices=PlanState.choices, default=PlanState.WAITING)
    # The first condition that did not hold.
    unmet = models.CharField(_("what did not hold"), max_length=CONDITION_LENGTH, blank=True)

    class Meta:
        verbose_name = _("plan")
        verbose_name_plural = _("plans")
        constraints = (
            models.UniqueConstraint(name="plan_place_once_a_seat", fields=("seat", "place")),
            models.CheckConstraint(name="plan_place_among_most", condition=Q(place__range=(1, MOST_PLANS))),
            models.CheckConstraint(name="plan_state_known", condition=Q(state__in=PlanState.values)),
        )
        indexes = (models.Index(name="plan_due", fields=("seat",), condition=Q(state=PlanState.DUE)),)

    def __str__(self) -> str:
        return f"{self.seat_id}, {self.place}"
