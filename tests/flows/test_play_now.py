"""From the home page to a game by one press, with a guest account for who is not signed in."""

import re
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts import guests
from accounts.models import User
from games import commands
from games.commands._open_game import MOST_BOT_GAMES
from games.models import Game, Message
from games.models.choices import Status
from tests.flows.people import signed_in
from tests.flows.play import RULES, RULESET, make_user, mover_of, play_randomly, start_game, state_of

pytestmark = pytest.mark.django_db(transaction=True)


def press(client: Client, **form: str) -> str:
    """Press "Play now"; return where it leads."""
    answer = client.post(reverse("play_now"), form)
    assert answer.status_code == 302
    return str(answer["Location"])


def token_on(client: Client) -> str:
    found = re.search(r'name="token" value="([^"]+)"', client.get(reverse("home")).content.decode())
    assert found
    return found[1]


def make_guest() -> User:
    return guests.make_guest(language="en", now=timezone.now())


def the_game() -> Game:
    """Return the one game there is, in which a person is to move."""
    game = Game.objects.get()
    if game.bot_to_move:
        commands.play_bot_turn(game_id=game.pk, seq=game.seq, rng=Random(1), now=timezone.now())
        game.refresh_from_db()
    return game


def test_a_stranger_plays_a_turn_two_presses_after_the_home_page(client: Client) -> None:
    page = client.get(reverse("home")).content.decode()
    assert f'action="{reverse("play_now")}"' in page
    address = press(client, token=token_on(client))
    game = the_game()
    assert address == reverse("game", args=[game.key])
    page = client.get(address).content.decode()
    assert "Your turn" in page
    turn = RULES.choose_turn("random", state_of(game), Random(1))
    answer = client.post(reverse("game_turn", args=[game.key]), {"seq": game.seq, "steps": turn})
    assert answer.status_code == 302
    game.refresh_from_db()
    assert game.bot_to_move
    guest = User.objects.get()
    assert guest.is_guest
    assert guest.last_login is not None
    assert client.session.get_expiry_age() > 50 * 24 * 3600, "the session lasts"


def test_a_guest_has_the_language_of_the_page() -> None:
    client = Client(headers={"accept-language": "nl"})
    press(client)
    guest = User.objects.get()
    assert guest.language == "nl"
    assert guest.display_name.startswith("Gast ")


def test_pressing_twice_leads_to_one_game_of_one_guest(client: Client) -> None:
    token = token_on(client)
    other_request = Client()  # which was sent before the first one's answer had come
    assert press(client, token=token) == press(other_request, token=token)
    assert press(client, token=token) == press(client)
    assert (User.objects.count(), Game.objects.count()) == (1, 1)


def test_what_is_pressed_again_uses_up_no_more_of_the_guests_of_a_day(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "2/d/ip"}
    ada = make_user("Ada")
    game = commands.create_game(
        user=ada, ruleset=RULESET, size=3, options={}, public=False, bots=(), now=timezone.now()
    )
    presses = {reverse("play_now"): token_on(client), reverse("join_as_guest", args=[game.key]): str(uuid4())}
    for address, token in presses.items():
        answers = [Client().post(address, {"token": token})["Location"] for _press in range(4)]
        assert len(set(answers)) == 1, answers
    assert User.objects.filter(is_guest=True).count() == 2
    assert press(client, token=str(uuid4())) == reverse("account_signup")


def test_two_people_with_pages_of_their_own_are_two_guests(client: Client) -> None:
    press(client, token=token_on(client))
    press(Client(), token=token_on(Client()))
    press(Client(), token="nonsense")
    assert User.objects.count() == Game.objects.count() == 3


def test_whoever_is_signed_in_plays_under_their_own_account() -> None:
    ada = make_user("Ada")
    press(signed_in(ada), token=str(uuid4()))
    assert Game.objects.get().creator == ada
    assert list(User.objects.all()) == [ada]


def test_there_is_an_end_to_the_guests_of_one_network_and_day(client: Client, settings: Settings) -> None:
    limit = int(settings.ACCOUNT_RATE_LIMITS["guest"].partition("/")[0])
    for _time in range(limit):
        press(Client())
    assert press(Client()) == reverse("account_signup")
    assert User.objects.count() == limit
    other = Client(REMOTE_ADDR="203.0.113.9")
    assert press(other) != reverse("account_signup")
    said = client.get(press(client)).content.decode()
    assert "Sign up to play: it is free." in said


def test_one_game_too_many_is_refused_in_words() -> None:
    ada = make_user("Ada")
    for _number in range(MOST_BOT_GAMES):
        start_game([ada], bots=["nova:1"], now=timezone.now())
    client = signed_in(ada)
    assert press(client) == reverse("my_games")
    assert "Finish one of them first." in client.get(reverse("my_games")).content.decode()


def test_guests_are_told_what_they_are_and_how_to_keep_their_games(client: Client) -> None:
    press(client)
    page = client.get(reverse("my_games")).content.decode()
    assert "You are playing as a guest." in page
    assert page.count(reverse("keep_games")) == 2, "the line, and the menu"
    assert "You are playing as a guest." not in signed_in(make_user("Ada")).get(reverse("my_games")).content.decode()


