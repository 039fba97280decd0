"""The API: the same answers and refusals as the pages, as JSON."""

from random import Random
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games import commands
from games.api.views import ReadThrottle, TurnThrottle
from games.models import Game
from tests.flows.play import NOW, RULES, make_user, play_randomly, random_turn, start_game, state_of
from tests.services import free_port

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return start_game([ada, bo])


def as_user(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def submit(client: Client, game: Game, body: Any) -> Any:
    return client.post(f"/api/games/{game.key}/turn", body, content_type="application/json")


def problem(response: Any) -> dict[str, Any]:
    """Return a refusal's problem object, which says its own status."""
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    assert body["detail"]
    return body


def test_a_game_is_answered_with_the_readers_legal_steps(game: Game, ada: User, bo: User) -> None:
    answer = as_user(ada).get(f"/api/games/{game.key}").json()
    assert (answer["seq"], answer["to_move"], answer["viewer"], answer["status"]) == (0, 1, 1, "active")
    assert tuple(answer["legal"]) == RULES.legal_steps(state_of(game))
    assert [seat["name"] for seat in answer["seats"]] == ["Ada", "Bo"]
    assert as_user(bo).get(f"/api/games/{game.key}").json()["legal"] == []
    assert Client().get(f"/api/games/{game.key}").json()["viewer"] is None


def test_an_open_game_is_answered_without_a_position(ada: User) -> None:
    game = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW)
    answer = Client().get(f"/api/games/{game.key}").json()
    assert (answer["status"], answer["position"], answer["legal"], answer["log"]) == ("open", None, [], [])
    assert problem(Client().get(f"/api/games/{game.key}/record"))["code"] == "not-running"


def test_the_log_is_answered_in_the_order_in_which_it_was_written(game: Game, ada: User) -> None:
    play_randomly(game, 2, Random(1))
    commands.resign(game_key=game.key, user=ada, seq=2, now=NOW)
    log = Client().get(f"/api/games/{game.key}").json()["log"]
    assert [line["seq"] for line in log] == [1, 2, 3]
    assert log[2] == {
        "seq": 3,
        "seat": 1,
        "event": "retire",
        "reason": "resigned",
        "at": "2026-11-27T12:00:00Z",
        "by": "player",
    }


def test_a_turn_is_played_once_however_often_it_is_sent(game: Game, ada: User) -> None:
    body = {"seq": 0, "turn": random_turn(state_of(game), Random(1))}
    first, again = (submit(as_user(ada), game, body) for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (first.json()["seq"], first.json()["turn"]) == (1, body["turn"])
    assert game.entries.count() == 1


def test_a_stale_turn_is_a_conflict(game: Game, ada: User) -> None:
    play_randomly(game, 1, Random(1))
    response = submit(as_user(ada), game, {"seq": 0, "turn": "R= R="})
    assert (response.status_code, problem(response)["code"]) == (409, "stale")


def test_an_illegal_turn_says_which_step_and_why(game: Game, ada: User) -> None:
    response = submit(as_user(ada), game, {"seq": 0, "turn": "C"})
    answer = problem(response)
    assert (response.status_code, answer["code"], answer["step"]) == (422, "nothing-to-complete", 0)
    assert answer["detail"] != answer["code"]


def test_a_step_that_is_none_is_refused_in_words(game: Game, ada: User) -> None:
    answer = problem(submit(as_user(ada), game, {"seq": 0, "turn": "fly"}))
    assert (answer["status"], answer["code"]) == (422, "unknown-step")
    assert "fly" in answer["detail"]


def test_only_players_whose_turn_it_is_may_play(game: Game, bo: User) -> None:
    body = {"seq": 0, "turn": "R+"}
    assert problem(submit(as_user(bo), game, body))["code"] == "not-your-turn"
    assert problem(submit(as_user(make_user("Cy")), game, body))["code"] == "not-yours"
    guest = submit(Client(), game, body)
    assert (guest.status_code, problem(guest)["code"]) == (403, "not_authenticated")
    assert game.entries.count() == 0


def test_a_session_alone_plays_nothing_from_another_site(game: Game, ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert submit(client, game, {"seq": 0, "turn": "R+"}).status_code == 403
    assert game.entries.count() == 0


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"turn": "R+"}, "seq"),
        ({"seq": -1, "turn": "R+"}, "seq"),
        ({"seq": "one", "turn": "R+"}, "seq"),
        ({"seq": 0}, "turn"),
        ({"seq": 0, "turn": "x" * 201}, "turn"),
    ],
)
def test_a_request_that_is_not_understood_names_the_field(game: Game, ada: User, body: Any, field: str) -> None:
    response = submit(as_user(ada), game, body)
    assert response.status_code == 400
    assert field in problem(response)["fields"]


