"""Finding, creating, joining, leaving and cancelling a game, through the pages."""

import html
import re
from http import HTTPStatus
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from engine.rulesets import RULESETS
from games import commands
from games.commands.create_game import MOST_OPEN
from games.log.table import Table
from games.models import Game, Invitation, Seat
from games.models.choices import Status
from games.web.cards import PAGE_SIZE
from games.web.views.lobby import BEGINNING
from tests.flows.crowd import multiply
from tests.flows.people import Offer, SignIn
from tests.flows.play import make_user

CREATED = {"size": "3", "visibility": "public"}


def invitation_of(game: Game) -> str:
    return reverse("invitation", args=[game.key])


def names_in(game: Game) -> set[str]:
    return set(Seat.objects.filter(game=game).values_list("name", flat=True))


# --- The lobby ---------------------------------------------------------------------------------------------------


def test_the_lobby_lists_open_public_games_with_their_options(client: Client, ada: User, offer: Offer) -> None:
    offer(ada, size=4, options={"expert": True, "goodies": "T"}, bots=["nova:8"])
    page = client.get(reverse("lobby")).content.decode()
    for words in ("Game for 4 players", "Created by Ada", "Expert game", "Teleport", "Nova"):
        assert words in page
    assert page.count("Free seat") == 2


@pytest.mark.parametrize(
    ("against", "bots"), [("people", []), ("bots", ["nova:3"] * 2), ("mix", ["nova:1"]), ("", ["nova:1"])]
)
def test_opponents_are_people_one_kind_of_computer_player_or_a_mix(
    ada: User, as_user: SignIn, against: str, bots: list[str]
) -> None:
    answer = as_user(ada).post(
        reverse("create_game"), {**CREATED, "bot": "nova:3", "bot_1": "nova:1", "against": against}
    )
    assert answer.status_code == HTTPStatus.FOUND
    assert [seat.bot for seat in Game.objects.get().seats.exclude(bot="")] == bots


def test_a_guest_is_not_offered_people_as_opponents(ada: User, as_user: SignIn) -> None:
    assert 'value="people" id="id_against_0" checked' in as_user(ada).get(reverse("create_game")).content.decode()
    User.objects.filter(pk=ada.pk).update(is_guest=True)
    page = as_user(ada).get(reverse("create_game")).content.decode()
    assert 'value="people"' not in page
    assert re.search(r'value="bots" id="id_against_\d" checked', page)
    assert re.search(r'value="nova:2" id="id_character_\d" checked', page)


def test_each_opponent_is_offered_with_its_level_its_strength_and_how_it_plays(ada: User, as_user: SignIn) -> None:
    page = html.unescape(as_user(ada).get(reverse("create_game")).content.decode())
    assert re.findall(r'name="bot" value="([^"]+)"', page) == list(RULESETS["gravity-1"].bots)
    assert '<span class="rung">1</span> <b>Pebble</b> <small>beginner</small>' in page
    assert "<strong>Nova (level 8, master)</strong> Thinks far ahead" in page


def test_each_seat_of_a_mixed_game_has_an_opponent_of_its_own(ada: User, as_user: SignIn) -> None:
    mix = {"size": "4", "against": "mix", "bot_1": "nova:2", "bot_3": "nova:1", "bot_4": "nova:5"}
    as_user(ada).post(reverse("create_game"), {**CREATED, **mix})
    game = Game.objects.get()
    assert list(game.seats.exclude(bot="").order_by("pk").values_list("bot", flat=True)) == ["nova:2", "nova:1"]
    assert len(game.seats.all()) == 3, "the fourth seat is a person's"


def test_the_lobby_hides_games_by_link_and_games_that_are_not_open(
    client: Client, ada: User, bo: User, offer: Offer
) -> None:
    hidden = [offer(ada, public=False), offer(ada, bo), offer(ada)]
    commands.cancel_game(game_key=hidden[2].key, user=ada, now=hidden[2].created_at)
    page = client.get(reverse("lobby")).content.decode()
    assert not [game.key for game in hidden if game.key in page]


def test_an_empty_lobby_says_so(client: Client, db: None) -> None:
    assert "No games are waiting for players" in client.get(reverse("lobby")).content.decode()


def test_guests_are_offered_to_sign_in_and_come_back_to_the_invitation(client: Client, ada: User, offer: Offer) -> None:
    game = offer(ada)
    page = client.get(reverse("lobby")).content.decode()
    assert f"{reverse('account_login')}?next={invitation_of(game)}" in page
    assert reverse("join_game", args=[game.key]) not in page


