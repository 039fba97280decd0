"""Ratings of people, and each change of one.

All of it follows from the results of games, and from the order in which they were rated: `manage.py rebuild_ratings`.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.choices import Pool
from games.models.game import Seat
from games.skill import ESTABLISHED, MU, SIGMA, Skill, shown


class Rating(models.Model):
    """How good a person is in games of a size, as far as their rated games tell.

    It stays when their account is deleted, of nobody: the ratings of those who played with them follow from it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="ratings",
    )
    pool = models.CharField(_("games"), max_length=8, choices=Pool.choices)
    mu = models.FloatField(_("mean"), default=MU)
    sigma = models.FloatField(_("deviation"), default=SIGMA)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    played_at = models.DateTimeField(_("last rated game"), null=True, blank=True)
    # What leaderboards go by, and whether they list it: it is not provisional, and its person has played lately.
    least = models.FloatField(_("rating at least"), default=Skill().least)
    listed = models.BooleanField(_("on leaderboards"), default=False)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (
            models.UniqueConstraint(name="rating_once_a_pool", fields=("user", "pool")),
            models.CheckConstraint(name="rating_pool_known", condition=Q(pool__in=Pool.values)),
            models.CheckConstraint(name="rating_sigma_positive", condition=Q(sigma__gt=0)),
        )
        indexes = (
            models.Index(name="rating_best", fields=("pool", "-least", "id"), condition=Q(listed=True)),
            models.Index(name="rating_listed", fields=("played_at",), condition=Q(listed=True)),
        )

    def __str__(self) -> str:
        return f"{self.number}"

    @property
    def skill(self) -> Skill:
        """The rating to compute with."""
        return Skill(self.mu, self.sigma)

    @property
    def number(self) -> int:
        """The rating as people read it."""
        return shown(self.mu)

    @property
    def least_number(self) -> int:
        """What it is at least, as people read it."""
        return shown(self.least)

    @property
    def provisional(self) -> bool:
        """Whether there are too few games for it to say much."""
        return self.games < ESTABLISHED


class RatingChange(models.Model):
    """What one game did to one rating."""

    rating = models.ForeignKey(
        Rating, verbose_name=_("rating"), on_delete=models.PROTECT, related_name="changes", db_index=False
    )
    seat = models.OneToOneField(Seat, verbose_name=_("seat"), on_delete=models.PROTECT, related_name="rating_change")
    # The game's `rating_number`.
    number = models.PositiveBigIntegerField(_("number"))
    place = models.PositiveSmallIntegerField(_("place"))
    mu_before = models.FloatField(_("mean before"))
    sigma_before = models.FloatField(_("deviation before"))
    mu_after = models.FloatField(_("mean after"))
    sigma_after = models.FloatField(_("deviation after"))
    # The how manieth rated game of the person it was.
    games = models.PositiveIntegerField(_("rated games"))
    at = models.DateTimeField(_("end of the game"))

    class Meta:
        verbose_name = _("change of a rating")
        verbose_name_plural = _("changes of ratings")
        constraints = (models.UniqueConstraint(name="rating_change_once_a_game", fields=("rating", "number")),)

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"

    @property
    def before(self) -> int:
        """The rating before the game, as people read it."""
        return shown(self.mu_before)

    @property
    def after(self) -> int:
        """The rating after the game, as people read it."""
        return shown(self.mu_after)

    @property
    def gain(self) -> int:
        """By how much what people read went up."""
        return self.after - self.before

    @property
    def provisional(self) -> bool:
        """Whether the rating was provisional after the game."""
        return self.games < ESTABLISHED


class RatingMonth(models.Model):
    """What somebody's rating gained in a calendar month (UTC), in games that did not begin with a provisional one."""

    rating = models.ForeignKey(
        Rating, verbose_name=_("rating"), on_delete=models.CASCADE, related_name="months", db_index=False
    )
    pool = models.CharField(_("games"), max_length=8, choices=Pool.choices)
    month = models.DateField(_("month"))
    games = models.PositiveIntegerField(_("rated games"))
    gain = models.IntegerField(_("gain"))

    class Meta:
        verbose_name = _("month of a rating")
        verbose_name_plural = _("months of ratings")
        constraints = (models.UniqueConstraint(name="rating_month_once", fields=("rating", "month")),)
        indexes = (
            models.Index(name="rating_month_best", fields=("pool", "month", "-gain", "id"), condition=Q(games__gte=3)),
        )

    def __str__(self) -> str:
        return f"{self.month:%Y-%m}: {self.gain:+}"


class RatingCounter(models.Model):
    """The number of the game that was rated last: one row. Who rates a game, or all anew, holds its lock."""

    last = models.PositiveBigIntegerField(_("last number"), default=0)

    class Meta:
        verbose_name = _("counter of rated games")
        verbose_name_plural = _("counters of rated games")

    def __str__(self) -> str:
        return f"{self.last}"


class Punctuality(models.Model):
    """How many turns a person has played in time, and how many they have missed, in games that have ended."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="punctuality"
    )
    played = models.PositiveIntegerField(_("turns in time"), default=0)
    missed = models.PositiveIntegerField(_("turns missed"), default=0)

    class Meta:
        verbose_name = _("turns played in time")
        verbose_name_plural = _("turns played in time")

    def __str__(self) -> str:
        return f"{self.played}, {self.missed}"

    @property
    def turns(self) -> int:
        """How many turns were counted."""
        return self.played + self.missed

    @property
    def share(self) -> int:
        """How many turns of a hundred were played in time, rounded down."""
        return 100 if not self.turns else 100 * self.played // self.turns