@pytest.mark.parametrize("body", ["{", "[]", "null", '"R+"'])
def test_a_body_that_is_no_object_is_refused(game: Game, ada: User, body: str) -> None:
    assert problem(submit(as_user(ada), game, body))["status"] == 400


def test_a_form_is_not_taken_for_json(game: Game, ada: User) -> None:
    response = as_user(ada).post(f"/api/games/{game.key}/turn", {"seq": 0, "turn": "R+"})
    assert (response.status_code, problem(response)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("path", ["", "/record"])
def test_a_game_that_is_not_there_is_a_problem_too(path: str, db: None) -> None:
    response = Client().get(f"/api/games/{'2' * 12}{path}")
    assert (response.status_code, problem(response)["code"]) == (404, "no-such-game")


def test_a_wrong_method_names_the_right_ones(game: Game) -> None:
    response = Client().delete(f"/api/games/{game.key}")
    assert (response.status_code, problem(response)["code"]) == (405, "method_not_allowed")
    assert "GET" in response["Allow"]


@pytest.mark.parametrize(
    ("method", "query", "headers", "status"),
    [
        ("get", "?format=xml", {}, 404),
        ("get", "?format=api", {"Accept": "text/html"}, 404),
        ("get", "", {"Accept": "application/xml"}, 406),
        ("get", "?before=x", {}, 400),
        ("put", "", {}, 405),
        ("post", "/turn", {"Content-Type": "application/xml"}, 415),
        ("post", "/turn", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ("post", "/turn?format=xml", {}, 404),
        ("post", "/turn", {"Accept": "text/html"}, 406),
        ("delete", "/turn", {}, 405),
        ("get", "/record?format=csv", {}, 404),
        ("post", "/record", {}, 405),
    ],
)
def test_a_request_that_the_api_cannot_take_is_refused_with_a_problem(
    game: Game, ada: User, method: str, query: str, headers: dict[str, str], status: int
) -> None:
    headers = {"Content-Type": "application/json", **headers}
    response = as_user(ada).generic(
        method.upper(), f"/api/games/{game.key}{query}", b"{}", headers["Content-Type"], headers=headers
    )
    assert problem(response)["status"] == status
    assert problem(response)["code"]


def test_who_plays_too_fast_reads_when_to_come_back(game: Game, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TurnThrottle, "rate", "2/min")
    client = as_user(ada)
    statuses = [submit(client, game, {"seq": 9, "turn": "R+"}).status_code for _time in range(3)]
    assert statuses == [409, 409, 429]
    response = submit(client, game, {"seq": 9, "turn": "R+"})
    assert problem(response)["code"] == "throttled"
    assert int(response["Retry-After"]) > 0


def test_strangers_are_counted_by_their_network(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReadThrottle, "rate", "2/min")
    hosts = (
        "2001:db8:1:2::1",
        "2001:db8:1:2::2",
        "2001:db8:1:2:ffff::3",
        "2001:db8:1:3::1",
        "203.0.113.1",
        "203.0.113.2",
    )
    claims = {"X-Forwarded-For": "198.51.100.1"}  # which nobody is believed
    statuses = [
        Client(REMOTE_ADDR=host).get(f"/api/games/{game.key}", headers=more).status_code
        for host, more in [*((host, {}) for host in hosts), (hosts[0], claims)]
    ]
    assert statuses == [200, 200, 429, 200, 200, 200, 429]


def test_a_cache_out_of_reach_holds_nobody_up(game: Game, ada: User, settings: Settings) -> None:
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": nowhere}}
    assert submit(as_user(ada), game, {"seq": 0, "turn": "R+"}).status_code == 201
    assert Client().get(f"/api/games/{game.key}").status_code == 200
