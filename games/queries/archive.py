"""All that the site stores about a person, as the files of an archive for them alone.

`COLUMNS` says what is in them of each table; a test asks of every other table and column why it is not. Others are in
them by the names that everybody sees, and nothing is that the person could not see on the site.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import F, Model, Prefetch, Q, QuerySet
from django.template.loader import render_to_string
from django.utils import translation

from accounts import mails
from accounts.addresses import has_address
from accounts.bots import owned
from accounts.mail_format import absolute
from accounts.models import AccessToken, AccountMail, AddressChange, Block, StaffAction, Trace, User
from games.log.positions import take_hidden
from games.log.record import game_record, write_instant
from games.log.seats import with_seats
from games.log.table import seat_of
from games.models import (
    Career,
    Charge,
    Consent,
    Entry,
    Friend,
    Game,
    Holiday,
    Invitation,
    MailInvitation,
    Message,
    Note,
    Plan,
    Proposal,
    Punctuality,
    PuzzleAttempt,
    Rating,
    RatingChange,
    Reaction,
    Remark,
    Removal,
    Report,
    Result,
    Review,
    Rivalry,
    Seat,
    SeenMark,
    Solver,
    SpectatorMessage,
    TalkMute,
)
from games.notices.models import (
    ChannelPreference,
    GameMute,
    MailRefusal,
    Notice,
    NoticePreference,
    Outlet,
    Presence,
)
from games.words.archive import FILES

BATCH: Final = 50
"""So many games are read together."""
COLUMNS: Final[Mapping[type[Model], tuple[str, ...]]] = {
    User: (
        "id",
        "email",
        "confirmed_address",
        "refused_address",
        "display_name",
        "name_asked",
        "language",
        "time_zone",
        "digest_hour",
        "quiet_from",
        "quiet_until",
        "board_view",
        "lessons",
        "hints",
        "ratings_shown",
        "shows_seen",
        "is_guest",
        "is_active",
        "is_staff",
        "is_superuser",
        "date_joined",
        "last_login",
        "seen_at",
        "silenced_until",
        "suspended_until",
        "restricted_why",
    ),
    Block: ("at",),
    StaffAction: ("at", "act", "game", "said"),
    Report: ("kind", "name", "quoted", "text", "at", "state", "closed_at", "outcome"),
    EmailAddress: ("email", "verified", "primary"),
    AddressChange: ("asked_at", "told_at", "new_at", "old_at"),
    Authenticator: ("type", "created_at", "last_used_at"),
    UserSession: ("ip", "user_agent", "created_at", "last_seen_at"),
    Trace: ("kind", "seen_at"),
    AccessToken: ("name", "start", "scopes", "made_at", "used_at", "expires_at"),
    AccountMail: ("template", "address", "language", "at", "attempts", "closed_at", "sent", "given_up"),
    Holiday: ("first", "last", "zone"),
    NoticePreference: ("kind", "cadence", "minutes", "before"),
    ChannelPreference: ("channel", "kind", "cadence", "minutes"),
    Outlet: (
        "channel",
        "name",
        "style",
        "address",
        "made_at",
        "reached_at",
        "failing_since",
        "failures",
        "wait_until",
        "trouble",
        "off_at",
    ),
    Notice: (
        "kind",
        "topic",
        "ref",
        "channel",
        "at",
        "due_at",
        "state",
        "cause",
        "closed_at",
        "attempts",
        "tried_at",
        "message_id",
    ),
    MailRefusal: ("at", "reply", "gone"),
    GameMute: (),
    Presence: ("seen_at",),
    Invitation: ("at", "declined_at"),
    MailInvitation: ("address", "at"),
    Removal: ("at",),
    Friend: ("at",),
    Message: ("text", "at"),
    SpectatorMessage: ("number", "text", "at"),
    Reaction: ("move", "kind", "at"),
    SeenMark: ("at",),
    TalkMute: ("what", "seat"),
    Note: ("text", "at"),
    Result: (
        "seat",
        "place",
        "retired",
        "kind",
        "size",
        "public",
        "finished_at",
        "points",
        "turns",
        "in_time",
        "seconds",
        "counts",
    ),
    Career: ("kind", "public", "games", "wins", "left", "points", "turns", "in_time", "seconds", "counts"),
    Rivalry: ("public", "games", "ahead", "behind"),
    Review: ("at", "made_at"),
    Game: (
        "key",
        "ruleset",
        "name",
        "status",
        "size",
        "options",
        "public",
        "series_length",
        "series_number",
        "players_only",
        "takes_bots",
        "rated",
        "rating_from",
        "rating_to",
        "punctual_from",
        "time_control",
        "created_at",
        "started_at",
        "finished_at",
        "expires_at",
        "deadline",
        "to_move",
        "round",
        "turns",
    ),
    Seat: (
        "number",
        "name",
        "bot",
        "points",
        "place",
        "retired",
        "allowance",
        "reserve",
        "since",
        "zone",
        "misses",
    ),
    Rating: ("pool", "mu", "sigma", "games", "played_at", "listed"),
    RatingChange: (
        "place",
        "mu_before",
        "sigma_before",
        "mu_after",
        "sigma_after",
        "games",
        "at",
    ),
    Punctuality: ("played", "missed"),
    PuzzleAttempt: ("at", "turn", "solved", "lost", "solved_at", "seen_at", "rating_before", "rating_after"),
    Solver: ("rating", "deviation", "attempts", "solved", "rated_at", "streak_on", "streak", "longest"),
    Charge: (
        "turn",
        "zone",
        "start",
        "end",
        "allowance_before",
        "reserve_before",
        "allowance_after",
        "reserve_after",
        "increment",
        "cap",
        "carries",
    ),
    Plan: ("place", "turn", "conditions", "made_at", "seq", "state", "unmet"),
    Proposal: ("kind", "round", "time_control", "asked_at", "closed_at", "outcome"),
    Consent: ("at",),
    Remark: ("at", "after", "kind", "params"),
}
"""What an archive has of each row, beside the key of its game. Entries of logs are in the records."""
OF_OTHERS: Final = ("number", "name", "bot", "points", "place", "retired")
"""What it has of the other seats of a game: what anyone sees."""


def archive_files(user: User, now: datetime) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file: 38 queries, and 6 more for each `BATCH` of games.

    Those of a person's bots come after their own, each bot's in a folder: as many queries again.
    """
    yield "README.txt", _read_me(user, now)
    yield from _files_of(user)
    for bot in owned(user):
        for name, text in _files_of(bot):
            yield f"bots/{bot.pk}/{name}", text