def test_the_lobby_takes_as_many_queries_with_30_games_as_with_3(
    bo: User, offer: Offer, as_user: SignIn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser = as_user(bo)

    def make(numbers: range) -> None:
        for number in numbers:
            creator = make_user(f"Offers{number}") if number % 2 == 0 else User.objects.latest("pk")
            offer(creator, *([bo] if number % 4 < 2 else []), size=4, bots=["nova:1"])

    make(range(3))
    browser.get(reverse("lobby"))
    with django_assert_num_queries(7):  # session, reader, waiting games, games, seats and people, creators, ratings
        browser.get(reverse("lobby"))
    make(range(3, 30))
    with django_assert_num_queries(7):
        page = browser.get(reverse("lobby")).content.decode()
    assert page.count('class="seats"') == 30


# --- Creating ----------------------------------------------------------------------------------------------------


def test_a_created_game_has_what_was_chosen(ada: User, as_user: SignIn, transactional_db: None) -> None:
    terms = {**CREATED, "bot_1": "nova:1", "expert": "on", "goodies": ["T", "P"], "visibility": "link"}
    response = as_user(ada).post(reverse("create_game"), terms)
    game = Game.objects.get()
    assert (response.status_code, response["Location"]) == (HTTPStatus.FOUND, invitation_of(game))
    assert (game.size, game.public, game.creator, game.status) == (3, False, ada, Status.OPEN)
    assert game.options == {"expert": True, "goodies": "PT"}
    assert sorted(game.seats.values_list("bot", flat=True)) == ["", "nova:1"]


def test_a_game_that_computer_players_fill_starts_at_once(ada: User, as_user: SignIn, transactional_db: None) -> None:
    response = as_user(ada).post(reverse("create_game"), {**CREATED, "bot_1": "nova:1", "bot_2": "nova:2"})
    game = Game.objects.get()
    assert game.status == Status.ACTIVE
    assert response["Location"] == reverse("game", args=[game.key])


def test_a_wrong_form_comes_back_with_its_errors_and_what_was_typed(ada: User, as_user: SignIn, db: None) -> None:
    wrong = {**CREATED, "size": "2", "bot_1": "nova:9", "bot_2": "nova:3", "goodies": ["J"], "visibility": "link"}
    response = as_user(ada).post(reverse("create_game"), wrong)
    page = response.content.decode()
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Select a valid choice. nova:9 is not one of the available choices." in page
    assert '<option value="nova:3" selected>' in page
    assert page.count(" checked") == 3  # two players, the goodie, by link
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": "7"},
        {"size": "1"},
        {"size": ""},
        {"goodies": ["X"]},
        {"visibility": "everyone"},
        {"bot_1": "greedy"},
        {"against": "bots", "bot": "greedy"},
        {"against": "nova:1"},
    ],
)
def test_choices_that_no_game_has_are_refused(wrong: dict[str, object], ada: User, as_user: SignIn, db: None) -> None:
    response = as_user(ada).post(reverse("create_game"), {**CREATED, **wrong})
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "errorlist" in response.content.decode()
    assert not Game.objects.exists()


def token_in(page: str) -> str:
    """Return the token that the form of a new game carries."""
    (token,) = re.findall(r'<input type="hidden" name="token" value="([^"]*)">', page)
    return str(UUID(token))


def test_pressing_twice_makes_one_game_and_leads_to_it_twice(
    ada: User, as_user: SignIn, offer: Offer, transactional_db: None
) -> None:
    for _game in range(MOST_OPEN - 1):
        offer(ada)
    browser = as_user(ada)
    terms = {**CREATED, "token": token_in(browser.get(reverse("create_game")).content.decode())}
    answers = [browser.post(reverse("create_game"), terms) for _press in range(2)]
    game = Game.objects.latest("pk")
    assert [answer.get("Location") for answer in answers] == [invitation_of(game)] * 2
    assert Game.objects.count() == MOST_OPEN


def test_each_form_makes_a_game_of_its_own(ada: User, as_user: SignIn, transactional_db: None) -> None:
    browser = as_user(ada)
    tokens = {token_in(browser.get(reverse("create_game")).content.decode()) for _form in range(2)}
    for token in tokens:
        browser.post(reverse("create_game"), {**CREATED, "token": token})
    assert Game.objects.count() == len(tokens) == 2


