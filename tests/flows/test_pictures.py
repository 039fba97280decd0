"""Pictures of boards: what anybody may see, kept by browsers, rendered within limits."""

from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from struct import unpack
from typing import Any, Final

import pytest
from django.core.cache import cache, caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from games import commands
from games.models import Game
from games.presenters.pictures import draw
from games.web import pictures
from tests.flows.play import NOW, RULESET, make_user, mover_of, start_game

pytestmark = pytest.mark.django_db
NAMES: Final = ("board_svg", "board_png")


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    cache.clear()
    caches["pictures"].clear()
    draw.cache_clear()
    yield
    caches["pictures"].clear()


@pytest.fixture
def game() -> Game:
    """Return a game after one turn."""
    game = start_game([make_user("Ada"), make_user("Bo")])
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=0, turn="R+", now=NOW)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def open_game() -> Game:
    return commands.create_game(
        user=make_user("Cy"), ruleset=RULESET, size=3, options={}, public=True, bots=[], now=NOW
    )


def ask(client: Client, name: str, game: Game, **query: Any) -> Any:
    headers = query.pop("headers", {})
    return client.get(reverse(name, args=[game.key]), query, headers=headers)


def test_the_picture_is_one_that_loads_and_runs_nothing(client: Client, game: Game) -> None:
    response = ask(client, "board_svg", game)
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "Vary" not in response.headers
    assert not response.cookies


def test_a_page_keeps_its_own_policy(client: Client, game: Game) -> None:
    assert "style-src 'self'" in client.get(reverse("game", args=[game.key])).headers["Content-Security-Policy"]


def test_the_rendered_picture_has_the_size_that_previews_ask_for(client: Client, game: Game) -> None:
    response = ask(client, "board_png", game)
    assert response.headers["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    assert unpack(">II", response.content[16:24]) == (1200, 630)
    assert len(response.content) < 400_000


@pytest.mark.parametrize("name", NAMES)
def test_a_position_is_kept_for_long_and_the_last_one_shortly(client: Client, game: Game, name: str) -> None:
    assert ask(client, name, game).headers["Cache-Control"] == "public, max-age=60"
    for seq in (0, 1):
        assert ask(client, name, game, at=seq).headers["Cache-Control"] == "public, max-age=604800, immutable"


@pytest.mark.parametrize("name", NAMES)
def test_everyone_is_answered_alike(client: Client, game: Game, name: str) -> None:
    guest = ask(client, name, game)
    client.force_login(mover_of(game))
    player = ask(client, name, game, headers={"Accept-Language": "de"})
    assert player.content == guest.content
    ours = {"X-Request-ID"}
    assert {key: value for key, value in player.items() if key not in ours} == {
        key: value for key, value in guest.items() if key not in ours
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_a_browser_has_is_not_sent_again(
    client: Client, game: Game, name: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    first = ask(client, name, game)
    with django_assert_num_queries(1):
        again = ask(client, name, game, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == HTTPStatus.NOT_MODIFIED
    assert not again.content
    commands.play_turn(game_key=game.key, user=mover_of(game), seq=1, turn="R+", now=NOW)
    assert ask(client, name, game, headers={"If-None-Match": first.headers["ETag"]}).status_code == HTTPStatus.OK


def test_tags_tell_positions_schemes_and_kinds_of_looks_apart(client: Client, game: Game, open_game: Game) -> None:
    asked: list[tuple[Game, dict[str, Any]]] = [
        (game, {}),
        (game, {"at": 0}),
        (game, {"scheme": "dark"}),
        (open_game, {}),
    ]
    tags = {ask(client, "board_svg", which, **query).headers["ETag"] for which, query in asked}
    assert len(tags) == len(asked)
    assert all(tag.strip('"').endswith(pictures.look_of(RULESET)) for tag in tags)


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_drawn_once_in_a_handful_of_queries(
    client: Client, game: Game, name: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):
        ask(client, name, game, at=1)
    with django_assert_num_queries(1):
        ask(client, name, game, at=1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("query", [{"at": 2}, {"at": "x"}, {"at": -1}, {"at": 10**17}, {"scheme": "blue"}])
def test_what_there_is_not_is_not_found(client: Client, game: Game, name: str, query: dict[str, Any]) -> None:
    assert ask(client, name, game, **query).status_code == HTTPStatus.NOT_FOUND


def test_a_game_that_has_not_started_has_the_board_of_an_example_and_no_positions(
    client: Client, open_game: Game
) -> None:
    assert "<title>A board in play</title>" in ask(client, "board_svg", open_game).content.decode()
    assert ask(client, "board_svg", open_game, at=0).status_code == HTTPStatus.NOT_FOUND


def test_the_way_of_the_last_move_is_drawn(client: Client, game: Game) -> None:
    before, after = (ask(client, "board_svg", game, at=seq).content for seq in (0, 1))
    assert b"stroke-dasharray:1 5" not in before
    assert b"stroke-dasharray:1 5" in after


def test_no_name_is_in_a_picture(client: Client) -> None:
    game = start_game([make_user("Zebulon"), make_user("Quirin")])
    drawn = ask(client, "board_svg", game).content.decode()
    assert "Zebulon" not in drawn
    assert "Quirin" not in drawn


def test_who_asks_for_too_many_renderings_waits_and_gets_those_that_are_there(
    client: Client, game: Game, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "picture": "1/m/ip"}
    assert ask(client, "board_png", game, at=0).status_code == HTTPStatus.OK
    refused = ask(client, "board_png", game, at=1)
    assert refused.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert refused.headers["Retry-After"] == "60"
    assert "no-store" in refused.headers["Cache-Control"]
    assert ask(client, "board_png", game, at=0).status_code == HTTPStatus.OK
    assert ask(client, "board_svg", game, at=1).status_code == HTTPStatus.OK


def test_while_one_picture_is_rendered_one_request_waits_and_no_more(client: Client, game: Game) -> None:
    with pictures._queue, pictures._queue:
        busy = ask(client, "board_png", game)
    assert busy.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert busy.headers["Retry-After"] == "10"
    assert ask(client, "board_png", game).status_code == HTTPStatus.OK


def test_only_reading_is_allowed(client: Client, game: Game) -> None:
    for name in NAMES:
        address = reverse(name, args=[game.key])
        assert client.post(address).status_code == HTTPStatus.METHOD_NOT_ALLOWED
        assert client.head(address).status_code == HTTPStatus.OK


def test_my_games_shows_boards_by_light_and_by_dark(client: Client, game: Game) -> None:
    over = start_game([make_user("Di"), mover_of(game)])
    commands.resign(game_key=over.key, user=mover_of(over), seq=0, now=NOW)
    client.force_login(mover_of(game))
    page = client.get(reverse("my_games")).content.decode()
    for key in (game.key, over.key):
        address = f"/games/{key}/board.svg?at=1"
        assert f'<img class="thumb" src="{address}" width="240" height="160" loading="lazy" alt="">' in page
        assert f'srcset="{address}&amp;scheme=dark"' in page


def test_a_long_game_is_asked_for_by_a_plain_number(client: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(seq=1234)
    client.force_login(mover_of(game))
    assert "board.svg?at=1234" in client.get(reverse("my_games"), headers={"Accept-Language": "de"}).content.decode()


def test_an_open_game_has_no_board_in_lists(client: Client, open_game: Game) -> None:
    assert "board.svg" not in client.get(reverse("lobby")).content.decode()


def test_a_deadline_is_told_as_time_ahead_too(client: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=timezone.now() + timedelta(days=3))
    client.force_login(mover_of(game))
    assert "in 3 days" in client.get(reverse("my_games")).content.decode()
