"""Reviews of finished games: what each turn was worth, found by a worker, turn by turn."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game

VERDICT_LENGTH = 10
REASON_LENGTH = 24
MODEL_LENGTH = 40


class Review(models.Model):
    """The review of a finished game, made once, whoever asked for it. How far it is, is the number of its turns."""

    game = models.OneToOneField(Game, verbose_name=_("game"), on_delete=models.CASCADE, related_name="review")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("asked for by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviews",
    )
    at = models.DateTimeField(_("asked for at"))
    # What judged the turns: another version may judge otherwise.
    model = models.CharField(_("model"), max_length=MODEL_LENGTH)
    # From when on a worker may take it; later while one is at it, or where that failed a moment ago.
    due_at = models.DateTimeField(_("due at"))
    attempts = models.PositiveSmallIntegerField(_("attempts in vain"), default=0)
    made_at = models.DateTimeField(_("made at"), null=True, blank=True)

    class Meta:
        verbose_name = _("review")
        verbose_name_plural = _("reviews")
        indexes = (
            models.Index(name="review_waiting", fields=("at",), condition=Q(made_at=None)),
            models.Index(name="review_of_person", fields=("by", "at")),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class ReviewTurn(models.Model):
    """What an entry of a reviewed game was worth. Where a seat left there is no verdict, and nothing better."""

    review = models.ForeignKey(Review, verbose_name=_("review"), on_delete=models.CASCADE, related_name="turns")
    seq = models.PositiveIntegerField(_("entry"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    turn = models.CharField(_("turn"), max_length=200, blank=True)
    # By seat: after the entry; and had the best turn been played, as far as that is surely better. The latter is None
    # where no turn was played, and in reviews of earlier releases.
    chances = models.JSONField(_("chances to win"))
    before = models.JSONField(_("chances to win before"), null=True, blank=True)
    verdict = models.CharField(_("verdict"), max_length=VERDICT_LENGTH, blank=True)
    # The part of a win, and the points, by which it fell short of the best turn found.
    lost = models.FloatField(_("lost chances"), default=0)
    points = models.PositiveSmallIntegerField(_("lost points"), default=0)
    reason = models.CharField(_("reason"), max_length=REASON_LENGTH, blank=True)
    params = models.JSONField(_("parameters"), default=dict)
    # The best turn, empty where that is the one that was played, and the turns that follow each.
    best = models.CharField(_("best turn"), max_length=200, blank=True)
    best_line = models.JSONField(_("what follows the best"), default=list)
    line = models.JSONField(_("what follows"), default=list)

    class Meta:
        verbose_name = _("reviewed turn")
        verbose_name_plural = _("reviewed turns")
        constraints = (models.UniqueConstraint(name="review_turn_once", fields=("review", "seq")),)

    def __str__(self) -> str:
        return f"{self.pk}"
