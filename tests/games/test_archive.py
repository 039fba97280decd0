"""The archive of a person's data: all that is theirs is in it, and nothing that others hide or that opens anything."""

import json
from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any, Final
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection, transaction
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import guests, mails, pending, tokens
from accounts.audit import Staff
from accounts.bots import make_bot
from accounts.models import AccessToken, Scope, User
from games import commands
from games.log.talk import Thing
from games.models import Game, Muted, ReactionKind, ReportKind
from games.notices.models import MailRefusal
from games.queries.archive import BATCH, COLUMNS, archive_files
from games.words.archive import FILES
from tests.flows.play import NOW, make_user, play_randomly, start_game
from tests.flows.test_twin_games import OWNER, begin, part
from tests.flows.twins import TWO_DAYS

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

TABLES_LEFT_OUT: Final = {
    "accounts.Archive": "the archive itself",
    "accounts.EmailCode": "hashes of what opens something, for a day; the mails with the codes are in account.json",
    "accounts.User_groups": "the names of the groups are in account.json",
    "accounts.User_user_permissions": "the names of the permissions are in account.json",
    "account.EmailConfirmation": "a key that opens something; the site uses none of these rows",
    "admin.LogEntry": "what the staff did in the admin, about others",
    "auth.Group": "what members of the staff may do",
    "auth.Group_permissions": "what members of the staff may do",
    "auth.Permission": "what members of the staff may do",
    "contenttypes.ContentType": "about nobody",
    "sessions.Session": "a key that opens something, and that names nobody",
    "games.Entry": "in the records",
    "games.Pause": "about clocks of games, not about a person",
    "games.Setback": "about workers",
    "games.Spectator": "what the person wrote as one is in talk.json, with the game",
    "games.Heartbeat": "about workers",
    "games.Mark": "about games, not about a person",
    "games.ReviewTurn": "about turns of games, and made from the records",
    "games.Unwanted": "a digest from which nobody can be told",
    "games.DailyPuzzle": "about days, not about a person",
    "games.JudgedTurn": "about turns, whoever plays them",
    "games.TurnKey": "digests of what programs called their requests, for a day",
    "games.Puzzle": "a position without a name",
    "games.PuzzleSearch": "about workers",
    "games.PuzzleTheme": "about puzzles, not about a person",
    "games.RatingCounter": "about the order of all games",
    "games.RatingMonth": "follows from the changes of the rating",
}
"""Tables that are in no archive, or elsewhere in it, and why."""
KEYS: Final = {"id", "user", "game", "seat", "proposal", "pause", "creator", "by", "rematch_of", "rating"}
"""What says to whom or what a row belongs: an archive has the person's own, by the key of their game."""
COLUMNS_LEFT_OUT: Final = {
    "accounts.User": {
        "password": "a hash that must not leave the site",
        "name_key": "follows from the name",
        "name_skeleton": "follows from the name",
        "guest_token": "the number of a form",
        "keeps": "the same person's guest account",
        "owner": "of a bot, the person",
        "has_outlets": "follows from the outlets",
    },
    "accounts.AddressChange": {"address": "its text is in account.json"},
    "accounts.Block": {"blocker": "the person", "blocked": "by their name"},
    "accounts.StaffAction": {
        "by_number": "who of the staff it was is theirs",
        "person": "the person",
        "why": "what members of the staff write for each other",
        "details": "what changed, which is in account.json, and numbers of rows",
    },
    "games.Seat": {"ended_at": "the end of the game, which is with the game"},
    "games.Report": {
        "reporter": "the person",
        "reported": "by their name; what others report is theirs",
        "message": "in its own words",
        "spectator_message": "in its own words",
        "thing": "follows from the others",
        "taken_by": "who of the staff it was is theirs",
    },
    "accounts.AccessToken": {"hash": "what finds the token that opens something"},
    "accounts.Trace": {"digest": "a hash by which only somebody else at the same place could be found"},
    "mfa.Authenticator": {"data": "the secret of a second factor"},
    "usersessions.UserSession": {"session_key": "a key that opens something", "data": "about nobody"},
    "accounts.AccountMail": {
        "params": "numbers of rows, and addresses that are in account.json",
        "due_at": "about the worker",
    },
    "notices.Notice": {
        "params": "numbers of rows; what they say is in the games",
        "lease_until": "about the worker",
        "outlet": "the number of a row",
    },
    "notices.Outlet": {
        "session": "the number of a row",
        "public_key": "of use to the browser alone",
        "secret": "the secret of a webhook, or of a browser",
    },
    "games.Invitation": {"by_address": "about what the sender may see"},
    "games.Review": {"model": "about workers", "due_at": "about workers", "attempts": "about workers"},
    "games.Rivalry": {"rival": "by name, for whose rivalry it is"},
    "games.Friend": {"friend": "by name, for whose list it is alone"},
    "games.Game": {
        "series_of": "follows from the rematches",
        "is_followed": "follows from the series",
        "is_tallied": "about the worker",
        "token": "the number of a form",
        "asked_digest": "a digest of what a program asked for, which the game's terms say",
        "unrated": "may tell who lives with whom; what a person may know of it is on the game's page",
        "rating_number": "about the order of all games",
        "settled": "about the worker",
        "expiry_noticed": "about the worker",
        "setup": "in the record, as the person may see it",
        "setup_digest": "in the record, once it betrays nothing",
        "nameless_digest": "in the record, once it betrays nothing",
        "head": "in the record, once it betrays nothing",
        "state": "follows from the log; holds hidden cards",
        "events": "follows from the log; holds hidden cards",
        "warning_at": "follows from the deadline",
        "seq": "follows from the log",
        "turn_began_at": "follows from the log",
        "bot_to_move": "follows from the log",
        "version": "a number for open pages",
    },
    "games.PuzzleAttempt": {
        "puzzle": "by its number",
        "waiting": "about the worker",
        "waiting_since": "about the worker",
    },
    "games.Rating": {"least": "follows from mean and deviation"},
    "games.RatingChange": {"number": "about the order of all games"},
    "games.SpectatorMessage": {"spectator": "whose row it is"},
    "games.SeenMark": {"up_to": "the number of a row"},
    "games.Reaction": {"message": "what another one wrote", "spectator_message": "what another one wrote"},
    "games.Charge": {"time_control": "the game's"},
}
"""Columns of the other tables that are not in an archive, and why."""


