"""The user: an e-mail address to sign in with, a display name that others see, a language and a time zone."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.contrib.admin import display
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts.addresses import settle
from accounts.conduct import Block, Restrictable, StaffAct, StaffAction
from accounts.names import MAX_LENGTH, fold_name, isolate, normalise_name, skeleton, validate_name, validate_person
from accounts.zones import validate_zone
from statements import Parameter, Select

__all__ = ("AccessToken", "AccountMail", "Archive", "Block", "BoardView", "Scope", "StaffAct", "StaffAction", "User")


class FoldedField(models.CharField[str, str]):
    """A column that follows another one, folded by `fold_name`, so that uniqueness ignores case on every database."""

    def __init__(self, *args: Any, source: str, **kwargs: Any) -> None:
        self.source = source
        super().__init__(*args, **{"editable": False, **kwargs})

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """Add the source's name to what a migration stores."""
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "source": self.source}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: ARG002, FBT001 - Django's signature
        """Fold the source's value just before it is written."""
        folded = fold_name(getattr(model_instance, self.source))
        setattr(model_instance, self.attname, folded)
        return folded


class SkeletonField(FoldedField):
    """A column that follows another one as what it looks like, so that no two names can be taken for each other.

    Names from before that rule are kept: where two looked alike, the later one has its number behind a line break.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:  # noqa: ARG002, FBT001 - Django's signature
        """Take what the source looks like just before it is written; a number from before stays."""
        looks = skeleton(getattr(model_instance, self.source))
        stored: str = getattr(model_instance, self.attname) or ""
        if stored.partition("\n")[0] != looks:
            setattr(model_instance, self.attname, looks)
        value: str = getattr(model_instance, self.attname)
        return value


class BoardView(models.TextChoices):
    """How a person looks at boards that can be turned."""

    PRINTED = "printed", _("as printed")
    UPRIGHT = "upright", _("own pawn upright")


class UserManager(BaseUserManager["User"]):
    """Makes users, and finds them by name."""

    def create_user(self, email: str, password: str | None = None, *, display_name: str, **fields: Any) -> "User":
        """Create a user with a confirmed address; without a password nobody can sign in with one until it is reset.

        For code and the command line: who signs up by themselves has to confirm the address (`accounts.pending`).
        Raises `ValidationError` for an address or a name that is wrong or taken.
        """
        user = self.model(email=email.strip().lower(), display_name=normalise_name(display_name), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        if not user.is_staff:
            validate_person(user.display_name)
        if self.name_taken(user.display_name):
            raise ValidationError(_("That name is already taken."), code="taken")
        user.save(using=self._db)
        settle(user, user.email, confirmed=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, *, display_name: str, **fields: Any) -> "User":
        """Create a user who may do everything in the admin."""
        return self.create_user(email, password, display_name=display_name, is_staff=True, is_superuser=True, **fields)

    def named(self, name: str) -> "User | None":
        """Return the active user with this display name, whatever its case, or None; nobody who can't be found."""
        return self.found().filter(name_key=fold_name(normalise_name(name))).first()

    def found(self) -> "models.QuerySet[User]":
        """Return the active users whom others find by name: those who are confirmed, and bots."""
        return self.filter(Q(confirmed_address=F("email")) | Q(owner__is_active=True), is_active=True)

    def confirmed(self) -> "models.QuerySet[User]":
        """Return the active users whose present address is confirmed: those that others may know of, and get mail."""
        return self.filter(is_active=True, confirmed_address=F("email"))

    def shown(self) -> "models.QuerySet[User]":
        """Return the active users who have a page that anyone may see: those who can be found, and guests."""
        return self.found() | self.filter(is_guest=True, is_active=True)

    def get(self, *args: Any, **kwargs: Any) -> "User":
        """Return the one user who is asked for; by ``pk`` alone, as every request does, by a compiled statement."""
        if args or set(kwargs) != {"pk"} or not isinstance(kwargs["pk"], int):
            return super().get(*args, **kwargs)
        user = USER.first(pk=kwargs["pk"])
        if user is None:
            raise self.model.DoesNotExist("User matching query does not exist.")
        return user

    def name_taken(self, name: str, *, besides: "User | None" = None) -> bool:
        """Return whether someone (``besides`` one user) has this display name in any case, or one that looks so.

        One that the staff has taken from somebody counts as had, for as long as that is remembered.
        """
        looks = skeleton(name)
        same = Q(name_key=fold_name(normalise_name(name))) | Q(name_skeleton=looks)
        others = self.filter(same | Q(name_skeleton__startswith=f"{looks}\n"))
        if besides is not None:
            others = others.exclude(pk=besides.pk)
        return others.exists() or StaffAction.objects.filter(act=StaffAct.RENAME, details__looks=looks).exists()