def test_a_guest_creates_a_game_against_computer_players(client: Client) -> None:
    client.force_login(make_guest())
    page = client.get(reverse("create_game")).content.decode()
    assert 'name="visibility"' not in page
    assert "As a guest you play against computer players" in page
    form = {"size": "3", "bot_1": "nova:2", "bot_2": "nova:3", "time-preset": "daily"}
    answer = client.post(reverse("create_game"), form)
    game = Game.objects.get()
    assert answer["Location"] == reverse("game", args=[game.key])
    assert not game.public
    refused = client.post(reverse("create_game"), form | {"bot_2": ""})
    assert refused.status_code == 422
    assert "As a guest you can create games only against computer players" in refused.content.decode()


def test_a_guest_is_shown_how_to_join_where_joining_is_refused(client: Client) -> None:
    ada = make_user("Ada")
    listed, by_link = (
        commands.create_game(user=ada, ruleset=RULESET, size=2, options={}, public=public, bots=[], now=timezone.now())
        for public in (True, False)
    )
    client.force_login(make_guest())
    for page in (reverse("lobby"), reverse("invitation", args=[listed.key])):
        said = client.get(page).content.decode()
        assert "Keep your games to join" in said
        assert reverse("join_game", args=[listed.key]) not in said
    refused = client.post(reverse("join_game", args=[listed.key]))
    assert refused.status_code == 403
    assert "only through a link" in refused.content.decode()
    assert (
        reverse("join_game", args=[by_link.key])
        in client.get(reverse("invitation", args=[by_link.key])).content.decode()
    )
    client.post(reverse("join_game", args=[by_link.key]))
    by_link.refresh_from_db()
    assert by_link.status == Status.ACTIVE


def test_a_guest_reads_messages_and_finds_no_form_to_write(client: Client) -> None:
    ada, guest = make_user("Ada"), make_guest()
    game = start_game([ada, guest], public=False)
    Message.objects.create(game=game, seat=1, text="Welcome!", at=timezone.now())
    client.force_login(guest)
    page = client.get(reverse("game", args=[game.key])).content.decode()
    assert "Welcome!" in page
    assert "As a guest you can read messages" in page
    assert 'id="talk-form"' not in page
    answer = client.post(reverse("write_message", args=[game.key]), {"text": "Hello"})
    assert answer.status_code == 403
    assert "As a guest you can&#x27;t write messages" in answer.content.decode()


# --- Signing in leads to the games ---------------------------------------------------------------------------------


def test_signing_in_leads_to_my_games_unless_one_was_on_the_way_elsewhere(client: Client) -> None:
    make_user("Ada")
    form = {"login": "ada@example.org", "password": "starlight"}
    assert client.post(reverse("account_login"), form)["Location"] == reverse("my_games")
    other = Client().post(f"{reverse('account_login')}?next=/rules/", form | {"next": "/rules/"})
    assert other["Location"] == "/rules/"


def test_signing_up_and_confirming_lead_to_my_games(client: Client, settings: Settings, letters: object) -> None:
    form = {"email": "bo@example.org", "display_name": "Bo", "password1": "a fine long password"}
    assert client.post(reverse("account_signup"), form)["Location"] == reverse("my_games")


# --- The home page -------------------------------------------------------------------------------------------------


def played(turns: int, **terms: Any) -> Game:
    game = start_game([make_user(f"Ada{turns}"), make_user(f"Bo{turns}")], **terms)
    play_randomly(game, turns, Random(1))
    game.refresh_from_db()
    return game


def test_the_home_page_offers_to_play_a_public_game_that_runs(client: Client) -> None:
    played(9, public=False)
    assert 'id="play"' not in client.get(reverse("home")).content.decode(), "an example, which has no log"
    game = played(8)
    page = client.get(reverse("home")).content.decode()
    assert f'data-moves="{reverse("game_moves", args=[game.key])}" data-seq="0" data-last="{game.seq}"' in page
    assert "being played right now" in page
    assert "home.js" in page


def test_the_home_page_shows_the_last_finished_game_where_none_runs(client: Client) -> None:
    older, newer, running = played(8), played(9), played(10)
    for number, game in enumerate((older, newer)):
        now = timezone.now() + timedelta(minutes=number)
        commands.resign(game_key=game.key, user=mover_of(game), seq=game.seq, now=now)
    assert reverse("game", args=[running.key]) in client.get(reverse("home")).content.decode()
    Game.objects.filter(pk=running.pk).update(public=False)
    page = client.get(reverse("home")).content.decode()
    assert reverse("game", args=[newer.key]) in page
    assert "A game that was played here." in page
    assert "right now" not in page


def test_the_home_page_has_one_button_that_stands_out(client: Client) -> None:
    for browser in (client, signed_in(make_user("Ada"))):
        page = browser.get(reverse("home")).content.decode().partition("<main")[2]
        assert Counter(re.findall(r'class="button primary[^"]*"', page)).total() == 1