def files(user: User) -> dict[str, str]:
    return dict(archive_files(User.objects.get(pk=user.pk), NOW))


def read(user: User, name: str) -> Any:
    return json.loads(files(user)[name])


def all_models() -> list[type[Model]]:
    return [model for model in apps.get_models(include_auto_created=True) if not model.__module__.startswith("tests.")]


def test_each_table_is_in_an_archive_or_there_is_a_reason() -> None:
    labels = {model._meta.label for model in all_models()}
    exported = {model._meta.label for model in COLUMNS}
    assert labels - exported == TABLES_LEFT_OUT.keys()
    assert not exported & TABLES_LEFT_OUT.keys()


@pytest.mark.parametrize("model", COLUMNS, ids=lambda model: model._meta.label)
def test_each_column_of_such_a_table_is_in_an_archive_or_there_is_a_reason(model: type[Model]) -> None:
    names = {field.name for field in model._meta.concrete_fields}
    reasons = COLUMNS_LEFT_OUT.get(model._meta.label, {}).keys()
    assert names >= set(COLUMNS[model]) | reasons
    assert not set(COLUMNS[model]) & reasons
    assert names - set(COLUMNS[model]) - reasons <= KEYS


def test_nobody_is_a_key_of_whom_an_archive_would_not_ask() -> None:
    """Every way from a row to a person is one of `KEYS`, or belongs to a table or column with a reason."""
    for model in all_models():
        label = model._meta.label
        people = {field.name for field in model._meta.concrete_fields if field.related_model is User}
        if people and label not in TABLES_LEFT_OUT:
            assert people <= KEYS | COLUMNS_LEFT_OUT.get(label, {}).keys(), label


@pytest.fixture
def people() -> list[User]:
    return [make_user("Ada", language="de"), make_user("Bo"), make_user("Cleo")]


