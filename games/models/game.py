"""A game, its seats and its move log."""

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.names import isolate
from games.clock import DEFAULT_PRESET, PRESETS
from games.models.choices import Actor, EntryEvent, Reason, Status, Unrated

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


KEY_LENGTH: Final = 12
KEY_ALPHABET: Final = "23456789abcdefghijkmnpqrstuvwxyz"
TURN_LENGTH: Final = 200
DIGEST_LENGTH: Final = 64
NAME_LENGTH: Final = 40
OPEN_FOR: Final = timedelta(days=14)
"""How long a game stays open without being full."""
EXPIRY_NOTICE: Final = timedelta(days=2)
"""How long before its end an open game's creator gets a notice."""


def new_key() -> str:
    """Return an address for a new game: 60 bits that can be neither guessed nor counted."""
    return "".join(secrets.choice(KEY_ALPHABET) for _position in range(KEY_LENGTH))


def default_time_control() -> dict[str, int | bool | str]:
    """Return the time control of a game for which nothing else was said, as it is stored."""
    return PRESETS[DEFAULT_PRESET].to_json()


HIDDEN: Final = ("setup", "state", "events")
"""The columns that hold hidden cards."""


class GameManager(models.Manager["Game"]):
    """Games without what holds hidden cards, as templates get games: `games.log.positions` alone asks for it."""

    def get_queryset(self) -> "models.QuerySet[Game]":
        """Leave the hidden columns where they are."""
        return super().get_queryset().defer(*HIDDEN)


def defer_hidden[Row: models.Model](rows: "models.QuerySet[Row]") -> "models.QuerySet[Row]":
    """Return rows that are read together with their ``game``, without its hidden columns."""
    return rows.select_related("game").defer(*(f"game__{column}" for column in HIDDEN))


