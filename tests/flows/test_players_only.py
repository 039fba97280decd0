"""Games for their players only: once started there is no such game for anyone else, wherever they look."""

from random import Random
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games import commands, queries, tasks
from games.delivery.deliver import send_due
from games.models import Game
from games.queries import Sought, Watched
from games.queries.by_key import watchable
from tests.flows.play import RULESET, make_user, play_randomly, start_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return make_user("Ada")


@pytest.fixture
def bo() -> User:
    return make_user("Bo")


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    game = start_game([ada, bo])
    Game.objects.filter(pk=game.pk).update(players_only=True)
    play_randomly(game, 4, Random(1))
    return Game.objects.get(pk=game.pk)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def end(game: Game, user: User) -> None:
    commands.resign(game_key=game.key, user=user, seq=game.seq, now=timezone.now())


def test_a_form_asks_who_may_watch_and_the_game_says_so(ada: User) -> None:
    client = signed_in(ada)
    form = client.get(reverse("create_game"))
    assert "Only its players can watch" in form.content.decode()
    fields = {"size": 3, "against": "people", "visibility": "public", "time-preset": "daily", "players_only": "on"}
    summary = client.post(reverse("create_preview"), fields).content.decode()
    assert "for its players’ eyes only" in summary
    answer = client.post(reverse("create_game"), fields)
    assert answer.status_code == 302
    game = Game.objects.get()
    assert (game.players_only, game.public) == (True, True)
    page = client.get(answer["Location"]).content.decode()
    assert "Players only" in page
    assert "Only its players" in page
    assert Client().get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
def test_lists_and_pictures_have_nothing_of_it_for_others(ended: bool, game: Game, ada: User, bo: User) -> None:
    if ended:
        end(game, bo)
    for which in Watched:
        assert queries.games_to_watch(which)[0] == []
    assert queries.game_to_show() is None
    tasks.settle_games()
    assert queries.finished_games(Sought(people=(ada.pk,))) == ([], None)
    for client in (Client(), signed_in(make_user("Cy"))):
        for name in (
            "game",
            "board_svg",
            "board_png",
            "game_record",
            "game_chart",
            "api_game",
            "api_position",
            "api_log",
            "api_record",
            "api_picture",
            "try_out",
        ):
            assert client.get(reverse(name, args=[game.key])).status_code == 404, name
        assert client.get(reverse("game_moves", args=[game.key]), {"first": 1, "last": 2}).status_code == 404
        assert game.key not in client.get("/").content.decode()
    own = signed_in(ada)
    assert own.get(reverse("game", args=[game.key])).status_code == 200
    assert own.get(reverse("board_svg", args=[game.key]))["Cache-Control"] == "private, no-store"
    assert "og:image" not in own.get(reverse("game", args=[game.key])).content.decode()


def test_a_picture_that_a_player_got_is_handed_to_nobody_else(game: Game, ada: User) -> None:
    address = reverse("board_svg", args=[game.key])
    picture = signed_in(ada).get(address)
    assert picture.status_code == 200
    assert Client().get(address, headers={"If-None-Match": picture["ETag"]}).status_code == 404


def test_the_staff_may_look(game: Game) -> None:
    assert signed_in(make_user("Helper", is_staff=True)).get(reverse("game", args=[game.key])).status_code == 200


def test_mails_about_it_show_no_picture(game: Game, ada: User, bo: User) -> None:
    later = timezone.now().replace(year=timezone.now().year + 1)
    send_due(now=later)
    html = "".join(str(part.content) for sent in mail.outbox for part in sent.alternatives)  # type: ignore[attr-defined]
    assert f"/games/{game.key}/" in html
    assert "board.png" not in html


def test_a_rematch_is_for_its_players_too(game: Game, ada: User, bo: User) -> None:
    end(game, bo)
    assert commands.rematch(game_key=game.key, user=ada, now=timezone.now()).players_only


@pytest.mark.anydb
@pytest.mark.parametrize("role", ["nobody", "player", "other", "staff"])
def test_both_ways_to_ask_who_may_watch_give_one_answer(role: str, ada: User, bo: User) -> None:
    from games.log.seats import load_seats
    from games.log.table import may_watch

    waiting = commands.create_game(
        user=ada, ruleset=RULESET, size=3, options={}, public=True, bots=[], now=timezone.now(), players_only=True
    )
    running, plain = start_game([ada, bo]), start_game([ada, bo])
    Game.objects.filter(pk=running.pk).update(players_only=True)
    readers: dict[str, Any] = {
        "nobody": None,
        "player": bo,
        "other": make_user("Cy"),
        "staff": make_user("Helper", is_staff=True),
    }
    reader = readers[role]
    for game in Game.objects.filter(pk__in=[waiting.pk, running.pk, plain.pk]):
        load_seats(game)
        assert may_watch(game, reader) == watchable(reader).filter(pk=game.pk).exists(), game
        assert may_watch(game, reader) == (game.pk != running.pk or role in {"player", "staff"})