def everything(people: Sequence[User]) -> Game:
    """Let Ada have something of all that there is; return her running game."""
    ada, bo, cleo = people
    game = start_game(people, time_control=TWO_DAYS)
    play_randomly(game, 2, Random(1))
    commands.write_message(game_key=game.key, user=ada, text="Hello from Ada", now=NOW)
    commands.write_message(game_key=game.key, user=bo, text="Hello from Bo", now=NOW)
    commands.react(
        game_key=game.key,
        user=ada,
        thing=Thing.MESSAGE,
        number=game.messages.latest("pk").pk,
        kind=ReactionKind.HEART,
        now=NOW,
    )
    commands.read_messages(game_key=game.key, user=ada, up_to=game.messages.latest("pk").pk, now=NOW)
    commands.mute_talk(game_key=game.key, user=ada, what=Muted.MESSAGES)
    watched = start_game([bo, cleo], name="A watched one")
    commands.write_to_spectators(game_key=watched.key, user=ada, text="Well played", now=NOW)
    commands.propose_cancel(game_key=game.key, user=ada, now=NOW)
    commands.add_plan(game_key=game.key, user=ada, seq=2, turn="C", conditions=[], now=NOW)
    commands.mute_game(game_key=game.key, user=ada)
    commands.note_presence(reader=ada, game_id=game.pk, now=NOW)
    commands.send_test_notice(user=ada, now=NOW)
    asked: dict[str, Any] = {"ruleset": game.ruleset, "size": 3, "options": {}, "public": True, "bots": [], "now": NOW}
    for host, guest in ((ada, bo), (bo, ada)):
        waiting = commands.create_game(user=host, **asked)
        commands.invite(game_key=waiting.key, user=host, name=guest.display_name, now=NOW)
    commands.decline(game_key=waiting.key, user=ada, now=NOW)
    day = NOW.date() + timedelta(days=3)
    commands.add_holiday(user=ada, first=day, last=day, now=NOW)
    mails.ask(mails.RESET, ada.email)
    MailRefusal.objects.create(user=ada, at=NOW, reply="550 no", gone=True)
    commands.report_person(user=ada, number=cleo.pk, kind=ReportKind.CONDUCT, text="slow", now=NOW, game=game)
    commands.report_person(user=cleo, number=ada.pk, kind=ReportKind.CONDUCT, text="loud", now=NOW)
    commands.warn_person(user=ada, words="Be quiet.", staff=Staff("Op", "Cleo is right"), now=NOW)
    commands.block(user=ada, number=make_user("Dora").pk, now=NOW)
    tokens.make(ada, name="Ada's bot", scopes=[Scope.READ], life=None, now=NOW)
    ended = start_game([ada, cleo], name="An ended one")
    commands.resign(game_key=ended.key, user=cleo, seq=0, now=NOW)
    return game


def test_all_that_is_a_persons_own_is_in_it(people: list[User]) -> None:
    game = everything(people)
    found = files(people[0])
    account, notices, invitations, messages, games = (
        json.loads(found[f"{name}.json"]) for name in ("account", "notices", "invitations", "messages", "games")
    )
    assert (account["email"], account["display_name"], account["language"]) == ("ada@example.org", "Ada", "de")
    assert account["addresses"] == [{"email": "ada@example.org", "verified": True, "primary": True}]
    assert [mail["template"] for mail in account["mails"]] == [mails.RESET, mails.WARNING, mails.ACCESS_MADE]
    (token,) = account["access_tokens"]
    assert (token["name"], token["scopes"], token["expires_at"]) == ("Ada's bot", "read", None)
    assert AccessToken.objects.get().hash not in "".join(found.values())
    assert len(json.loads(found["holidays.json"])) == 1
    assert notices["muted_games"] == [game.key]
    assert notices["games_open_in_a_browser"][0]["game"] == game.key
    assert {"test", "turn"} <= {notice["topic"] for notice in notices["notices"]}
    assert notices["refused_mails"][0]["reply"] == "550 no"
    assert [row["person"] for row in invitations["sent"]] == ["Bo"]
    assert "declined_at" not in invitations["sent"][0]
    assert [row["invited_by"] for row in invitations["received"]] == ["Bo"]
    assert invitations["received"][0]["declined_at"]
    assert [message["text"] for message in messages] == ["Hello from Ada"]
    conduct = json.loads(found["conduct.json"])
    assert [row["person"] for row in conduct["blocked"]] == ["Dora"]
    assert [(row["name"], row["text"], row["game"]) for row in conduct["reports"]] == [("Cleo", "slow", game.key)]
    assert [(row["act"], row["said"]) for row in conduct["done_by_the_staff"]] == [("warn", "Be quiet.")]
    assert "Cleo is right" not in found["conduct.json"]
    talk = json.loads(found["talk.json"])
    assert [row["text"] for row in talk["as_spectator"]] == ["Well played"]
    assert [(row["game"], row["kind"]) for row in talk["reactions"]] == [(game.key, "heart")]
    assert [row["game"] for row in talk["messages_read"]] == [game.key]
    assert [row["what"] for row in talk["muted"]] == ["messages"]
    by_key = {row["key"]: row for row in games}
    assert len(by_key) == 3
    assert by_key[game.key]["your_seat"]["name"] == "Ada"
    assert [seat["name"] for seat in by_key[game.key]["other_seats"]] == ["Bo", "Cleo"]
    assert [proposal["kind"] for proposal in by_key[game.key]["proposed"]] == ["cancel"]
    assert [remark["kind"] for remark in by_key[game.key]["remarks"]] == ["asked"]
    records = {name: json.loads(text) for name, text in found.items() if name.startswith("records/")}
    assert len(records) == 2
    assert records[f"records/{game.key}.json"]["redacted"]
    assert sum("chain" in record for record in records.values()) == 1


