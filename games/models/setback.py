"""Games whose turn could not be played by a worker."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class Setback(models.Model):
    """A turn that a worker failed to play: until ``retry_at`` the sweeps leave the game alone, so that others go on."""

    game = models.OneToOneField(Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="setback")
    # The entry after which the turn was to be played. Once the game has moved on, nothing of this counts.
    seq = models.PositiveIntegerField(_("entry"))
    attempts = models.PositiveIntegerField(_("attempts"), default=1)
    retry_at = models.DateTimeField(_("next attempt"))
    cause = models.CharField(_("cause"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("setback")
        verbose_name_plural = _("setbacks")

    def __str__(self) -> str:
        return f"{self.game}, {self.seq}: {self.cause}"
