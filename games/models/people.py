"""What people send each other about a game, and write down for themselves."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game

MESSAGE_LENGTH: Final = 1000
NOTE_LENGTH: Final = 4000


class Invitation(models.Model):
    """A person asked to take a seat of an open game, once a game.

    It waits for an answer while the game is open and the person has neither a seat in it nor declined.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="invitations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="invitations"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("invited by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="sent_invitations",
    )
    # The finished game of which this one is a rematch, also when it was withdrawn: nobody is asked again then.
    rematch_of = models.ForeignKey(
        Game, verbose_name=_("rematch of"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(_("at"))
    declined_at = models.DateTimeField(_("declined at"), null=True, blank=True)
    # Who invited knows an e-mail address and not, from us, whose account it is: then nobody but the person sees this.
    by_address = models.BooleanField(_("invited by address"), default=False, db_default=False)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        constraints = (models.UniqueConstraint(name="invitation_once_a_game", fields=("game", "user")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class MailInvitation(models.Model):
    """An e-mail address that was invited to an open game, whoever has it; shown to who typed it alone."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("invited by"), on_delete=models.CASCADE, related_name="+"
    )
    address = models.EmailField(_("e-mail address"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("invitation by e-mail")
        verbose_name_plural = _("invitations by e-mail")
        constraints = (models.UniqueConstraint(name="mail_invitation_once_a_game", fields=("game", "address")),)
        indexes = (
            models.Index(name="mail_invitation_by", fields=("by", "at")),
            models.Index(name="mail_invitation_address", fields=("address", "at")),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class Unwanted(models.Model):
    """An address whose owner wants no invitations, as a digest from which it can't be read. It stays for good."""

    digest = models.CharField(_("digest"), max_length=64, unique=True)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("address that wants no invitations")
        verbose_name_plural = _("addresses that want no invitations")

    def __str__(self) -> str:
        return f"{self.pk}"


class Removal(models.Model):
    """A person whose seat in an open game was taken away by who created it: they take none again unless invited."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="removals")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("removal before the start")
        verbose_name_plural = _("removals before the start")
        constraints = (models.UniqueConstraint(name="removal_once_a_game", fields=("user", "game")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class Friend(models.Model):
    """A person whom another one has put on their list of friends, which nobody else sees."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("whose list"), on_delete=models.CASCADE, related_name="friends"
    )
    friend = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("friend"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("friend")
        verbose_name_plural = _("friends")
        constraints = (
            models.UniqueConstraint(name="friend_once", fields=("user", "friend")),
            models.CheckConstraint(name="friend_is_another", condition=~Q(user=F("friend"))),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class Message(models.Model):
    """What a player wrote to the others in a game: no part of its record. The database refuses to change or delete it.

    It names its author by their seat alone, whose name goes when their account is deleted.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="messages")
    seat = models.PositiveSmallIntegerField(_("seat"))
    text = models.CharField(_("text"), max_length=MESSAGE_LENGTH)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = (
            models.CheckConstraint(name="message_seat_positive", condition=Q(seat__gte=1)),
            models.CheckConstraint(name="message_not_empty", condition=~Q(text="")),
        )
        indexes = (models.Index(name="message_of_game", fields=("game", "-id")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class Note(models.Model):
    """What a player writes down about a game for themselves: nobody else sees it, and it goes with their account."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="+"
    )
    text = models.CharField(_("text"), max_length=NOTE_LENGTH)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("private note")
        verbose_name_plural = _("private notes")
        constraints = (
            models.UniqueConstraint(name="note_once_a_game", fields=("user", "game")),
            models.CheckConstraint(name="note_not_empty", condition=~Q(text="")),
        )

    def __str__(self) -> str:
        return f"{self.pk}"
