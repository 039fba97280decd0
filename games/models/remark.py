"""What happens in a game beside its entries."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.choices import RemarkKind
from games.models.game import Game
from games.models.time import Pause


class Remark(models.Model):
    """A visible event of a game that is no entry of its rules. The database refuses to change or delete it."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="remarks")
    at = models.DateTimeField(_("at"))
    after = models.PositiveIntegerField(_("after entry"))
    kind = models.CharField(_("kind"), max_length=20, choices=RemarkKind.choices)
    seat = models.PositiveSmallIntegerField(_("seat"), null=True, blank=True)
    params = models.JSONField(_("parameters"), default=dict)
    pause = models.ForeignKey(
        Pause, verbose_name=_("pause"), null=True, blank=True, on_delete=models.PROTECT, related_name="remarks"
    )

    class Meta:
        verbose_name = _("remark")
        verbose_name_plural = _("remarks")
        constraints = (
            models.CheckConstraint(name="remark_kind_known", condition=Q(kind__in=RemarkKind.values)),
            models.UniqueConstraint(
                name="remark_kind_once_a_pause", fields=("game", "pause", "kind"), condition=Q(seat__isnull=True)
            ),
            models.UniqueConstraint(
                name="remark_kind_once_a_seat_and_pause",
                fields=("game", "pause", "kind", "seat"),
                condition=Q(seat__isnull=False),
            ),
        )
        indexes = (models.Index(name="remark_of_game", fields=("game", "-at")),)

    def __str__(self) -> str:
        return self.kind