def test_plans_are_in_the_archive_of_their_owner_alone(people: list[User]) -> None:
    game = everything(people)
    for user in people:
        (own,) = [each for each in json.loads(files(user)["games.json"]) if each["key"] == game.key]
        assert [plan["turn"] for plan in own["your_seat"]["plans"]] == (["C"] if user == people[0] else [])
        assert all("plans" not in seat for seat in own["other_seats"])


def test_the_text_beside_them_names_each_file(people: list[User]) -> None:
    everything(people)
    make_bot(people[0], "Rex", NOW)
    found = files(people[0])
    folders = {f"{name.partition('/')[0]}/" for name in found if "/" in name}
    assert {name for name in found if "/" not in name} | folders == FILES.keys()
    assert [name for name in FILES if f"\n{name}\n" not in found["README.txt"]] == []


def test_those_of_a_persons_bots_are_in_it_and_in_nobody_elses(people: list[User]) -> None:
    ada, bo, _cleo = people
    rex = make_bot(ada, "Rex", NOW)
    tokens.make(ada, name="Den", scopes=[Scope.READ], life=None, now=NOW, bot=rex)
    game = start_game([bo, rex], takes_bots=True)
    found = files(ada)
    account = json.loads(found[f"bots/{rex.pk}/account.json"])
    assert (account["display_name"], account["email"]) == ("Rex bot", None)
    assert [token["name"] for token in account["access_tokens"]] == ["Den"]
    assert AccessToken.objects.get().hash not in "".join(found.values())
    assert f"bots/{rex.pk}/records/{game.key}.json" in found
    assert not [name for name in files(bo) if name.startswith("bots/")]


def test_a_record_in_it_is_the_one_that_the_page_hands_out(people: list[User]) -> None:
    game = everything(people)
    client = Client()
    client.force_login(people[0])
    assert client.get(reverse("game_record", args=[game.key])).json() == read(people[0], f"records/{game.key}.json")


def test_no_address_of_others_no_hash_no_key_and_no_token_is_in_it(people: list[User]) -> None:
    everything(people)
    ada = User.objects.get(pk=people[0].pk)
    client = Client()
    client.force_login(ada)
    text = "\n".join(files(ada).values())
    assert ada.email in text
    for other in ("bo@", "cleo@", "Hello from Bo", ada.password, "pbkdf2", client.session.session_key, "sessionid"):
        assert str(other) not in text
    for game in Game.objects.exclude(token=None):
        assert str(game.token) not in text


def test_what_became_of_an_address_that_one_only_typed_is_not_in_it(people: list[User]) -> None:
    ada, bo, _cleo = people
    waiting = pending.sign_up(pending.Application(bo.email, "New", "a long one"), language="en")
    address = EmailAddress.objects.get(user=waiting)
    mails.ask(mails.CONFIRMATION, bo.email, pk=address.pk, signup=True)
    mails.ask(mails.RESET, bo.email, user=ada)
    mails.send_waiting(now=timezone.now())
    assert read(waiting, "account.json")["mails"] == []
    assert read(ada, "account.json")["mails"] == []
    assert [mail["template"] for mail in read(bo, "account.json")["mails"]] == [mails.EXISTS]


def test_a_guest_has_no_address_in_it() -> None:
    guest = guests.make_guest(language="fr", now=NOW, token=uuid4())
    account = read(guest, "account.json")
    assert (account["email"], account["is_guest"], account["display_name"]) == (None, True, guest.display_name)
    assert guest.email not in "".join(files(guest).values())
    assert str(guest.guest_token) not in "".join(files(guest).values())


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_twin_games_have_the_same_archive_but_for_who_hid_the_card(seat: int) -> None:
    people = [make_user(name) for name in ("Ada", "Bo", "Cleo")]
    seen = []
    for which in (0, 1):
        before = transaction.savepoint_create()
        game = begin(people, TWO_DAYS)
        part(game, seat, which)
        found = files(people[seat - 1])
        seen.append({name.replace(game.key, "KEY"): text.replace(game.key, "KEY") for name, text in found.items()})
        transaction.savepoint_rollback(before)
    assert "records/KEY.json" in seen[0]
    assert (seen[0] == seen[1]) == (seat != OWNER)


def test_its_queries_grow_by_batches_of_games_and_not_with_games(people: list[User]) -> None:
    everything(people)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            files(people[0])
        return len(queries) - 1  # for the person

    few = asked()
    for seed in range(5):
        play_randomly(start_game(people, seed=seed), 3, Random(seed))
    assert asked() == few == 42 + 7
    for seed in range(5, BATCH):
        start_game(people, seed=seed)
    assert few < asked() <= few + 7
