"""Bots, programs of people, in games: where they may play, what not, and what holds for them of their owner."""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts import tokens
from accounts.audit import Staff
from accounts.bots import make_bot
from accounts.models import Scope, StaffAct, StaffAction, User
from games import commands, queries
from games.commands._open_game import MOST_GAMES
from games.commands.import_game import import_game
from games.errors import GameCode, GameError
from games.log import backup
from games.log.talk import Thing
from games.models import Career, Friend, Game, Invitation, Rating, ReactionKind, ReportKind, Seat
from games.models.choices import GameKind, Status
from games.notices.models import Notice
from games.queries import Wanted
from tests.flows.people import signed_in
from tests.flows.play import NOW, RULESET, make_user, play, play_randomly, simple_pair, start_game, state_of

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

STAFF = Staff("Op", "a reason")


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


@pytest.fixture
def bo() -> User:
    return make_user("Bo")


@pytest.fixture
def rex(ada: User) -> User:
    return make_bot(ada, "Rex", timezone.now())


def offer(user: User, *others: User, size: int = 4, **terms: Any) -> Game:
    terms = {"public": True, "takes_bots": True, "bots": [], **terms}
    game = commands.create_game(user=user, ruleset=RULESET, size=size, options={}, now=timezone.now(), **terms)
    for other in others:
        commands.join_game(game_key=game.key, user=other, now=timezone.now())
    return Game.objects.get(pk=game.pk)


def join(game: Game, user: User) -> Game:
    return commands.join_game(game_key=game.key, user=user, now=timezone.now())


def refusal_of(act: Callable[[], object]) -> GameCode:
    with pytest.raises(GameError) as refused:
        act()
    return refused.value.code


def program_of(bot: User) -> Client:
    """Return what asks the API as a bot."""
    assert bot.owner is not None
    _token, text = tokens.make(bot.owner, name="Den", scopes=[*Scope], life=None, now=timezone.now(), bot=bot)
    return Client(headers={"Authorization": f"Bearer {text}"})


def post(program: Client, address: str, body: dict[str, Any] | None = None) -> Any:
    return program.post(f"/api/v1/{address}", body or {}, content_type="application/json")


def keys(answer: Any) -> list[str]:
    return [game["key"] for game in answer.json()["games"]]


# --- Where they play -----------------------------------------------------------------------------------------------


def test_a_bot_takes_a_seat_only_where_bots_may_join(bo: User, rex: User) -> None:
    closed, open_to_bots = offer(bo, takes_bots=False), offer(bo)
    program = program_of(rex)
    refused = post(program, f"games/{closed.key}/join/")
    assert (refused.status_code, refused.json()["code"]) == (HTTPStatus.FORBIDDEN, "bot-joins")
    assert closed.seats.count() == 1
    joined = post(program, f"games/{open_to_bots.key}/join/")
    assert (joined.status_code, joined.json()["takes_bots"]) == (HTTPStatus.OK, True)
    assert open_to_bots.seats.filter(user=rex).exists()


def test_such_a_game_is_not_rated_whatever_was_asked_for(bo: User, rex: User) -> None:
    assert offer(bo, takes_bots=False, rated=True).rated
    game = offer(bo, rated=True)
    assert not game.rated
    running = start_game([bo, rex], takes_bots=True, rated=True)
    play_randomly(running, 1000, Random(3))
    commands.settle_game(game_id=running.pk, now=timezone.now())
    assert not Rating.objects.exists()


def test_a_game_of_a_bot_takes_bots_and_is_not_rated(rex: User) -> None:
    made = post(program_of(rex), "games/", {"size": 3, "public": True, "rated": True}).json()
    assert (made["takes_bots"], made["rated"], made["seats"][0]["player"]) == (True, False, rex.pk)


def test_a_person_lets_bots_join_over_the_api_and_by_the_form(bo: User) -> None:
    browser = signed_in(bo)
    made = browser.post(
        "/api/v1/games/", {"size": 2, "takes_bots": True, "rated": True}, content_type="application/json"
    )
    assert (made.json()["takes_bots"], made.json()["rated"]) == (True, False)
    fields = {"size": 3, "against": "people", "visibility": "public", "time-preset": "daily", "takes_bots": "on"}
    assert (
        "bots may join; not rated"
        in browser.post(reverse("create_preview"), {**fields, "rated": "on"}).content.decode()
    )
    browser.post(reverse("create_game"), {**fields, "rated": "on"})
    game = Game.objects.latest("pk")
    assert (game.takes_bots, game.rated, game.size) == (True, False, 3)
    page = browser.get(reverse("invitation", args=[game.key])).content.decode()
    assert "Bots may join" in page
    assert "Not rated: bots may take part." in page