def _files_of(user: User) -> Iterator[tuple[str, str]]:
    yield "account.json", _write(_account(user))
    yield "holidays.json", _write([_row(row) for row in user.holidays.order_by("first")])
    yield "notices.json", _write(_notices(user))
    yield "invitations.json", _write(_invitations(user))
    yield "messages.json", _write([*_of_games(_messages(user))])
    yield "conduct.json", _write(_conduct(user))
    yield "talk.json", _write(_talk(user))
    yield "notes.json", _write([*_of_games(Note.objects.filter(user=user))])
    yield "results.json", _write(_results(user))
    yield "ratings.json", _write(_ratings(user))
    yield "puzzles.json", _write(_puzzles(user))
    games = []
    for game in _games_of(user):
        games.append(_game(game, user))
        if (seat := seat_of(game, user)) is not None and game.was_set_up:
            yield f"records/{game.key}.json", _write(game_record(game, list(game.entries.all()), seat.number))
    yield "games.json", _write(games)


def _write(content: object) -> str:
    return json.dumps(content, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _row(row: Model, names: Iterable[str] | None = None) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names or COLUMNS[type(row)]}


def _read_me(user: User, now: datetime) -> str:
    context = {
        "files": FILES.items(),
        "notation": absolute("notation"),
        "site": settings.SITE_URL,
        "moment": write_instant(now),
    }
    with translation.override(user.language):
        return render_to_string("account/archive.txt", context).strip() + "\n"


# --- The account ---------------------------------------------------------------------------------------------------


