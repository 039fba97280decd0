"""The tables about how people treat each other: whom a person has blocked, and what the staff did, for good."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

WORDS_LENGTH: Final = 500
"""How long a reason may be, and what the staff tells a person."""
AUDIT_KEPT_FOR: Final = timedelta(days=730)
"""How long the database itself refuses to let go of what the staff did."""


class Block(models.Model):
    """A person who wants nothing to do with another one. `accounts.blocks` says what follows from it."""

    blocker = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="blocks"
    )
    blocked = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("blocked person"), on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        constraints = (
            models.UniqueConstraint(name="block_once", fields=("blocker", "blocked")),
            models.CheckConstraint(name="block_of_another", condition=~Q(blocker=F("blocked"))),
        )

    def __str__(self) -> str:
        return f"{self.pk}"


class StaffAct(models.TextChoices):
    """What the staff can do."""

    WARN = "warn", _("warned a person")
    SILENCE = "silence", _("silenced a person")
    SUSPEND = "suspend", _("suspended a person")
    LIFT = "lift", _("lifted what a person was barred from")
    RENAME = "rename", _("took a person's name away")
    TAKE_REPORT = "take-report", _("took a report")
    CLOSE_REPORT = "close-report", _("closed a report")
    ADD_PERSON = "add-person", _("added a person")
    CHANGE_PERSON = "change-person", _("changed a person's account")
    DELETE_PERSON = "delete-person", _("deleted an account")
    END_SESSIONS = "end-sessions", _("signed a person out everywhere")
    REMOVE_FACTORS = "remove-factors", _("removed second factors")
    REVOKE_TOKENS = "revoke-tokens", _("revoked access tokens")
    SEND_AGAIN = "send-again", _("let mails be sent again")
    CHANGE_GROUP = "change-group", _("changed a group of the staff")
    PAUSE = "pause", _("stopped the clock of a game")
    RESUME = "resume", _("started the clock of a game")
    GIVE_TIME = "give-time", _("gave time")
    RETIRE = "retire", _("put a seat out of a game")
    RENAME_GAME = "rename-game", _("took a game's name away")
    STOP_CLOCKS = "stop-clocks", _("stopped the clocks of all games")
    START_CLOCKS = "start-clocks", _("started the clocks of all games")
    MARK_OUTAGE = "mark-outage", _("marked an outage")
    UNMARK_OUTAGE = "unmark-outage", _("took an outage back")


class StaffAction(models.Model):
    """Something that the staff did, who it was and why. The database refuses to change it, or to delete it too soon.

    It names people by their numbers, so that it stands when their accounts are gone; only its author by name too.
    """

    at = models.DateTimeField(_("at"))
    by = models.CharField(_("by"), max_length=150)
    by_number = models.BigIntegerField(_("number of who did it"), null=True, blank=True)
    act = models.CharField(_("what"), max_length=20, choices=StaffAct.choices)
    person = models.BigIntegerField(_("number of the person"), null=True, blank=True)
    game = models.CharField(_("game"), max_length=12, blank=True)
    why = models.CharField(_("why"), max_length=WORDS_LENGTH)
    said = models.CharField(_("what the person was told"), max_length=WORDS_LENGTH, blank=True)
    details = models.JSONField(_("details"), default=dict, blank=True)

    class Meta:
        verbose_name = _("action of the staff")
        verbose_name_plural = _("actions of the staff")
        constraints = (models.CheckConstraint(name="staff_action_has_reason", condition=~Q(why="") & ~Q(by="")),)
        indexes = (
            models.Index(name="staff_action_person", fields=("person", "-at")),
            models.Index(name="staff_action_game", fields=("game", "-at"), condition=~Q(game="")),
            models.Index(name="staff_action_at", fields=("at",)),
        )

    def __str__(self) -> str:
        return f"{self.get_act_display()}"


class Restrictable(models.Model):
    """What the staff can bar a person from, until when, and what they were told: they read it wherever they'd act."""

    silenced_until = models.DateTimeField(_("silenced until"), null=True, blank=True, editable=False)
    suspended_until = models.DateTimeField(_("suspended until"), null=True, blank=True, editable=False)
    restricted_why = models.CharField(
        _("why"), max_length=WORDS_LENGTH, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        abstract = True