def test_a_rematch_and_a_series_go_on_taking_bots(bo: User, rex: User) -> None:
    first = start_game([bo, rex], takes_bots=True, series=3)
    play_randomly(first, 1000, Random(3))
    second = commands.continue_series(game_id=first.pk, now=timezone.now())
    assert second is not None
    assert (second.takes_bots, second.rated) == (True, False)
    ended = start_game([bo, rex], takes_bots=True)
    play_randomly(ended, 1000, Random(3))
    answer = post(program_of(rex), f"games/{ended.key}/rematch/")
    assert (answer.status_code, answer.json()["takes_bots"]) == (HTTPStatus.OK, True)
    assert not Invitation.objects.exists()  # a bot asks nobody


def test_who_asks_for_a_rematch_invites_the_bot(bo: User, rex: User) -> None:
    ended = start_game([bo, rex], takes_bots=True)
    play_randomly(ended, 1000, Random(3))
    again = commands.rematch(game_key=ended.key, user=bo, now=timezone.now())
    program = program_of(rex)
    assert keys(program.get("/api/v1/games/?invited=true")) == [again.key]
    assert post(program, f"games/{again.key}/join/").json()["status"] == "active"


def test_a_bot_sits_in_so_many_games_and_no_more(bo: User, rex: User) -> None:
    game = offer(bo)
    seats = [Game(key=f"k{number}", ruleset=RULESET, size=2, created_at=NOW) for number in range(MOST_GAMES)]
    Game.objects.bulk_create(seats)
    Seat.objects.bulk_create([Seat(game=one, user=rex) for one in Game.objects.filter(key__startswith="k")])
    assert refusal_of(lambda: join(game, rex)) is GameCode.TOO_MANY_GAMES
    assert refusal_of(lambda: offer(rex)) is GameCode.TOO_MANY_GAMES
    Seat.objects.filter(user=rex).first().delete()  # type: ignore[union-attr] # there are many
    join(game, rex)


# --- Finding games -------------------------------------------------------------------------------------------------


def test_programs_find_the_open_games_that_take_bots(bo: User, ada: User, rex: User) -> None:
    closed, first, second = offer(bo, takes_bots=False), offer(bo), offer(bo)
    hidden = offer(bo, public=False)
    program = program_of(rex)
    for query in ("takes_bots=true", "status=open&takes_bots=true"):
        assert keys(program.get(f"/api/v1/games/?{query}")) == [second.key, first.key]
    assert keys(program.get("/api/v1/games/?status=open")) == [second.key, first.key, closed.key]
    assert hidden.key not in keys(Client().get("/api/v1/games/?takes_bots=true"))
    commands.block(user=bo, number=ada.pk, now=timezone.now())
    assert keys(program.get("/api/v1/games/?takes_bots=true")) == []


def test_a_list_of_such_games_leads_to_its_next_page(bo: User, rex: User) -> None:
    made = Game.objects.bulk_create(
        [Game(key=f"k{number:02}", ruleset=RULESET, size=2, created_at=NOW, takes_bots=True) for number in range(30)]
    )
    Invitation.objects.bulk_create([Invitation(game=game, user=rex, by=bo, at=NOW) for game in made])
    program = program_of(rex)
    for query in ("takes_bots", "invited"):
        first = program.get(f"/api/v1/games/?{query}=true")
        second = program.get(first.json()["next"])
        assert second.json()["next"] is None
        assert sorted(keys(first) + keys(second)) == [game.key for game in made]


def test_the_lobby_can_be_asked_for_games_with_and_without_bots(bo: User) -> None:
    closed, taking = offer(bo, takes_bots=False), offer(bo)
    for said, shown in (("with", {taking.key}), ("without", {closed.key}), ("", {closed.key, taking.key})):
        page = Client().get(f"/lobby/?bots={said}").content.decode()
        assert {key for key in (closed.key, taking.key) if key in page} == shown


