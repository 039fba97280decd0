"""Finding a game: the lobby shows what one looks for, and one press takes the best seat or makes a game."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.guests import make_guest
from accounts.models import User
from games import commands, queries
from games.clock import PRESETS
from games.models import Game
from games.web.forms.lobby import LobbyForm
from tests.flows.people import SignIn
from tests.flows.play import RULESET, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]


@pytest.fixture
def games() -> dict[str, Game]:
    """Return open games of several people by what is particular about them."""
    now = timezone.now()

    def create(name: str, *joining: str, age: int = 0, **terms: Any) -> Game:
        plain: dict[str, Any] = {"ruleset": RULESET, "size": 3, "options": {}, "public": True, "bots": []}
        at = now - timedelta(minutes=age)
        game = commands.create_game(user=make_user(name), now=at, **{**plain, **terms})
        for other in joining:
            commands.join_game(game_key=game.key, user=make_user(other), now=at)
        return Game.objects.get(pk=game.pk)

    return {
        "old": create("A", age=50),
        "four": create("B", size=4, age=40),
        "nearly full": create("C", "D", age=30),
        "expert": create("E", options={"expert": True}, time_control=PRESETS["evening"], age=20),
        "goodies": create("F", options={"goodies": "PT"}, time_control=PRESETS["daily"], age=10),
        "hidden": create("G", public=False),
    }


def shown(client: Client, games: dict[str, Game], **chosen: str) -> list[str]:
    """Return which games the lobby shows, in its order."""
    page = client.get(reverse("lobby"), chosen).content.decode()
    places = {name: page.find(reverse("invitation", args=[game.key])) for name, game in games.items()}
    return sorted((name for name, place in places.items() if place >= 0), key=lambda name: places[name])


def test_the_game_that_starts_soonest_is_shown_first(client: Client, games: dict[str, Game]) -> None:
    assert shown(client, games) == ["nearly full", "goodies", "expert", "old", "four"]


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"size": "4"}, ["four"]),
        ({"pace": "hours"}, ["expert"]),
        ({"pace": "day"}, ["goodies"]),
        ({"pace": "days"}, ["nearly full", "old", "four"]),
        ({"seats": "last"}, ["nearly full"]),
        ({"expert": "with"}, ["expert"]),
        ({"expert": "without", "goodies": "without"}, ["nearly full", "old", "four"]),
        ({"goodies": "with"}, ["goodies"]),
        ({"goodies": "with", "size": "4"}, []),
        ({"size": "x", "pace": "x", "expert": "9" * 5000}, ["nearly full", "goodies", "expert", "old", "four"]),
    ],
)
def test_the_lobby_shows_what_is_looked_for(
    client: Client, games: dict[str, Game], chosen: dict[str, str], found: list[str]
) -> None:
    assert shown(client, games, **chosen) == found


def test_pages_keep_what_is_looked_for(client: Client) -> None:
    for number in range(60):
        person = make_user(f"P{number}")
        terms: dict[str, Any] = {"ruleset": RULESET, "size": 3 + number % 2, "options": {}, "public": True, "bots": []}
        for _game in range(2):
            commands.create_game(user=person, now=timezone.now(), **terms)
    seen, address = list[str](), f"{reverse('lobby')}?size=4"
    for _page in range(5):
        page = client.get(address).content.decode()
        seen += [key for key in Game.objects.values_list("key", flat=True) if f"/games/{key}/invitation/" in page]
        further = page.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
        if not further:
            break
        assert "size=4" in further
        address = f"{reverse('lobby')}{further}"
    assert sorted(seen) == sorted(Game.objects.filter(size=4).values_list("key", flat=True))


def find(person: User, **chosen: str) -> Game:
    """Press "Find me a game"; return the game that it led to."""
    client = Client()
    client.force_login(person)
    answer = client.post(reverse("find_game"), chosen)
    assert answer.status_code == 302
    return Game.objects.get(key=answer["Location"].split("/")[2])


def test_one_press_takes_the_seat_with_which_a_game_starts_soonest(games: dict[str, Game], ada: User) -> None:
    game = find(ada)
    assert game == games["nearly full"]
    assert game.status == "active"
    assert find(ada, expert="with") == games["expert"]
    assert find(ada, expert="with") == games["expert"], "no second seat, and no second game"
    assert Game.objects.count() == len(games)


def test_where_nobody_waits_a_game_is_created_as_it_was_looked_for(games: dict[str, Game], ada: User) -> None:
    game = find(ada, size="5", pace="day", goodies="with", expert="without")
    assert (game.creator, game.size, game.public, game.status) == (ada, 5, True, "open")
    assert game.options == {"expert": False, "goodies": "PJT"}
    assert game.time_control == PRESETS["daily"].to_json()
    assert find(ada, size="5") == game, "they wait in it already"


@pytest.mark.pg
@pytest.mark.django_db(transaction=True)
def test_one_press_sent_many_times_at_once_makes_one_game() -> None:
    person, start, token = make_user("Ada"), Barrier(4), str(uuid4())

    def press(_number: int) -> str:
        browser = Client()
        browser.force_login(person)
        start.wait()
        try:
            return browser.post(reverse("find_game"), {"token": token})["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        led_to = set(threads.map(press, range(4)))
    assert led_to == {reverse("invitation", args=[Game.objects.get().key])}


def test_a_form_that_is_sent_again_another_day_makes_another_game(ada: User) -> None:
    first = find(ada, token=(token := str(uuid4())))
    commands.cancel_game(game_key=first.key, user=ada, now=timezone.now())
    assert find(ada, token=token).status == "open"


def test_a_game_that_fills_at_this_moment_is_passed_over(
    games: dict[str, Game], ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, last = queries.games_for, make_user("Quick")

    def take_first(user: User, wanted: Any) -> list[Game]:
        found = real(user, wanted)
        commands.join_game(game_key=found[0].key, user=last, now=timezone.now())
        return found

    monkeypatch.setattr(queries, "games_for", take_first)
    game = find(ada)
    assert game == games["old"]
    assert game.seats.filter(user=ada).exists()


def test_a_guest_keeps_their_games_first(games: dict[str, Game]) -> None:
    client = Client()
    client.force_login(make_guest(language="en", now=timezone.now()))
    assert client.post(reverse("find_game"))["Location"] == reverse("keep_games")
    assert "Find me a game" not in client.get(reverse("lobby")).content.decode()


def test_what_refuses_a_new_game_is_said_in_the_lobby(ada: User, as_user: SignIn) -> None:
    for number in range(20):
        commands.create_game(
            user=ada, ruleset=RULESET, size=2, options={}, public=bool(number % 2), bots=[], now=timezone.now()
        )
    answer = as_user(ada).post(reverse("find_game"), {"size": "5"}, follow=True)
    assert answer.redirect_chain == [(f"{reverse('lobby')}?size=5", 302)]
    assert "20 games that are waiting for players" in answer.content.decode()


def test_every_option_of_the_filter_is_one_of_the_rules() -> None:
    form = LobbyForm(QueryDict("expert=with&goodies=with"))
    assert set(form.terms()["options"]) == {"expert", "goodies"} == set(form.wanted.options)
