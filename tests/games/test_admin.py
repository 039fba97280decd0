"""The staff sees games and their logs, and can change neither."""

from random import Random

import pytest
from django.test import Client

from accounts import acts
from accounts.models import User
from games.models import Game
from tests.flows.play import make_user, play_randomly, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = start_game([make_user("Ada"), make_user("Bo")])
    play_randomly(game, 3, Random(1))
    return game


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff"))
    return client


@pytest.mark.parametrize("model", ["game", "seat", "entry"])
def test_every_list_can_be_searched_by_a_games_key(game: Game, staff: Client, model: str) -> None:
    response = staff.get(f"/admin/games/{model}/", {"q": game.key})
    assert response.status_code == 200
    assert game.key in response.content.decode()
    assert game.key not in staff.get(f"/admin/games/{model}/", {"q": "zzzz"}).content.decode()


def test_games_are_found_by_the_whole_name_of_a_player_and_by_their_size(game: Game, staff: Client) -> None:
    name = game.seats.first().user.display_name  # type: ignore[union-attr]
    asked = {"mine": {"q": name.upper()}, "part": {"q": name[:-1]}, "size": {"size": "2"}, "other": {"size": "6"}}
    pages = {which: staff.get("/admin/games/game/", words).content.decode() for which, words in asked.items()}
    assert {which for which, page in pages.items() if game.key in page} == {"mine", "size"}
    assert staff.get("/admin/games/game/", {"size": "9" * 30}).status_code == 200


def test_a_long_list_is_counted_and_leafed_through_no_further_than_some_rows(
    game: Game, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acts, "MOST_COUNTED", 2)
    page = staff.get("/admin/games/entry/").content.decode()
    assert game.entries.count() == 3
    assert "2 entries" in page


@pytest.mark.parametrize("model", ["game", "seat", "entry"])
def test_nothing_is_added_changed_or_deleted(game: Game, staff: Client, model: str) -> None:
    pk = {"game": game, "seat": game.seats.first(), "entry": game.entries.first()}[model].pk  # type: ignore[union-attr]
    assert staff.get(f"/admin/games/{model}/{pk}/change/").status_code == 200
    assert staff.get(f"/admin/games/{model}/add/").status_code == 403
    assert staff.post(f"/admin/games/{model}/{pk}/change/", {"status": "cancelled"}).status_code == 403
    assert staff.post(f"/admin/games/{model}/{pk}/delete/", {"post": "yes"}).status_code == 403
    assert game.entries.count() == 3


def test_the_drawn_set_up_and_the_chain_are_not_shown(game: Game, staff: Client) -> None:
    text = staff.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert game.setup_digest not in text
    assert "open_door" not in text