def test_who_looks_for_a_game_comes_to_no_bots_unless_they_ask_for_them(ada: User, bo: User) -> None:
    taking = offer(bo, size=2)
    assert queries.games_for(ada, Wanted()) == []
    assert queries.games_for(ada, Wanted(takes_bots=True)) == [taking]
    assert queries.game_waited_in(bo, Wanted()) is None
    assert queries.game_waited_in(bo, Wanted(takes_bots=True)) == taking
    signed_in(ada).post(reverse("find_game"), {"size": "2"})
    assert not taking.seats.filter(user=ada).exists()
    assert not Game.objects.latest("pk").takes_bots
    signed_in(ada).post(reverse("find_game"), {"size": "2", "bots": "with"})
    assert taking.seats.filter(user=ada).exists()


def test_bots_are_invited_by_name_where_they_may_join(bo: User, rex: User) -> None:
    closed, taking = offer(bo, takes_bots=False), offer(bo)
    now = timezone.now()
    code = refusal_of(lambda: commands.invite(game_key=closed.key, user=bo, name="Rex bot", now=now))
    assert code is GameCode.BOT_JOINS
    assert commands.invite(game_key=taking.key, user=bo, name="rex bot", now=now) == rex
    program = program_of(rex)
    assert keys(program.get("/api/v1/games/?invited=true")) == [taking.key]
    assert program.get("/api/v1/me/").json()["games"]["invited"] == 1
    post(program, f"games/{taking.key}/join/")
    assert keys(program.get("/api/v1/games/?invited=true")) == []
    assert Client().get("/api/v1/games/?invited=true").status_code == HTTPStatus.UNAUTHORIZED


def test_of_invited_numbers_a_bot_is_left_out_where_none_may_join(bo: User, rex: User) -> None:
    offer(bo, takes_bots=False, invited=[rex.pk])
    assert not Invitation.objects.exists()
    offer(bo, invited=[rex.pk])
    assert Invitation.objects.get().user == rex


# --- What they may not ---------------------------------------------------------------------------------------------


def test_a_bot_neither_invites_nor_writes_nor_reacts_nor_reports(ada: User, bo: User, rex: User) -> None:
    now, waiting, game = timezone.now(), offer(rex), start_game([rex, bo], takes_bots=True)
    play_randomly(game, 2, Random(1))
    watched = start_game([bo, ada])
    entry = game.entries.filter(seat=2).first()
    assert entry is not None
    acts: list[Callable[[], object]] = [
        lambda: offer(rex, invited=[bo.pk]),
        lambda: commands.invite(game_key=waiting.key, user=rex, name="Bo", now=now),
        lambda: commands.invite_address(game_key=waiting.key, user=rex, address="cy@example.org", now=now),
        lambda: commands.write_message(game_key=game.key, user=rex, text="Hello", now=now),
        lambda: commands.react(
            game_key=game.key, user=rex, thing=Thing.MOVE, number=entry.seq, kind=ReactionKind.HEART, now=now
        ),
        lambda: commands.report_person(user=rex, number=bo.pk, kind=ReportKind.CONDUCT, text="slow", now=now),
    ]
    for act in acts:
        assert refusal_of(act) is GameCode.NOT_FOR_BOTS
    with pytest.raises(GameError):
        commands.write_to_spectators(game_key=watched.key, user=rex, text="Hello", now=now)
    assert not Invitation.objects.exists()


def test_nobody_has_a_bot_for_a_friend(bo: User, rex: User) -> None:
    add = lambda: commands.add_friend(user=bo, name="Rex bot", now=timezone.now())  # noqa: E731
    assert refusal_of(add) is GameCode.NO_SUCH_PERSON
    assert not Friend.objects.exists()
    page = signed_in(bo).get(reverse("player", args=[rex.pk])).content.decode()
    assert "Add to friends" not in page
    assert reverse("block", args=[rex.pk]) in page


# --- Marked and named ----------------------------------------------------------------------------------------------