def _account(user: User) -> dict[str, Any]:
    row = _row(user)
    if not has_address(user):
        row["email"] = None  # what stands in for one is nobody's
    return {
        **row,
        "groups": [*user.groups.order_by("name").values_list("name", flat=True)],
        "permissions": [*user.user_permissions.order_by("codename").values_list("codename", flat=True)],
        "addresses": [_row(address) for address in user.emailaddress_set.order_by("pk")],
        "address_changes": [
            {"address": change.address.email, **_row(change)}
            for change in AddressChange.objects.select_related("address").filter(user=user)
        ],
        "second_factors": [_row(factor) for factor in Authenticator.objects.filter(user=user).order_by("pk")],
        "sign_ins": [_row(session) for session in UserSession.objects.filter(user=user).order_by("pk")],
        "access_tokens": [_row(token) for token in AccessToken.objects.filter(user=user).order_by("pk")],
        "traces": [_row(trace) for trace in Trace.objects.filter(user=user).order_by("pk")],
        "mails": [_row(mail) for mail in _mails_to(user)],
    }


def _mails_to(user: User) -> QuerySet[AccountMail]:
    """Return the mails about an account that went to its person.

    Not those to an address that they only typed: what became of these would tell whose it is.
    """
    to_theirs = Q(Q(user=None) | Q(user=user), address=user.email)
    rows = AccountMail.objects.filter(to_theirs if user.is_confirmed else Q(pk=None))
    return (rows | AccountMail.objects.filter(user=user, template=mails.MOVED)).order_by("at", "pk")


def _notices(user: User) -> dict[str, Any]:
    return {
        "preferences": [_row(row) for row in NoticePreference.objects.filter(user=user).order_by("kind")],
        "preferences_of_channels": [
            _row(row) for row in ChannelPreference.objects.filter(user=user).order_by("channel", "kind")
        ],
        "outlets": [_row(row) for row in Outlet.objects.filter(user=user).order_by("pk")],
        "muted_games": [row["game"] for row in _of_games(GameMute.objects.filter(user=user))],
        "games_open_in_a_browser": [*_of_games(Presence.objects.filter(user=user))],
        "notices": [*_of_games(Notice.objects.filter(user=user))],
        "refused_mails": [_row(row) for row in MailRefusal.objects.filter(user=user).order_by("pk")],
    }


# --- What is about games -------------------------------------------------------------------------------------------


def _of_games(rows: QuerySet[Any], **names: F) -> Iterator[dict[str, Any]]:
    """Yield rows that belong to games, each with the key of its game and what else is asked for by name."""
    columns = ("key", *names, *COLUMNS[rows.model])
    for row in rows.order_by("pk").values(*COLUMNS[rows.model], key=F("game__key"), **names).iterator():
        yield {"game" if name == "key" else name: row[name] for name in columns}


def _invitations(user: User) -> dict[str, Any]:
    """Return what a person was asked and asked others. What others answered is theirs."""
    got = _of_games(
        Invitation.objects.filter(user=user), rematch=F("rematch_of__key"), invited_by=F("by__display_name")
    )
    named = Invitation.objects.filter(by=user, by_address=False)
    sent = _of_games(named, rematch=F("rematch_of__key"), person=F("user__display_name"))
    return {
        "received": [*got],
        "sent": [{name: row[name] for name in row if name != "declined_at"} for row in sent],
        "sent_to_addresses": [*_of_games(MailInvitation.objects.filter(by=user))],
        "friends": [*Friend.objects.filter(user=user).order_by("pk").values("at", person=F("friend__display_name"))],
        "removed_from": [*_of_games(Removal.objects.filter(user=user))],
    }


def _results(user: User) -> dict[str, Any]:
    rivals = Rivalry.objects.filter(user=user).order_by("pk").select_related("rival")
    return {
        "games": [*_of_games(Result.objects.filter(user=user))],
        "sums": [_row(row) for row in Career.objects.filter(user=user).order_by("pk")],
        "rivals": [{"rival": row.rival.display_name, **_row(row)} for row in rivals],
        "reviews_asked_for": [*_of_games(Review.objects.filter(by=user))],
    }