def test_a_form_that_was_refused_keeps_its_token_and_what_was_typed(
    ada: User, as_user: SignIn, transactional_db: None
) -> None:
    browser = as_user(ada)
    terms = {**CREATED, "token": str(uuid4()), "goodies": ["J"], "visibility": "link"}
    refused = browser.post(reverse("create_game"), {**terms, "bot_1": "greedy"}).content.decode()
    assert token_in(refused) == terms["token"]
    assert refused.count(" checked") == 3  # three players, the goodie, by link
    answers = [browser.post(reverse("create_game"), terms) for _press in range(2)]
    game = Game.objects.get()
    assert (game.size, game.public, game.options["goodies"]) == (3, False, "J")
    assert [answer["Location"] for answer in answers] == [invitation_of(game)] * 2


@pytest.mark.parametrize("sent", [{}, {"token": ""}, {"token": "x"}, {"token": "\0" * 36}], ids=repr)
def test_a_token_that_is_none_makes_a_new_game_each_time(
    sent: dict[str, str], ada: User, as_user: SignIn, transactional_db: None
) -> None:
    browser = as_user(ada)
    for _press in range(2):
        assert browser.post(reverse("create_game"), {**CREATED, **sent}).status_code == HTTPStatus.FOUND
    assert Game.objects.count() == 2
    refused = browser.post(reverse("create_game"), {**CREATED, **sent, "size": "7"}).content.decode()
    assert token_in(refused)


def test_two_people_with_the_same_token_get_a_game_each(
    ada: User, bo: User, as_user: SignIn, transactional_db: None
) -> None:
    terms = {**CREATED, "token": str(uuid4())}
    for person in (ada, bo):
        as_user(person).post(reverse("create_game"), terms)
    assert set(Game.objects.values_list("creator", "token")) == {(who.pk, UUID(terms["token"])) for who in (ada, bo)}


def test_guests_sign_in_before_they_create(client: Client, db: None) -> None:
    for response in (client.get(reverse("create_game")), client.post(reverse("create_game"), CREATED)):
        assert response["Location"].startswith(reverse("account_login"))
    assert not Game.objects.exists()


# --- The invitation ----------------------------------------------------------------------------------------------


def test_an_invitation_shows_guests_what_is_played_before_they_join(client: Client, ada: User, offer: Offer) -> None:
    game = offer(ada, size=5, options={"expert": True}, public=False)
    page = client.get(invitation_of(game)).content.decode()
    for words in (
        "Game for 5 players",
        "Ada invites you",
        "Expert game",
        "Only people who have the link",
        "Sign up and play",
    ):
        assert words in page


def test_the_link_is_shown_to_those_who_sit_in_the_game_only(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, size=3)
    link = f'value="{settings.SITE_URL}{invitation_of(game)}"'
    assert link in as_user(ada).get(invitation_of(game)).content.decode()
    assert link not in as_user(bo).get(invitation_of(game)).content.decode()


def test_the_invitation_of_a_started_game_leads_to_the_game(client: Client, ada: User, bo: User, offer: Offer) -> None:
    game = offer(ada, bo)
    assert client.get(invitation_of(game))["Location"] == reverse("game", args=[game.key])


def test_an_invitation_that_does_not_exist_is_not_found(client: Client, db: None) -> None:
    assert client.get(reverse("invitation", args=["nosuchgame22"])).status_code == HTTPStatus.NOT_FOUND


# --- Joining, leaving, cancelling --------------------------------------------------------------------------------


def test_joining_takes_a_seat_and_the_last_one_starts_the_game(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, size=3)
    response = as_user(bo).post(reverse("join_game", args=[game.key]), follow=True)
    assert response.redirect_chain == [(invitation_of(game), HTTPStatus.FOUND)]
    assert "You have a seat in this game" in response.content.decode()
    assert Game.objects.get().status == Status.OPEN
    page = as_user(cleo).post(reverse("join_game", args=[game.key]), follow=True)
    assert page.redirect_chain[-1][0] == reverse("game", args=[game.key])
    assert Game.objects.get().status == Status.ACTIVE
    assert names_in(game) == {"Ada", "Bo", "Cleo"}


def test_whoever_joins_twice_has_one_seat_and_whoever_comes_too_late_reads_why(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=3)
    again = as_user(bo).post(reverse("join_game", args=[game.key]))
    assert again.headers["Location"] == invitation_of(game)
    assert names_in(game) == {"Ada", "Bo"}
    full = offer(ada, bo)
    late = as_user(cleo).post(reverse("join_game", args=[full.key]))
    assert late.status_code == HTTPStatus.CONFLICT
    assert "no longer open to new players" in late.content.decode()
    assert names_in(full) == {"Ada", "Bo"}


