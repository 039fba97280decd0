"""What is said around a game beside its messages: by spectators, by reactions; who has read it, who mutes whom."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game
from games.models.people import MESSAGE_LENGTH, Message

EVERYBODY: Final = 0
"""What stands for a seat in a mute that is about no single one."""


class Spectator(models.Model):
    """A person who has written in the spectators' room of a game: what they wrote names them by this row alone.

    It stays without a person when their account is deleted, while what they wrote stays as it is.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        verbose_name = _("spectator")
        verbose_name_plural = _("spectators")
        constraints = (models.UniqueConstraint(name="spectator_once_a_game", fields=("user", "game")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class SpectatorMessage(models.Model):
    """What a spectator wrote to the others, in order of its ``number``. The database refuses to change or delete it."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="spectator_messages")
    number = models.PositiveIntegerField(_("number"))
    spectator = models.ForeignKey(
        Spectator, verbose_name=_("spectator"), on_delete=models.PROTECT, related_name="messages", db_index=False
    )
    text = models.CharField(_("text"), max_length=MESSAGE_LENGTH)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("spectator’s message")
        verbose_name_plural = _("spectators’ messages")
        constraints = (
            models.UniqueConstraint(name="spectator_message_once", fields=("game", "number")),
            models.CheckConstraint(name="spectator_message_numbered", condition=Q(number__gte=1)),
            models.CheckConstraint(name="spectator_message_not_empty", condition=~Q(text="")),
        )
        indexes = (models.Index(name="spectator_message_at", fields=("spectator", "at")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class SeenMark(models.Model):
    """Up to which message a player has read what the others in a game wrote."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+"
    )
    up_to = models.BigIntegerField(_("up to the message"))
    # Null where nobody knows: of messages from before there were marks, which count as read but not as seen.
    at = models.DateTimeField(_("at"), null=True, blank=True)

    class Meta:
        verbose_name = _("mark of what is read")
        verbose_name_plural = _("marks of what is read")
        constraints = (models.UniqueConstraint(name="seen_mark_once_a_game", fields=("user", "game")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class Muted(models.TextChoices):
    """What a person can be spared in a game."""

    PLAYER = "player", _("the messages of one player")
    MESSAGES = "messages", _("news of the players’ messages")
    SPECTATORS = "spectators", _("the spectators’ messages")


class TalkMute(models.Model):
    """What a person does not want to read, or hear of, in one game. Nobody else sees it."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+"
    )
    what = models.CharField(_("what"), max_length=10, choices=Muted.choices)
    # Whose messages; `EVERYBODY` where it is about no single player.
    seat = models.PositiveSmallIntegerField(_("seat"), default=EVERYBODY)

    class Meta:
        verbose_name = _("mute of messages")
        verbose_name_plural = _("mutes of messages")
        constraints = (
            models.UniqueConstraint(name="talk_mute_once", fields=("user", "game", "what", "seat")),
            models.CheckConstraint(
                name="talk_mute_of_a_seat",
                condition=Q(what=Muted.PLAYER, seat__gte=1) | (~Q(what=Muted.PLAYER) & Q(seat=EVERYBODY)),
            ),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class ReactionKind(models.TextChoices):
    """How one can react without a word."""

    THUMB = "thumb", _("thumbs up")
    STAR = "star", _("a star")
    LAUGH = "laugh", _("laughter")
    WOW = "wow", _("surprise")
    SAD = "sad", _("a tear")
    HEART = "heart", _("a heart")


class Reaction(models.Model):
    """One person's sign under a player's message, an entry of the log, or a spectator's message: one of these."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+"
    )
    message = models.ForeignKey(
        Message, verbose_name=_("message"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    move = models.PositiveIntegerField(_("number of the entry"), null=True, blank=True)
    spectator_message = models.ForeignKey(
        SpectatorMessage,
        verbose_name=_("spectator’s message"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    kind = models.CharField(_("kind"), max_length=8, choices=ReactionKind.choices)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("reaction")
        verbose_name_plural = _("reactions")
        constraints = (
            models.UniqueConstraint(name="reaction_to_message_once", fields=("user", "message", "kind")),
            models.UniqueConstraint(name="reaction_to_move_once", fields=("user", "game", "move", "kind")),
            models.UniqueConstraint(name="reaction_to_spectator_once", fields=("user", "spectator_message", "kind")),
            models.CheckConstraint(
                name="reaction_to_one_thing",
                condition=Q(message__isnull=False, move__isnull=True, spectator_message__isnull=True)
                | Q(message__isnull=True, move__isnull=False, spectator_message__isnull=True)
                | Q(message__isnull=True, move__isnull=True, spectator_message__isnull=False),
            ),
        )
        indexes = (models.Index(name="reaction_to_move", fields=("game", "move")),)

    def __str__(self) -> str:
        return f"{self.pk}"