def test_pages_and_documents_say_whose_program_a_bot_is(
    ada: User, bo: User, rex: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    page = Client().get(reverse("player", args=[rex.pk])).content.decode()
    assert f'A bot of <a href="{reverse("player", args=[ada.pk])}">Ada</a>' in page
    assert "A bot of" not in Client().get(reverse("player", args=[ada.pk])).content.decode()
    owner = {"number": ada.pk, "name": "Ada"}
    told = Client().get(f"/api/v1/players/{rex.pk}/").json()
    assert (told["name"], told["bot"], told["owner"]) == ("Rex bot", True, owner)
    told = Client().get(f"/api/v1/players/{ada.pk}/").json()
    assert (told["bot"], told["owner"]) == (False, None)
    own = program_of(rex).get("/api/v1/me/").json()
    assert (own["bot"], own["owner"]) == (True, owner)
    with django_assert_max_num_queries(1):
        person = queries.person_for(rex.pk, None)
        assert person is not None
        assert person.user.owner == ada


def test_the_staff_sees_whose_a_bot_is_and_finds_all_bots(ada: User, rex: User) -> None:
    staff = signed_in(User.objects.create_superuser("op@example.org", "starlight", display_name="Op"))
    listed = staff.get("/admin/accounts/user/?owner__isempty=0").content.decode()
    assert "Rex bot" in listed
    assert '<td class="field-owner nowrap">Ada' in listed
    assert "ada@example.org" not in listed
    assert "owner of the bot" in staff.get(f"/admin/accounts/user/{rex.pk}/change/").content.decode().lower()


def test_seats_of_bots_say_whose_they_are(ada: User, bo: User, rex: User) -> None:
    waiting, running = offer(bo, rex), start_game([bo, rex], takes_bots=True)
    pages = (reverse("invitation", args=[waiting.key]), reverse("game", args=[running.key]), reverse("lobby"))
    for address in pages:
        assert Client().get(address).content.decode().lower().count(f">bot of {ada.shown_name}</span>".lower()) == 1
    owner = {"number": ada.pk, "name": "Ada"}
    for address in (f"/api/v1/games/{running.key}/", "/api/v1/games/"):
        found = Client().get(address).json()
        seats = {seat["name"]: seat["owner"] for seat in found.get("games", [found])[0]["seats"]}
        assert seats == {"Bo": None, "Rex bot": owner}


def test_whose_the_bots_are_costs_a_query_however_many_there_are(ada: User, bo: User, rex: User) -> None:
    def queries_of(address: str) -> int:
        Client().get(address)
        with CaptureQueriesContext(connection) as asked:
            assert Client().get(address).status_code == 200
        return len(asked)

    other = make_bot(bo, "Tess", timezone.now())
    one = start_game([bo, rex], takes_bots=True)
    offer(bo, rex, public=True)
    counts = [queries_of(f"/api/v1/games/{one.key}/"), queries_of(reverse("lobby")), queries_of("/api/v1/games/")]
    several = start_game([bo, rex, other], takes_bots=True)
    offer(bo, rex, other, public=True)
    again = [queries_of(f"/api/v1/games/{several.key}/"), queries_of(reverse("lobby")), queries_of("/api/v1/games/")]
    assert again == counts


def test_nobody_is_offered_to_block_or_report_a_bot_of_their_own(ada: User, bo: User, rex: User) -> None:
    address = reverse("player", args=[rex.pk])
    own, others = (signed_in(user).get(address).content.decode() for user in (ada, bo))
    for name in ("block", "report_player"):
        assert reverse(name, args=[rex.pk]) not in own
        assert reverse(name, args=[rex.pk]) in others
    assert reverse("bots") in own


def test_bots_get_no_notices(ada: User, bo: User, rex: User) -> None:
    game = start_game([bo, rex], takes_bots=True)
    play_randomly(game, 4, Random(3))
    commands.create_game(
        user=bo,
        ruleset=RULESET,
        size=2,
        options={},
        public=False,
        bots=[],
        takes_bots=True,
        invited=[rex.pk],
        now=timezone.now(),
    )
    assert Notice.objects.filter(user=bo).exists()
    assert not Notice.objects.filter(user=rex).exists()


def test_a_game_with_a_bot_is_counted_with_those_with_computer_players(ada: User, bo: User, rex: User) -> None:
    for people, kind in (([bo, rex], GameKind.BOTS), ([bo, ada], GameKind.TWO)):
        game = start_game(people, takes_bots=True)
        play_randomly(game, 1000, Random(3))
        commands.tally_game(game_id=game.pk)
        assert Career.objects.filter(user=bo, kind=kind, games=1).exists()
    commands.delete_account(user=rex, now=timezone.now())
    commands.forget_results()
    for game in Game.objects.all():
        commands.tally_game(game_id=game.pk)
    assert {(row.kind, row.games) for row in Career.objects.filter(user=bo)} == {("bots", 1), ("two", 1)}


def test_a_bot_sees_of_a_game_what_its_seat_may_see_and_no_more(bo: User, rex: User) -> None:
    """Of two turns that differ in what lies face down alone, a bot is answered the same, and who played one not."""
    game = start_game([bo, rex], takes_bots=True, seed=3)
    pair = simple_pair(state_of(game))
    assert pair is not None
    program, browser = program_of(rex), signed_in(bo)

    def answers(asker: Client, turn: str) -> list[bytes]:
        before = transaction.savepoint_create()
        play(game, turn)
        found = [
            asker.get(f"/api/v1/games/{game.key}/{name}") for name in ("position/", "log/", "record/", "board.svg")
        ]
        transaction.savepoint_rollback(before)
        assert {answer.status_code for answer in found} == {HTTPStatus.OK}
        return [answer.content for answer in found]

    assert answers(program, pair[0]) == answers(program, pair[1])
    assert answers(browser, pair[0]) != answers(browser, pair[1])


# --- What holds of their owner -------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocker_is_owner", [True, False])
@pytest.mark.parametrize("of_bot", [True, False])
def test_who_blocks_the_owner_is_kept_apart_from_their_bots(
    ada: User, bo: User, rex: User, *, blocker_is_owner: bool, of_bot: bool
) -> None:
    waiting = offer(bo)
    now = timezone.now()
    if blocker_is_owner:
        commands.block(user=ada, number=bo.pk, now=now)
    else:
        commands.block(user=bo, number=rex.pk if of_bot else ada.pk, now=now)
    assert refusal_of(lambda: join(waiting, rex)) is GameCode.NO_SEAT_FOR_YOU
    assert (
        refusal_of(lambda: commands.invite(game_key=waiting.key, user=bo, name="Rex bot", now=now))
        is GameCode.NOT_TO_BE_INVITED
    )
    offer(bo, invited=[rex.pk])
    assert not Invitation.objects.exists()
    bots_own = offer(rex)
    assert refusal_of(lambda: join(bots_own, bo)) is GameCode.NO_SEAT_FOR_YOU
    assert bots_own not in queries.lobby(reader=bo).games
    assert waiting not in queries.games_for(rex, Wanted(takes_bots=True))
    apart = blocker_is_owner or not of_bot  # a bot can be blocked alone
    assert (waiting in queries.games_for(ada, Wanted(takes_bots=True))) is not apart


def test_a_block_of_the_owner_withdraws_invitations_of_their_bots_and_ends_a_series(
    ada: User, bo: User, rex: User
) -> None:
    first = start_game([bo, rex], takes_bots=True, series=3)
    offer(bo, invited=[rex.pk])
    commands.block(user=bo, number=ada.pk, now=timezone.now())
    assert Invitation.objects.get().declined_at is not None
    play_randomly(first, 1000, Random(3))
    assert commands.continue_series(game_id=first.pk, now=timezone.now()) is None


def test_nobody_blocks_their_own_bot(ada: User, rex: User) -> None:
    signed_in(ada).post(reverse("block", args=[rex.pk]))
    assert not ada.blocks.exists()
    join(offer(ada), rex)


@pytest.mark.parametrize("removed_is_bot", [True, False])
def test_who_was_removed_does_not_come_back_as_another_of_theirs(
    ada: User, bo: User, rex: User, *, removed_is_bot: bool
) -> None:
    other = make_bot(ada, "Max", timezone.now())
    removed, *others = (rex, ada, other) if removed_is_bot else (ada, rex, other)
    game, now = offer(bo, removed), timezone.now()
    commands.remove_player(game_key=game.key, user=bo, seat_id=game.seats.get(user=removed).pk, now=now)
    for one in (removed, *others):
        assert refusal_of(lambda one=one: join(game, one)) is GameCode.WAS_REMOVED  # type: ignore[misc]
        assert game not in queries.games_for(one, Wanted(takes_bots=True))
    commands.invite(game_key=game.key, user=bo, name=others[0].display_name, now=now)
    join(game, others[0])


def test_a_suspension_of_the_owner_holds_for_their_bots_until_it_is_lifted(ada: User, bo: User, rex: User) -> None:
    now = timezone.now()
    until = now + timedelta(days=1)
    own, joined = offer(rex), offer(bo, rex, ada)
    running = start_game([rex, bo], takes_bots=True)
    commands.suspend(user=ada, until=until, words="Enough.", staff=STAFF, now=now)
    rex.refresh_from_db()
    assert (rex.suspended_until, rex.restricted_why) == (until, "Enough.")
    own.refresh_from_db()
    assert own.status == Status.CANCELLED
    assert [seat.user for seat in joined.seats.all()] == [bo]
    assert refusal_of(lambda: join(offer(bo), rex)) is GameCode.SUSPENDED
    assert post(program_of(rex), "games/", {"size": 2}).json()["code"] == "suspended"
    play_randomly(running, 1, Random(1))  # it plays on
    commands.lift(user=ada, staff=STAFF, now=now)
    join(joined, User.objects.get(pk=rex.pk))


def test_silence_of_the_owner_holds_for_their_bots_and_not_the_other_way(ada: User, rex: User) -> None:
    now = timezone.now()
    until = now + timedelta(days=1)
    commands.silence(user=rex, until=until, words="Enough.", staff=STAFF, now=now)
    assert User.objects.get(pk=ada.pk).silenced_until is None
    commands.silence(user=ada, until=until + timedelta(days=1), words="Enough.", staff=STAFF, now=now)
    assert User.objects.get(pk=rex.pk).silenced_until == until + timedelta(days=1)


def test_a_bot_keeps_its_ending_when_the_staff_takes_its_name(rex: User) -> None:
    commands.take_name(user=rex, words="Not that.", staff=STAFF, now=timezone.now())
    rex.refresh_from_db()
    assert rex.display_name.startswith("Player ")
    assert rex.display_name.endswith(" bot")


def test_the_staff_takes_no_measure_against_its_own_bots(ada: User, rex: User) -> None:
    own = Staff("Ada", "a reason", ada.pk)
    act = lambda: commands.warn_person(user=rex, words="Hm.", staff=own, now=timezone.now())  # noqa: E731
    assert refusal_of(act) is GameCode.NOT_YOURS
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    act = lambda: commands.warn_person(user=rex, words="Hm.", staff=STAFF, now=timezone.now())  # noqa: E731
    assert refusal_of(act) is GameCode.NOT_YOURS


# --- The end of one ------------------------------------------------------------------------------------------------


def test_a_bot_is_deleted_alone_and_gives_up_its_seats(ada: User, bo: User, rex: User) -> None:
    own, running = offer(rex), start_game([bo, rex], takes_bots=True)
    browser = signed_in(ada)
    browser.post(reverse("account_reauthenticate"), {"password": "starlight"})
    address = reverse("delete_bot", args=[rex.pk])
    assert "Rex bot" in browser.get(address).content.decode()
    assert signed_in(bo).get(address).status_code == HTTPStatus.NOT_FOUND
    assert browser.post(address)["Location"] == reverse("bots")
    assert not User.objects.filter(pk=rex.pk).exists()
    assert User.objects.filter(pk=ada.pk).exists()
    own.refresh_from_db()
    running.refresh_from_db()
    assert (own.status, running.status) == (Status.CANCELLED, Status.FINISHED)


def test_the_owners_account_ends_with_those_of_their_bots(ada: User, bo: User, rex: User) -> None:
    other = make_bot(ada, "Max", timezone.now())
    own, joined, running = offer(rex, bo), offer(bo, other, ada), start_game([bo, rex, ada], takes_bots=True)
    assert "Your bots are deleted" in signed_in(ada).get(reverse("delete_account")).content.decode()
    commands.delete_account(user=ada, now=timezone.now(), staff=STAFF)
    assert [*User.objects.values_list("display_name", flat=True)] == ["Bo"]
    own.refresh_from_db()
    running.refresh_from_db()
    assert (own.status, running.status) == (Status.CANCELLED, Status.FINISHED)
    assert [seat.user for seat in joined.seats.all()] == [bo]
    assert not Seat.objects.filter(name__contains="bot").exists()
    gone = StaffAction.objects.filter(act=StaffAct.DELETE_PERSON).values_list("person", flat=True)
    assert {*gone} == {ada.pk, rex.pk, other.pk}


def test_an_exported_game_comes_back_with_its_bot(bo: User, rex: User) -> None:
    from tests.append_only import lifted_triggers

    document = backup.write_game(offer(bo, rex))
    with lifted_triggers():
        for model in (Notice, Seat, Game):
            model._default_manager.all().delete()
    import_game(document, now=timezone.now())
    game = Game.objects.get()
    assert game.takes_bots
    assert {seat.user for seat in game.seats.all()} == {bo, rex}
