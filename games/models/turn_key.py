"""What programs called the requests by which they played turns, so that no two turns go by one name."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import DIGEST_LENGTH, Game


class TurnKey(models.Model):
    """The ``Idempotency-Key`` of a turn that was played: only a digest of it is kept, and that for a day."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(_("seat"))
    digest = models.CharField(_("digest"), max_length=DIGEST_LENGTH)
    # The entry that the request made: what else was asked for stands in the log.
    seq = models.PositiveIntegerField(_("number of the entry"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("key of a turn")
        verbose_name_plural = _("keys of turns")
        constraints = (
            models.UniqueConstraint(name="turn_key_once_a_seat", fields=("game", "seat", "digest")),
            models.CheckConstraint(name="turn_key_seq_positive", condition=models.Q(seq__gte=1)),
        )
        indexes = (models.Index(name="turn_key_at", fields=("at",)),)

    def __str__(self) -> str:
        return f"{self.game}, {self.seq}"