def _conduct(user: User) -> dict[str, Any]:
    """Return whom a person has blocked, what they reported, and what the staff did about them and told them."""
    blocked = Block.objects.filter(blocker=user).order_by("pk").values("at", person=F("blocked__display_name"))
    reports = _of_games(Report.objects.filter(reporter=user))
    return {
        "blocked": [*blocked],
        "reports": [*reports],
        "done_by_the_staff": [_row(done) for done in StaffAction.objects.filter(person=user.pk).order_by("pk")],
    }


def _ratings(user: User) -> dict[str, Any]:
    changes = RatingChange.objects.filter(rating__user=user).order_by("number")
    columns = (*COLUMNS[RatingChange], "pool", "key")
    rows = changes.values(*COLUMNS[RatingChange], pool=F("rating__pool"), key=F("seat__game__key")).iterator()
    return {
        "ratings": [_row(rating) for rating in Rating.objects.filter(user=user).order_by("pool")],
        "changes": [{"game" if name == "key" else name: row[name] for name in columns} for row in rows],
        "turns_in_time": [_row(counted) for counted in Punctuality.objects.filter(user=user)],
    }


def _puzzles(user: User) -> dict[str, Any]:
    attempts = PuzzleAttempt.objects.filter(user=user).order_by("pk")
    return {
        "solver": [_row(solver) for solver in Solver.objects.filter(user=user)],
        "answers": [{"puzzle": attempt.puzzle_id, **_row(attempt)} for attempt in attempts.iterator()],
    }


def _talk(user: User) -> dict[str, Any]:
    """Return what a person did around messages. What others wrote, to which they may have reacted, is theirs."""
    return {
        "as_spectator": [*_of_games(SpectatorMessage.objects.filter(spectator__user=user))],
        "reactions": [*_of_games(Reaction.objects.filter(user=user))],
        "messages_read": [*_of_games(SeenMark.objects.filter(user=user))],
        "muted": [*_of_games(TalkMute.objects.filter(user=user))],
    }


def _messages(user: User) -> QuerySet[Message]:
    return Message.objects.filter(game__seats__user=user, game__seats__number=F("seat"))


def _games_of(user: User) -> Iterator[Game]:
    """Yield the games in which a person has a seat or which they created, oldest first, with all that goes along."""
    seats = Seat.objects.filter(user=user)
    games = Game.objects.defer(None).filter(Q(pk__in=seats.values("game")) | Q(creator=user)).order_by("pk")
    along = (
        Prefetch("entries", Entry.objects.order_by("seq")),
        Prefetch("proposals", Proposal.objects.order_by("pk").prefetch_related("consents")),
        Prefetch("remarks", Remark.objects.filter(seat__isnull=False).order_by("pk")),
        Prefetch("seats__charges", Charge.objects.filter(seat__user=user).order_by("pk")),
        Prefetch("seats__plans", Plan.objects.filter(seat__user=user).order_by("place")),
    )
    for game in with_seats(games).prefetch_related(*along).annotate(rematch=F("rematch_of__key")).iterator(BATCH):
        yield take_hidden(game)


def _game(game: Game, user: User) -> dict[str, Any]:
    own = seat_of(game, user)
    return {
        **_row(game),
        "rematch_of": game.rematch,  # type: ignore[attr-defined] # annotated
        "created_by_you": game.creator_id == user.pk,
        "your_seat": None if own is None else _own_seat(own),
        "other_seats": [_row(seat, OF_OTHERS) for seat in game.seats.all() if seat != own],
        **_consent(game, own),
        "remarks": [_row(remark) for remark in game.remarks.all() if own is not None and remark.seat == own.number],
    }


def _own_seat(seat: Seat) -> dict[str, Any]:
    return {
        **_row(seat),
        "charges": [_row(charge) for charge in seat.charges.all()],
        "plans": [_row(plan) for plan in seat.plans.all()],
    }


def _consent(game: Game, own: Seat | None) -> dict[str, Any]:
    """Return what a person asked the others to consent to, and what they consented to."""
    asked, given = [], []
    for proposal in game.proposals.all():
        if own is not None and proposal.seat == own.number:
            asked.append(_row(proposal))
        given += [
            {**_row(consent), "to": _row(proposal, ("kind", "time_control", "asked_at"))}
            for consent in proposal.consents.all()
            if own is not None and consent.seat == own.number
        ]
    return {"proposed": asked, "consented": given}
