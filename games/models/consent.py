"""What the people in a running game ask of each other."""

from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.choices import ProposalKind, ProposalOutcome
from games.models.game import Game

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Proposal(models.Model):
    """What one person in a running game asks the others to consent to: to cancel it, or another time control."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="proposals")
    kind = models.CharField(_("kind"), max_length=10, choices=ProposalKind.choices)
    seat = models.PositiveSmallIntegerField(_("asked by seat"))
    # The round in which it was asked, 0 where an older version did not note it; no part of a game's document.
    round = models.PositiveSmallIntegerField(_("round"), default=0)
    time_control = models.JSONField(_("proposed time control"), null=True, blank=True, db_column="contract")
    asked_at = models.DateTimeField(_("asked at"))
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)
    outcome = models.CharField(_("outcome"), max_length=10, choices=ProposalOutcome.choices, blank=True)

    consents: "RelatedManager[Consent]"

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        constraints = (
            models.UniqueConstraint(
                name="proposal_open_once_a_game", fields=("game",), condition=Q(closed_at__isnull=True)
            ),
            models.CheckConstraint(name="proposal_kind_known", condition=Q(kind__in=ProposalKind.values)),
            models.CheckConstraint(
                name="proposal_closed_with_outcome",
                condition=Q(closed_at__isnull=True, outcome="")
                | Q(closed_at__isnull=False, outcome__in=ProposalOutcome.values),
            ),
            models.CheckConstraint(
                name="proposal_terms_to_consent_to",
                condition=Q(kind=ProposalKind.CANCEL, time_control__isnull=True)
                | Q(kind=ProposalKind.TIME_CONTROL, time_control__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return self.kind


class Consent(models.Model):
    """A seat's yes to a proposal. A no closes the proposal, so it needs no row."""

    proposal = models.ForeignKey(
        Proposal, verbose_name=_("proposal"), on_delete=models.PROTECT, related_name="consents"
    )
    seat = models.PositiveSmallIntegerField(_("seat"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("consent")
        verbose_name_plural = _("consents")
        constraints = (models.UniqueConstraint(name="consent_once_a_seat", fields=("proposal", "seat")),)

    def __str__(self) -> str:
        return f"{self.seat}"