class User(AbstractBaseUser, PermissionsMixin, Restrictable):
    """A person with an account."""

    email = models.EmailField(
        _("e-mail address"), unique=True, error_messages={"unique": _("That e-mail address is already in use.")}
    )
    display_name = models.CharField(_("display name"), max_length=MAX_LENGTH, validators=[validate_name])
    name_key = FoldedField(
        source="display_name",
        max_length=MAX_LENGTH * 4,
        unique=True,
        error_messages={"unique": _("That name is already taken.")},
    )
    name_skeleton = SkeletonField(
        source="display_name",
        max_length=MAX_LENGTH * 6,
        unique=True,
        error_messages={"unique": _("That name is already taken.")},
    )
    # Whether the person is asked for another name: theirs is from before the rules that hold now.
    name_asked = models.BooleanField(_("asked for another name"), default=False, editable=False)
    language = models.CharField(_("language"), max_length=7, choices=settings.LANGUAGES, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_zone])
    digest_hour = models.PositiveSmallIntegerField(
        _("hour of the daily e-mail"), default=18, validators=[MaxValueValidator(23)]
    )
    # The address when it was last confirmed; it says nothing about any other address. Written by `accounts.addresses`.
    confirmed_address = models.EmailField(_("confirmed address"), blank=True, editable=False)
    # Hours of the person's own zone in which no mail comes that can wait; past midnight where the first is the greater.
    quiet_from = models.PositiveSmallIntegerField(
        _("quiet hours from"), null=True, blank=True, validators=[MaxValueValidator(23)]
    )
    quiet_until = models.PositiveSmallIntegerField(
        _("quiet hours until"), null=True, blank=True, validators=[MaxValueValidator(23)]
    )
    board_view = models.CharField(
        _("view of the board"),
        max_length=8,
        choices=BoardView,
        default=BoardView.PRINTED,
        db_default=BoardView.PRINTED,
    )
    # The names of the lessons that the person has completed, separated by blanks (`accounts.progress`).
    lessons = models.CharField(_("completed lessons"), max_length=400, blank=True, default="", db_default="")
    # Whether hints stand beside the hand: for who has not finished a game yet and has not dismissed them. Who was here
    # before there were hints gets none.
    hints = models.BooleanField(_("hints in games"), default=True, db_default=False)
    # Whether others see the person's ratings and results, and leaderboards list them.
    ratings_shown = models.BooleanField(_("show my ratings and results to others"), default=True, db_default=True)
    # Whether the others in a game see which messages the person has read; who hides that does not see it of others.
    shows_seen = models.BooleanField(_("shows what is read"), default=True, db_default=True)
    # Made by one press on the home page: there is neither an address nor a password yet (`accounts.guests`).
    is_guest = models.BooleanField(_("guest account"), default=False, db_default=False, editable=False)
    # Of the form that made a guest account, or one that waits: sent again, it leads to this one.
    guest_token = models.UUIDField(_("token of the form"), null=True, blank=True, unique=True, editable=False)
    # When a guest was last here, to the day. It is kept of nobody else.
    seen_at = models.DateTimeField(_("last seen"), null=True, blank=True, editable=False)
    # The guest account that becomes this one's once the address is confirmed.
    keeps = models.ForeignKey(
        "self",
        verbose_name=_("keeps the games of"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="+",
    )
    # The person whose program this is: a bot, which plays by access tokens and is signed in to by nobody
    # (`accounts.bots`). Their account goes last.
    owner = models.ForeignKey(
        "self",
        verbose_name=_("owner of the bot"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.PROTECT,
        related_name="bots",
    )
    # Whether the person has, or has had, a way to be notified beside mail: of all others nobody looks for one.
    has_outlets = models.BooleanField(_("has had outlets"), default=False, db_default=False, editable=False)
    # Set when a mail server refuses the address for good; it says nothing about any other address.
    refused_address = models.EmailField(_("address that rejects e-mail"), blank=True)
    is_active = models.BooleanField(_("active"), default=True)
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("May enter the admin."))
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)

    objects = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["display_name"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_any_case",
                violation_error_message=_("That e-mail address is already in use."),
            )
        ]
        indexes = (
            models.Index(name="user_refused", fields=("is_active",), condition=~Q(refused_address="")),
            models.Index(name="user_idle_guest", fields=("seen_at",), condition=Q(is_guest=True)),
        )

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The name as it stands among other words: on pages, in titles and in mails."""
        return isolate(self.display_name)

    @property
    def is_bot(self) -> bool:
        """Whether this is the account of somebody's program."""
        return self.owner_id is not None

    @property
    def refuses_mail(self) -> bool:
        """Whether the present address refuses mail."""
        return self.refused_address != "" and self.refused_address == self.email

    @property
    @display(boolean=True, description=_("confirmed"))
    def is_confirmed(self) -> bool:
        """Whether the present address is confirmed."""
        return self.confirmed_address != "" and self.confirmed_address == self.email

    def is_silenced(self, now: datetime) -> bool:
        """Return whether the person may write nothing that others read: who is suspended may not either."""
        return self.is_suspended(now) or (self.silenced_until is not None and self.silenced_until > now)

    def is_suspended(self, now: datetime) -> bool:
        """Return whether the person may do no more than look, and play the games on that they have begun."""
        return self.suspended_until is not None and self.suspended_until > now

    @property
    def restricted_until(self) -> datetime | None:
        """Until when the person is barred from anything now; None where they are not."""
        now = timezone.now()
        ends = [until for until in (self.silenced_until, self.suspended_until) if until is not None and until > now]
        return max(ends, default=None)

    @property
    def suspended_now(self) -> bool:
        """Whether the person is suspended now, for pages."""
        return self.is_suspended(timezone.now())

    def get_session_auth_hash(self) -> str:
        """Return what a session must hold to go on: another password, or another address, ends it."""
        return salted_hmac("accounts.session", f"{self.password}\n{self.email}", algorithm="sha256").hexdigest()

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the same under the keys that were in use before."""
        for secret in settings.SECRET_KEY_FALLBACKS:
            text = f"{self.password}\n{self.email}"
            yield salted_hmac("accounts.session", text, secret=secret, algorithm="sha256").hexdigest()

    def set_language(self, code: str) -> None:
        """Remember in which language the person reads the site."""
        self.language = code
        self.save(update_fields=["language"])

    def set_time_zone(self, name: str) -> None:
        """Show times in another zone from now on. Raises `ValidationError` for what is none."""
        validate_zone(name)
        self.time_zone = name
        self.save(update_fields=["time_zone"])

    def set_board_view(self, view: str) -> None:
        """Remember how the person looks at boards."""
        self.board_view = view
        self.save(update_fields=["board_view"])

    def end_hints(self) -> None:
        """Show no more hints beside the hand."""
        self.hints = False
        self.save(update_fields=["hints"])

    def get_full_name(self) -> str:
        """Return the name that others see."""
        return self.shown_name

    def get_short_name(self) -> str:
        """Return the name that others see."""
        return self.shown_name


class Trace(models.Model):
    """Where a person was signed in, as a keyed hash that tells nothing but whether somebody else was there too.

    No game between two such people is rated (`accounts.households`). Nobody is shown these rows.
    """

    class Kind(models.TextChoices):
        """What the hash is made of."""

        NETWORK = "network", _("network")
        DEVICE = "device", _("browser")

    user = models.ForeignKey("User", verbose_name=_("user"), on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind)
    digest = models.CharField(_("keyed hash"), max_length=32)
    # To within a day.
    seen_at = models.DateTimeField(_("last seen"))

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        constraints = (models.UniqueConstraint(name="trace_once", fields=("user", "kind", "digest")),)
        indexes = (
            models.Index(name="trace_of_place", fields=("kind", "digest")),
            models.Index(name="trace_seen", fields=("seen_at",)),
        )

    def __str__(self) -> str:
        return f"{self.kind}"


class AccountMail(models.Model):
    """A mail about an account that was asked for: a request leaves it here, a worker decides, writes and sends it.

    It holds no link and no secret. Rows stay for a day, so that what goes to one address can be bounded.
    """

    template = models.CharField(_("template"), max_length=40)
    address = models.EmailField(_("e-mail address"))
    user = models.ForeignKey("User", verbose_name=_("user"), null=True, blank=True, on_delete=models.CASCADE)
    params = models.JSONField(_("parameters"), default=dict)
    language = models.CharField(_("language"), max_length=7)
    at = models.DateTimeField(_("asked for"))
    due_at = models.DateTimeField(_("looked at next"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    closed_at = models.DateTimeField(_("sent or closed at"), null=True, blank=True)
    sent = models.BooleanField(_("sent"), default=False)
    # Whether it was closed since it could not be sent for a day; else it was sent, or not called for.
    given_up = models.BooleanField(_("given up"), default=False, db_default=False)

    class Meta:
        verbose_name = _("account mail")
        verbose_name_plural = _("account mails")
        indexes = (
            models.Index(name="account_mail_due", fields=("due_at",), condition=Q(closed_at=None)),
            models.Index(name="account_mail_address", fields=("address", "at")),
        )

    def __str__(self) -> str:
        return self.template


class Purpose(models.TextChoices):
    """What a code that was sent in a mail is for."""

    SIGN_UP = "sign-up", _("sign-up")
    SIGN_IN = "sign-in", _("sign-in")
    CONFIRM = "confirm", _("confirmation that it is you")


class EmailCode(models.Model):
    """A code that a session asked for: a worker draws it as it writes the mail, and keeps its hash alone.

    The row is there whoever has the address, so that trying a code does and answers the same (`accounts.codes`).
    """

    purpose = models.CharField(_("purpose"), max_length=8, choices=Purpose)
    address = models.EmailField(_("e-mail address"))
    # The account that waits, or is signed in, in the session that asked; none at a sign-in.
    asker = models.ForeignKey(
        "User", verbose_name=_("asked for by"), null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    # Whom the code is for, which the worker finds out.
    user = models.ForeignKey("User", verbose_name=_("user"), null=True, blank=True, on_delete=models.CASCADE)
    hash = models.CharField(_("hash"), max_length=64, blank=True, editable=False)
    asked_at = models.DateTimeField(_("asked for"))
    made_at = models.DateTimeField(_("made at"), null=True, blank=True)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)

    class Meta:
        verbose_name = _("e-mail code")
        verbose_name_plural = _("e-mail codes")
        indexes = (models.Index(name="email_code_asked", fields=("asked_at",)),)

    def __str__(self) -> str:
        return self.get_purpose_display()


class AddressChange(models.Model):
    """That a person wants another address: who holds each of the two mailboxes has a say (`accounts.address_change`).

    It ends with allauth's row of the new address: when that is taken back, or another one is asked for.
    """

    SALT: Final = "accounts.address_change"

    address = models.OneToOneField(
        "account.EmailAddress", verbose_name=_("new address"), on_delete=models.CASCADE, related_name="change"
    )
    user = models.OneToOneField("User", verbose_name=_("user"), on_delete=models.CASCADE)
    asked_at = models.DateTimeField(_("asked for"))
    # When the old mailbox was told, or a day's tries to tell it were in vain: from then on its silence counts.
    told_at = models.DateTimeField(_("old address told at"), null=True, blank=True)
    new_at = models.DateTimeField(_("confirmed at the new address"), null=True, blank=True)
    old_at = models.DateTimeField(_("confirmed at the old address"), null=True, blank=True)

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")
        indexes = (models.Index(name="address_change_asked", fields=("asked_at",)),)

    def __str__(self) -> str:
        return f"{self.asked_at}"

    @property
    def key(self) -> str:
        """What the link says that the old mailbox is sent: that it is about this change, and no address."""
        return signing.Signer(salt=self.SALT).sign_object(self.pk)


class ArchiveManager(models.Manager["Archive"]):
    """Archives without what is in them, which is read where it is handed out."""

    def get_queryset(self) -> "models.QuerySet[Archive]":
        """Leave the bytes where they are."""
        return super().get_queryset().defer("data")


class Archive(models.Model):
    """All that the site stores about a person, in one file: asked for by them, made by a worker (`accounts.archives`).

    One a person: a new one takes the place of the last.
    """

    user = models.OneToOneField("User", verbose_name=_("person"), on_delete=models.CASCADE)
    asked_at = models.DateTimeField(_("asked for"))
    due_at = models.DateTimeField(_("looked at next"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    made_at = models.DateTimeField(_("made at"), null=True, blank=True)
    size = models.PositiveIntegerField(_("size in bytes"), default=0)
    data = models.BinaryField(null=True)

    objects = ArchiveManager()

    class Meta:
        verbose_name = _("archive of a person's data")
        verbose_name_plural = _("archives of people's data")
        indexes = (models.Index(name="archive_due", fields=("due_at",), condition=Q(made_at=None)),)

    def __str__(self) -> str:
        return f"{self.asked_at}"


class Scope(models.TextChoices):
    """What a program may do with an access token; each stands for itself, and none for another."""

    READ = "read"
    PLAY = "play"
    CREATE = "create"
    CALENDAR = "calendar"


class AccessToken(models.Model):
    """With what a program shows that a person lets it do some of what they may do (`accounts.tokens`).

    Of its text nothing is kept but a hash and the start. The row is deleted when it is taken back.
    """

    user = models.ForeignKey("User", verbose_name=_("person"), on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(_("name"), max_length=50)
    start = models.CharField(_("start"), max_length=8)
    hash = models.CharField(_("hash"), max_length=64, unique=True, editable=False)
    # Their names, separated by blanks, in the order of `Scope`.
    scopes = models.CharField(_("scopes"), max_length=40)
    made_at = models.DateTimeField(_("made at"))
    # To within ten minutes.
    used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)

    class Meta:
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")
        constraints = (
            models.UniqueConstraint(name="access_token_name", fields=("user", "name")),
            models.CheckConstraint(name="access_token_has_scope", condition=~Q(scopes="")),
        )
        indexes = (models.Index(name="access_token_ends", fields=("expires_at",), condition=~Q(expires_at=None)),)

    def __str__(self) -> str:
        return self.start

    def allows(self, scope: str) -> bool:
        """Return whether the token has a scope."""
        return scope in self.scopes.split()

    def is_expired(self, now: datetime) -> bool:
        """Return whether the token has served its time."""
        return self.expires_at is not None and self.expires_at <= now


USER: Final = Select(User._default_manager.filter(pk=Parameter("pk")))