def test_leaving_gives_the_seat_back(ada: User, bo: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, bo, size=3)
    page = as_user(bo).post(reverse("leave_game", args=[game.key]), follow=True).content.decode()
    assert "You gave up your seat" in page
    assert names_in(game) == {"Ada"}


def test_a_creator_can_cancel_but_not_leave(ada: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada)
    left = as_user(ada).post(reverse("leave_game", args=[game.key]))
    assert left.status_code == HTTPStatus.CONFLICT
    assert "you can cancel it, but not leave it" in left.content.decode()
    page = as_user(ada).post(reverse("cancel_game", args=[game.key]), follow=True).content.decode()
    assert "This game was cancelled." in page
    assert Game.objects.get().status == Status.CANCELLED


def test_a_creator_gives_a_free_seat_to_a_computer_player(ada: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada, size=3)
    as_user(ada).post(reverse("add_bot", args=[game.key]), {"bot": "nova:8"})
    assert [name for seat, name in Table.of(Game.objects.get(pk=game.pk)).seated if seat.bot == "nova:8"] == ["Nova"]
    refused = as_user(ada).post(reverse("add_bot", args=[game.key]), {"bot": "oracle"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "There is no computer player named “oracle”." in refused.content.decode()


VERBS = ("join_game", "leave_game", "cancel_game", "add_bot")
ROLES = ("guest", "stranger", "player", "creator", "staff")
ALLOWED = {
    "join_game": {"stranger", "staff"},
    "leave_game": {"player"},
    "cancel_game": {"creator"},
    "add_bot": {"creator"},
}
"""Who may do what with an open game. Staff have no powers here beside those of anyone else."""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("verb", VERBS)
def test_only_who_may_change_an_open_game_changes_it(
    verb: str, role: str, ada: User, bo: User, cleo: User, staff: User, offer: Offer, as_user: SignIn
) -> None:
    game = offer(ada, bo, size=4)
    before = (Game.objects.get().status, names_in(game))
    person = {"guest": None, "stranger": cleo, "player": bo, "creator": ada, "staff": staff}[role]
    response = as_user(person).post(reverse(verb, args=[game.key]), {"bot": "nova:1"})
    changed = (Game.objects.get().status, names_in(game)) != before
    assert changed == (role in ALLOWED[verb])
    if role in ALLOWED[verb]:
        assert response["Location"] == invitation_of(game)
    elif role == "guest":
        assert response["Location"] == f"{reverse('account_login')}?next={invitation_of(game)}"
    elif verb == "join_game":
        assert response["Location"] == invitation_of(game), "who has a seat keeps it"
    else:
        assert response.status_code in {HTTPStatus.FORBIDDEN, HTTPStatus.CONFLICT}


@pytest.mark.parametrize("verb", VERBS)
def test_a_change_needs_a_post_with_the_token_of_a_form(verb: str, ada: User, offer: Offer) -> None:
    game = offer(ada)
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(ada)
    address = reverse(verb, args=[game.key])
    assert careful.get(address).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    refused = careful.post(address, {"bot": "nova:1"})
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert "Please try that again" in refused.content.decode()
    assert (Game.objects.get().status, names_in(game)) == (Status.OPEN, {"Ada"})


@pytest.mark.parametrize("verb", VERBS)
def test_changing_a_game_that_does_not_exist_is_not_found(verb: str, ada: User, as_user: SignIn) -> None:
    response = as_user(ada).post(reverse(verb, args=["nosuchgame22"]), {"bot": "nova:1"})
    assert response.status_code == HTTPStatus.NOT_FOUND


# --- My games ----------------------------------------------------------------------------------------------------


def test_my_games_shows_first_what_waits_for_me(
    ada: User, bo: User, offer: Offer, finished: Offer, as_user: SignIn
) -> None:
    running = [offer(ada, bo) for _ in range(6)]
    opened, done = offer(ada), finished(ada, bo)
    page = as_user(ada).get(reverse("my_games")).content.decode()
    mine = [game.key for game in running if game.seats.get(user=ada).number == game.to_move]
    theirs = [game.key for game in reversed(running) if game.key not in mine]
    places = [page.index(key) for key in (*mine, *theirs, opened.key, done.key)]
    assert places == sorted(places)


def test_my_games_counts_what_waits_for_me_in_the_header_of_every_page(
    ada: User, bo: User, offer: Offer, as_user: SignIn
) -> None:
    games = [offer(ada, bo) for _ in range(4)]
    waiting = sum(game.seats.get(user=ada).number == game.to_move for game in games)
    page = as_user(ada).get(reverse("about")).content.decode()
    expected = {0: "", 1: "(1 is waiting for you)"}.get(waiting, f"({waiting} are waiting for you)")
    assert expected in page
    assert ("for you)" in page) == (waiting > 0)


def test_guests_have_no_games(client: Client, db: None) -> None:
    assert client.get(reverse("my_games"))["Location"].startswith(reverse("account_login"))


def test_each_list_of_my_games_begins_on_the_page_and_goes_on_in_pages(
    ada: User, bo: User, cleo: User, offer: Offer, as_user: SignIn
) -> None:
    running, opened, asked = offer(ada, bo), offer(ada, size=3), offer(bo, size=3)
    mover, other = running.to_move, 3 - (running.to_move or 0)
    mine = running.seats.get(user=ada).number == mover
    games = {
        "open": [opened, *multiply(opened, PAGE_SIZE)],
        "invited": multiply(asked, PAGE_SIZE + 1),
        "to-move" if mine else "waiting": [running, *multiply(running, PAGE_SIZE)],
        "waiting" if mine else "to-move": multiply(running, PAGE_SIZE + 1, to_move=other),
    }
    for game in games["invited"]:
        Invitation.objects.create(game=game, user=ada, by=bo, at=timezone.now())
    browser, address = as_user(ada), reverse("my_games")
    whole = browser.get(address).content.decode()
    for which, listed in games.items():
        first, second = (browser.get(address, {"list": which, "page": page}).content.decode() for page in (1, 2))
        seen = [{game.key for game in listed if f"/games/{game.key}/" in page} for page in (whole, first, second)]
        assert [len(keys) for keys in seen] == [BEGINNING, PAGE_SIZE, len(listed) - PAGE_SIZE], which
        assert seen[0] < seen[1]
        assert not seen[1] & seen[2]
        assert f"Show all {len(listed)}" in whole
        assert "Page 1 of 2" in first
        others = [game.key for other, rest in games.items() if other != which for game in rest]
        assert [key for key in others if key in first] == []
    assert browser.get(address, {"list": "open", "page": "9"}).status_code == HTTPStatus.OK
    assert browser.get(address, {"list": "nothing"}).status_code == HTTPStatus.NOT_FOUND
    assert as_user(cleo).get(address, {"list": "open"}).headers["Location"] == address


def test_ended_games_go_on_in_pages_where_the_last_one_ended(
    ada: User, bo: User, cleo: User, finished: Offer, as_user: SignIn
) -> None:
    ended, pages = finished(ada, bo), 3
    keys = {ended.key, *(game.key for game in multiply(ended, pages * PAGE_SIZE - 1))}
    browser, address = as_user(ada), reverse("my_games")
    whole = browser.get(address).content.decode()
    assert len({key for key in keys if f"/games/{key}/" in whole}) == BEGINNING
    assert f'{address}?list=ended"' in whole
    seen, page = set[str](), browser.get(address, {"list": "ended"})
    for number in range(1, pages + 1):
        text = page.content.decode()
        shown = {key for key in keys if f"/games/{key}/" in text}
        assert len(shown) == PAGE_SIZE
        assert not shown & seen
        assert ("First page" in text) == (number > 1)
        assert ("More games" in text) == (number < pages)
        seen |= shown
        if number < pages:
            page = browser.get(address + html.unescape(re.findall(r'rel="next" href="([^"]+)"', text)[0]))
    assert seen == keys
    assert browser.get(address, {"list": "ended", "after": "never"}).status_code == HTTPStatus.OK
    assert "There are no more games here." in browser.get(address, {"list": "ended", "after": "1-1"}).content.decode()
    assert as_user(cleo).get(address, {"list": "ended"}).headers["Location"] == address


def test_a_cancelled_game_is_among_those_that_have_ended(ada: User, offer: Offer, as_user: SignIn) -> None:
    game = offer(ada)
    commands.cancel_game(game_key=game.key, user=ada, now=timezone.now())
    page = as_user(ada).get(reverse("my_games"), {"list": "ended"}).content.decode()
    assert "cancelled" in page


def test_my_games_take_as_many_queries_with_12_games_as_with_2(
    ada: User,
    bo: User,
    offer: Offer,
    finished: Offer,
    as_user: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    browser = as_user(ada)
    for count in (2, 10):
        for _ in range(count // 2):
            offer(ada, bo)
            finished(ada, bo)
        with django_assert_max_num_queries(11):
            browser.get(reverse("my_games"))
