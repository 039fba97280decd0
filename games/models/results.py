"""What finished games came to, counted up so that no list has to look at a log: all of it follows from the games.

`games.commands.tally_game` writes it once a game is over; `manage.py recount_results` makes it anew.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.choices import GameKind
from games.models.game import Game

MARK_LENGTH = 24


class Amounts(models.Model):
    """What can be added up over games."""

    points = models.PositiveBigIntegerField(_("points"), default=0)
    turns = models.PositiveBigIntegerField(_("turns"), default=0)
    # Those that the person took; for the others a computer player did, as the time had run out.
    in_time = models.PositiveBigIntegerField(_("turns taken in time"), default=0)
    seconds = models.PositiveBigIntegerField(_("seconds for these"), default=0)
    counts = models.JSONField(_("counts"), default=dict)

    class Meta:
        abstract = True


class Result(Amounts):
    """What a seat of a finished game came to. Those of computer players have no row."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="results")
    seat = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="results",
    )
    place = models.PositiveSmallIntegerField(_("place"))
    retired = models.BooleanField(_("left the game"))
    # Copied from the game, so that lists of a person's games are read from an index alone.
    kind = models.CharField(_("kind"), max_length=4, choices=GameKind.choices)
    size = models.PositiveSmallIntegerField(_("number of seats"))
    public = models.BooleanField(_("listed"))
    finished_at = models.DateTimeField(_("finished at"))

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        constraints = (models.UniqueConstraint(name="result_once_a_seat", fields=("game", "seat")),)
        indexes = (
            models.Index(
                name="result_of_person",
                fields=("user", "-finished_at", "-game"),
                include=("place", "size", "kind", "public"),
            ),
            models.Index(name="result_of_pair", fields=("game", "user")),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class Mark(models.Model):
    """Something that a finished game can be found by; its engine says what."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="marks")
    code = models.CharField(_("mark"), max_length=MARK_LENGTH)
    # Copied from the game, as what a result has of it.
    size = models.PositiveSmallIntegerField(_("number of seats"))
    finished_at = models.DateTimeField(_("finished at"))
    public = models.BooleanField(_("listed"))

    class Meta:
        verbose_name = _("mark")
        verbose_name_plural = _("marks")
        constraints = (models.UniqueConstraint(name="mark_once_a_game", fields=("game", "code")),)
        indexes = (
            models.Index(name="mark_newest", fields=("code", "-finished_at", "-game"), condition=Q(public=True)),
            models.Index(
                name="mark_newest_of_size",
                fields=("code", "size", "-finished_at", "-game"),
                condition=Q(public=True),
            ),
        )

    def __str__(self) -> str:
        return self.code


class Career(Amounts):
    """What a person's finished games of one kind came to: those that the lobby listed, and the others, apart."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="careers"
    )
    kind = models.CharField(_("kind"), max_length=4, choices=GameKind.choices)
    public = models.BooleanField(_("listed"))
    games = models.PositiveIntegerField(_("games"), default=0)
    wins = models.PositiveIntegerField(_("won"), default=0)
    left = models.PositiveIntegerField(_("left"), default=0)

    class Meta:
        verbose_name = _("career")
        verbose_name_plural = _("careers")
        constraints = (models.UniqueConstraint(name="career_once_a_kind", fields=("user", "kind", "public")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class Rivalry(models.Model):
    """How a person did against another one, in finished games in which both sat."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="rivalries"
    )
    rival = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("rival"), on_delete=models.CASCADE, related_name="+"
    )
    public = models.BooleanField(_("listed"))
    games = models.PositiveIntegerField(_("games"), default=0)
    ahead = models.PositiveIntegerField(_("ended ahead"), default=0)
    behind = models.PositiveIntegerField(_("ended behind"), default=0)

    class Meta:
        verbose_name = _("rivalry")
        verbose_name_plural = _("rivalries")
        constraints = (models.UniqueConstraint(name="rivalry_once", fields=("user", "rival", "public")),)
        indexes = (models.Index(name="rivalry_most", fields=("user", "-games", "rival")),)

    def __str__(self) -> str:
        return f"{self.pk}"
