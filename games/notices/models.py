"""What the database keeps of notices: the outbox, what people chose, who has a game open."""

from typing import Final

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.notices.kinds import Cadence, Cause, Channel, HookStyle, NoticeKind, NoticeState

DELAY_DEFAULT: Final = 5
"""Minutes for which a notice waits unless its person says otherwise."""
DELAY_MAX: Final = 720
ADDRESS_MAX: Final = 1000
"""How long the address of an outlet may be. Those of push services have several hundred characters."""


class Outlet(models.Model):
    """A way to a person beside mail: a browser of theirs that takes pushes, or a webhook."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="outlets"
    )
    channel = models.CharField(_("channel"), max_length=8, choices=Channel.choices)
    name = models.CharField(_("name"), max_length=40)
    # A browser is told things as long as its person is signed in there: it goes with the session.
    session = models.ForeignKey(
        "usersessions.UserSession",
        verbose_name=_("session"),
        null=True,
        on_delete=models.CASCADE,
        related_name="outlets",
    )
    address = models.CharField(_("address"), max_length=ADDRESS_MAX)
    style = models.CharField(_("style"), max_length=8, choices=HookStyle.choices, blank=True)
    # Of a browser the public key and the secret of its subscription; of a webhook the secret that signs.
    public_key = models.CharField(_("public key"), max_length=100, blank=True)
    secret = models.CharField(_("secret"), max_length=100, blank=True)
    made_at = models.DateTimeField(_("made at"))

    reached_at = models.DateTimeField(_("last reached at"), null=True)
    failing_since = models.DateTimeField(_("failing since"), null=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    wait_until = models.DateTimeField(_("left alone until"), null=True)
    trouble = models.CharField(_("what is wrong"), max_length=16, blank=True)
    off_at = models.DateTimeField(_("switched off at"), null=True)

    class Meta:
        verbose_name = _("outlet")
        verbose_name_plural = _("outlets")
        constraints = (
            models.CheckConstraint(
                name="outlet_of_its_channel",
                condition=Q(channel=Channel.PUSH, session__isnull=False, style="")
                | (Q(channel=Channel.HOOK, session__isnull=True) & ~Q(style="")),
            ),
            # A browser has one subscription, whoever is signed in there.
            models.UniqueConstraint(name="outlet_once_a_browser", fields=("address",), condition=Q(channel="push")),
        )

    def __str__(self) -> str:
        return f"{self.channel} {self.pk}"


class Notice(models.Model):
    """One fact for one person through one channel, or one outlet of it: a row of the outbox, with what it says."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="notices"
    )
    game = models.ForeignKey(
        "games.Game",
        verbose_name=_("game"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="notices",
    )
    kind = models.CharField(_("kind"), max_length=16, choices=NoticeKind.choices)
    # Which topics there are is said in `games.notices.topics` alone.
    topic = models.CharField(_("topic"), max_length=16)
    # With the topic it names the fact within the game: the number of an entry, a deadline, a proposal.
    ref = models.CharField(_("reference"), max_length=80)
    channel = models.CharField(_("channel"), max_length=8, choices=Channel.choices, default=Channel.MAIL)
    outlet = models.ForeignKey(
        Outlet, verbose_name=_("outlet"), null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    params = models.JSONField(_("parameters"), default=dict)

    at = models.DateTimeField(_("true from"))
    due_at = models.DateTimeField(_("looked at next"))
    state = models.CharField(_("state"), max_length=10, choices=NoticeState.choices, default=NoticeState.WAITING)
    cause = models.CharField(_("reason"), max_length=16, choices=Cause.choices, blank=True)
    closed_at = models.DateTimeField(_("sent or closed at"), null=True, blank=True)

    # While someone sends it. A message's number that is left behind belongs to a mail which may have been sent.
    lease_until = models.DateTimeField(_("being sent until"), null=True, blank=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    tried_at = models.DateTimeField(_("first tried at"), null=True, blank=True)
    message_id = models.CharField(_("Message-ID"), max_length=320, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = (
            models.UniqueConstraint(
                name="notice_once_a_fact",
                fields=("user", "game", "topic", "ref", "channel"),
                condition=Q(game__isnull=False, outlet__isnull=True),
            ),
            models.UniqueConstraint(
                name="notice_once_a_fact_no_game",
                fields=("user", "topic", "ref", "channel"),
                condition=Q(game__isnull=True, outlet__isnull=True),
            ),
            models.UniqueConstraint(
                name="notice_once_an_outlet",
                fields=("outlet", "game", "topic", "ref"),
                condition=Q(game__isnull=False, outlet__isnull=False),
            ),
            models.UniqueConstraint(
                name="notice_once_an_outlet_no_game",
                fields=("outlet", "topic", "ref"),
                condition=Q(game__isnull=True, outlet__isnull=False),
            ),
            models.CheckConstraint(
                name="notice_outlet_or_mail",
                condition=Q(channel=Channel.MAIL, outlet__isnull=True)
                | (~Q(channel=Channel.MAIL) & Q(outlet__isnull=False)),
            ),
            models.CheckConstraint(name="notice_state_known", condition=Q(state__in=NoticeState.values)),
            models.CheckConstraint(
                name="notice_closed_with_instant",
                condition=Q(state=NoticeState.WAITING, closed_at__isnull=True)
                | (~Q(state=NoticeState.WAITING) & Q(closed_at__isnull=False, lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="notice_held_back_with_reason",
                condition=Q(state__in=(NoticeState.WAITING, NoticeState.SENT)) | ~Q(cause=""),
            ),
        )
        indexes = (
            models.Index(name="notice_due", fields=("due_at",), condition=Q(state=NoticeState.WAITING)),
            models.Index(name="notice_waiting", fields=("user", "at"), condition=Q(state=NoticeState.WAITING)),
            models.Index(name="notice_of_person", fields=("user", "-at")),
            models.Index(name="notice_result", fields=("state", "cause")),
            models.Index(name="notice_closed", fields=("closed_at",), condition=~Q(state=NoticeState.WAITING)),
        )

    def __str__(self) -> str:
        return f"{self.topic} {self.ref}"


class MailRefusal(models.Model):
    """A mail server said no for good: about an address that nobody has, or about us or anything else."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="mail_refusals"
    )
    at = models.DateTimeField(_("at"))
    reply = models.CharField(_("reply"), max_length=200)
    gone = models.BooleanField(_("nobody has the address"))

    class Meta:
        verbose_name = _("refusal of a mail")
        verbose_name_plural = _("refusals of mails")
        indexes = (models.Index(name="refusal_at", fields=("at",)),)

    def __str__(self) -> str:
        return self.reply


class NoticePreference(models.Model):
    """When a person wants one kind of notice by mail; without a row the kind's default holds."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="notice_preferences"
    )
    kind = models.CharField(_("kind"), max_length=16, choices=NoticeKind.choices)
    cadence = models.CharField(_("when"), max_length=8, choices=Cadence.choices)
    minutes = models.PositiveSmallIntegerField(
        _("minutes"), default=DELAY_DEFAULT, validators=[MinValueValidator(1), MaxValueValidator(DELAY_MAX)]
    )
    # What held before the person unsubscribed, for the way back.
    before = models.CharField(_("before"), max_length=8, choices=Cadence.choices, blank=True)

    class Meta:
        verbose_name = _("notice preference")
        verbose_name_plural = _("notice preferences")
        constraints = (models.UniqueConstraint(name="preference_once_a_kind", fields=("user", "kind")),)

    def __str__(self) -> str:
        return f"{self.kind}: {self.cadence}"


class ChannelPreference(models.Model):
    """When a person wants one kind of notice through a channel beside mail; without a row its default holds."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="channel_preferences"
    )
    channel = models.CharField(_("channel"), max_length=8, choices=Channel.choices)
    kind = models.CharField(_("kind"), max_length=16, choices=NoticeKind.choices)
    cadence = models.CharField(_("when"), max_length=8, choices=Cadence.choices)
    minutes = models.PositiveSmallIntegerField(
        _("minutes"), default=DELAY_DEFAULT, validators=[MinValueValidator(1), MaxValueValidator(DELAY_MAX)]
    )

    class Meta:
        verbose_name = _("channel preference")
        verbose_name_plural = _("channel preferences")
        constraints = (models.UniqueConstraint(name="preference_once_a_channel", fields=("user", "channel", "kind")),)

    def __str__(self) -> str:
        return f"{self.channel} {self.kind}: {self.cadence}"


class GameMute(models.Model):
    """A game that a person wants no notices of; warnings of the clock come all the same."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="muted_games"
    )
    game = models.ForeignKey("games.Game", verbose_name=_("game"), on_delete=models.CASCADE, related_name="mutes")

    class Meta:
        verbose_name = _("muted game")
        verbose_name_plural = _("muted games")
        constraints = (models.UniqueConstraint(name="mute_once_a_game", fields=("user", "game")),)

    def __str__(self) -> str:
        return f"{self.pk}"


class Presence(models.Model):
    """When a player last touched the page of a game, to within half a minute."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("person"), on_delete=models.CASCADE, related_name="presences"
    )
    game = models.ForeignKey("games.Game", verbose_name=_("game"), on_delete=models.CASCADE, related_name="presences")
    seen_at = models.DateTimeField(_("seen at"))

    class Meta:
        verbose_name = _("presence")
        verbose_name_plural = _("presences")
        constraints = (models.UniqueConstraint(name="presence_once_a_game", fields=("user", "game")),)

    def __str__(self) -> str:
        return f"{self.seen_at}"