class Game(models.Model):
    """One play, from the moment it is offered. Never deleted."""

    key = models.CharField(_("key"), max_length=KEY_LENGTH, unique=True, default=new_key, editable=False)
    ruleset = models.CharField(_("ruleset"), max_length=32)
    # What its creator calls it; most games have no name.
    name = models.CharField(_("name"), max_length=NAME_LENGTH, default="", db_default="", blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.OPEN)
    size = models.PositiveSmallIntegerField(_("number of seats"))
    options = models.JSONField(_("options"), default=dict)
    public = models.BooleanField(_("listed in the lobby"), default=True)
    # Whether nobody but its players may look at the game once it has started (`games.log.table.may_watch`).
    players_only = models.BooleanField(_("for its players only"), default=False, db_default=False)
    # Whether bots, programs of people (`accounts.bots`), may take seats: such a game is never rated.
    takes_bots = models.BooleanField(_("takes bots"), default=False, db_default=False)
    # Whether its creator wants it to count, and why it does not all the same: known from the start, or at the end.
    rated = models.BooleanField(_("rated"), default=False, db_default=False)
    unrated = models.CharField(
        _("why not rated"), max_length=10, choices=Unrated.choices, default="", db_default="", blank=True
    )
    # Ratings follow from results in the order of these numbers, which are given one at a time.
    rating_number = models.PositiveBigIntegerField(_("number among rated games"), null=True, blank=True, unique=True)
    # Whether ratings and turns missed were written down after its end.
    settled = models.BooleanField(_("settled"), default=False, db_default=False)
    # Whom it takes, beside those who are invited: null takes anybody.
    rating_from = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    rating_to = models.PositiveSmallIntegerField(_("rating to"), null=True, blank=True)
    punctual_from = models.PositiveSmallIntegerField(_("turns in time, in per cent"), null=True, blank=True)
    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("creator"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="created_games",
    )
    # Of the form that the creator sent: sent again, it leads to this game.
    token = models.UUIDField(_("token of the form"), null=True, blank=True, editable=False)
    # A digest of all that a program asked for, so that it asks for nothing else by the same token. Forms have none.
    asked_digest = models.CharField(
        _("digest of what was asked for"),
        max_length=DIGEST_LENGTH,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )
    # A finished game has one rematch at most, but for withdrawn ones, which give this up. The next game of a series is
    # one that nobody has to ask for.
    rematch_of = models.OneToOneField(
        "self", verbose_name=_("rematch of"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # Games of the same people that follow one another: how many, the number of this one, and the first of them, which
    # is null in the first itself.
    series_length = models.PositiveSmallIntegerField(_("games in the series"), default=1, db_default=1)
    series_number = models.PositiveSmallIntegerField(_("number in the series"), default=1, db_default=1)
    series_of = models.ForeignKey(
        "self", verbose_name=_("first of the series"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    # Whether the next game of the series begins once this one has been played to its end.
    is_followed = models.BooleanField(_("another game follows"), default=False, db_default=False)
    created_at = models.DateTimeField(_("created at"))
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    expires_at = models.DateTimeField(_("open until"), null=True, blank=True)
    expiry_noticed = models.BooleanField(_("notice of the end enqueued"), default=False, db_column="expiry_told")

    # The drawn set-up: the record without a log. Null until the game starts; then only the name of a person whose
    # account is deleted changes, while the digest of the set-up as it was drawn stays the chain's anchor.
    setup = models.JSONField(_("set-up"), null=True, blank=True)
    setup_digest = models.CharField(_("digest of the set-up"), max_length=DIGEST_LENGTH, blank=True)
    nameless_digest = models.CharField(_("digest of the set-up without names"), max_length=DIGEST_LENGTH, blank=True)

    # What `games.clock` calls a time control. Changed only by consent.
    time_control = models.JSONField(_("time control"), default=default_time_control, db_column="contract")
    # Derived by `games.timing.deadlines` for the sweep; null while no time runs.
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    # Likewise: when whoever must act is to be warned next that their time runs out; null while no warning is to come.
    warning_at = models.DateTimeField(_("next warning"), null=True, blank=True)

    # Derived from the log; `verify_games` compares and rebuilds them.
    seq = models.PositiveIntegerField(_("number of the last entry"), default=0)
    head = models.CharField(_("last digest of the chain"), max_length=DIGEST_LENGTH, blank=True)
    to_move = models.PositiveSmallIntegerField(_("seat to move"), null=True, blank=True)
    round = models.PositiveIntegerField(_("round"), default=0)
    turns = models.PositiveIntegerField(_("turns played"), default=0)
    turn_began_at = models.DateTimeField(_("turn began at"), null=True, blank=True)
    bot_to_move = models.BooleanField(_("a computer player is to move"), default=False)

    # The position after entry ``seq`` with the events that led to it, hidden cards included: a cache of what replaying
    # the log gives. Empty before the start and once the game is over. Read by `games.log.positions` alone.
    state = models.TextField(_("state"), default="", blank=True)
    events = models.JSONField(_("events"), default=list, blank=True)

    # Whether what the finished game came to was counted up (`games.models.results`).
    is_tallied = models.BooleanField(_("counted up"), default=False, db_default=False)

    # Grows with each change that a page could show: the tag that open pages poll with.
    version = models.PositiveIntegerField(_("version"), default=1)

    objects = GameManager()

    seats: "RelatedManager[Seat]"
    entries: "RelatedManager[Entry]"

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        base_manager_name = "objects"
        constraints = (
            models.UniqueConstraint(
                name="game_token_once_a_creator",
                fields=("creator", "token"),
                condition=Q(creator__isnull=False, token__isnull=False),
            ),
            models.CheckConstraint(name="game_status_known", condition=Q(status__in=Status.values)),
            models.CheckConstraint(name="game_size_positive", condition=Q(size__gte=1)),
            models.CheckConstraint(name="game_seq_not_negative", condition=Q(seq__gte=0)),
            models.CheckConstraint(name="game_version_positive", condition=Q(version__gte=1)),
            models.CheckConstraint(
                name="game_started_has_setup",
                condition=Q(status=Status.CANCELLED)
                | Q(
                    status=Status.OPEN,
                    setup__isnull=True,
                    started_at__isnull=True,
                    seq=0,
                )
                | (
                    Q(
                        status__in=(Status.ACTIVE, Status.FINISHED),
                        setup__isnull=False,
                        started_at__isnull=False,
                    )
                    & ~Q(setup_digest="")
                    & ~Q(head="")
                ),
            ),
            models.CheckConstraint(
                name="game_active_has_seat_to_move",
                condition=Q(
                    status=Status.ACTIVE,
                    to_move__isnull=False,
                    finished_at__isnull=True,
                )
                | (~Q(status=Status.ACTIVE) & Q(to_move__isnull=True, bot_to_move=False)),
            ),
            models.CheckConstraint(name="game_to_move_in_size", condition=Q(to_move__range=(1, F("size")))),
            models.CheckConstraint(
                name="game_deadline_of_person_to_move",
                condition=Q(deadline__isnull=True) | Q(status=Status.ACTIVE, bot_to_move=False),
            ),
        )
        indexes = (
            models.Index(
                name="game_lobby",
                fields=("-created_at",),
                condition=Q(status=Status.OPEN, public=True),
            ),
            models.Index(
                name="game_running",
                fields=("-turn_began_at", "-id"),
                condition=Q(status=Status.ACTIVE, public=True),
            ),
            models.Index(
                name="game_started",
                fields=("-started_at", "-id"),
                condition=Q(status=Status.ACTIVE, public=True),
            ),
            models.Index(
                name="game_finished",
                fields=("-finished_at", "-id"),
                condition=Q(status=Status.FINISHED, public=True),
            ),
            models.Index(
                name="game_to_settle",
                fields=("-rated", "finished_at", "id"),
                condition=Q(status=Status.FINISHED, settled=False),
            ),
            models.Index(
                name="game_bot_to_move",
                fields=("turn_began_at",),
                condition=Q(bot_to_move=True),
            ),
            models.Index(name="game_due", fields=("deadline",), condition=Q(deadline__isnull=False)),
            models.Index(name="game_warning", fields=("warning_at",), condition=Q(warning_at__isnull=False)),
            models.Index(
                name="game_without_deadline",
                fields=("id",),
                condition=Q(status=Status.ACTIVE, bot_to_move=False, deadline__isnull=True),
            ),
            models.Index(
                name="game_followed",
                fields=("id",),
                condition=Q(status=Status.FINISHED, is_followed=True),
            ),
            models.Index(
                name="game_to_tally",
                fields=("id",),
                condition=Q(status=Status.FINISHED, is_tallied=False),
            ),
            models.Index(name="game_status", fields=("status",)),
            models.Index(name="game_open_until", fields=("expires_at",), condition=Q(status=Status.OPEN)),
        )

    def __str__(self) -> str:
        return self.key

    @property
    def shown_name(self) -> str:
        """The game's name where it stands among other words, set apart as people's names are; empty for none."""
        return isolate(self.name)

    @property
    def was_set_up(self) -> bool:
        """Whether the game has ever started: then there is a set-up, and a position."""
        return self.started_at is not None


class Seat(models.Model):
    """A place in a game, held by a person or a computer player; numbered when the game starts.

    A seat with neither was a person's whose account is gone.
    """

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField(_("number"), null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("person"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seats",
    )
    bot = models.CharField(_("computer player"), max_length=32, blank=True)
    # The person's name. Seats without a person have none: `games.words.seats` makes one for each reader.
    name = models.CharField(_("name"), max_length=150)

    # Of a rated game: what its result changes, also once its person is gone.
    rating = models.ForeignKey(
        "games.Rating",
        verbose_name=_("rating"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        db_index=False,
    )

    # Derived from the log; `verify_games` compares and rebuilds them.
    points = models.IntegerField(_("points"), default=0)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    retired = models.BooleanField(_("left the game"), default=False)
    # Copied from the game once it has ended, so that lists of a person's games are read from an index alone, whether of
    # the few that go on or of the many that are over.
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    # The seat's clock: seconds left as of ``since``, which is null while no turn of the seat is open.
    allowance = models.PositiveIntegerField(_("allowance left"), default=0)
    reserve = models.PositiveIntegerField(_("reserve left"), default=0)
    since = models.DateTimeField(_("as of"), null=True, blank=True)
    # Where weekends count: the owner's time zone when the turn began, whatever they change meanwhile. It is kept when
    # the turn is over, so that no weekend counts in two zones.
    zone = models.CharField(_("time zone of the turn"), max_length=64, blank=True)
    misses = models.PositiveSmallIntegerField(_("turns missed in a row"), default=0)

    may_stop: bool | None = None
    """Whether a holiday or a pause may stop the seat's clock in the open turn; None while nobody has asked."""
    has_plans: bool = False
    """Whether the seat has plans: known of the seats of a locked game."""

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = (
            models.UniqueConstraint(name="seat_number_once_a_game", fields=("game", "number")),
            models.UniqueConstraint(name="seat_user_once_a_game", fields=("game", "user")),
            models.CheckConstraint(name="seat_number_positive", condition=Q(number__gte=1)),
            models.CheckConstraint(name="seat_place_positive", condition=Q(place__gte=1)),
            models.CheckConstraint(name="seat_person_or_bot", condition=Q(user__isnull=True) | Q(bot="")),
        )
        indexes = (models.Index(name="seat_of_person", fields=("user", "-ended_at", "-game")),)

    def __str__(self) -> str:
        return self.name or self.bot or f"{self.number}"


class Entry(models.Model):
    """One row of the move log: a seat's turn, or its leaving. The database refuses to change or delete it."""

    game = models.ForeignKey(Game, verbose_name=_("game"), on_delete=models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField(_("number"))
    seat = models.PositiveSmallIntegerField(_("seat"))
    turn = models.CharField(_("turn"), max_length=TURN_LENGTH, blank=True)
    event = models.CharField(_("event"), max_length=10, choices=EntryEvent.choices, blank=True)
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices, blank=True)
    by = models.CharField(_("by"), max_length=10, choices=Actor.choices)
    at = models.DateTimeField(_("at"))
    digest = models.CharField(_("digest"), max_length=DIGEST_LENGTH)
    # Whether the turn was planned ahead (`games.models.plan`). No part of the record.
    planned = models.BooleanField(_("planned ahead"), default=False, db_default=False)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = (
            models.UniqueConstraint(name="entry_seq_once_a_game", fields=("game", "seq")),
            models.CheckConstraint(name="entry_seq_positive", condition=Q(seq__gte=1)),
            models.CheckConstraint(name="entry_seat_positive", condition=Q(seat__gte=1)),
            models.CheckConstraint(name="entry_by_known", condition=Q(by__in=Actor.values)),
            models.CheckConstraint(
                name="entry_turn_or_event",
                condition=(~Q(turn="") & Q(event="", reason="")) | Q(turn="", event__in=EntryEvent.values),
            ),
        )

    def __str__(self) -> str:
        return f"{self.seq}"
