"""The API: the same answers and refusals as the pages, as JSON."""

from collections.abc import Callable
from random import Random
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User
from engine.gravity.view import position
from games import commands
from games.api.base import PlayThrottle, ReadThrottle
from games.models import Game
from tests.flows.play import NOW, RULES, make_user, mover_of, play, play_randomly, random_turn, start_game, state_of
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
    return client.post(f"/api/v1/games/{game.key}/turns/", body, content_type="application/json")


def ask(client: Client, game: Game, what: str, **body: Any) -> Any:
    return client.post(f"/api/v1/games/{game.key}/{what}/", body, content_type="application/json")


def problem(response: Any) -> dict[str, Any]:
    """Return a refusal's problem object, which says its own status."""
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    assert body["detail"]
    return body


def test_a_game_is_answered_as_its_reader_may_see_it(game: Game, ada: User, bo: User) -> None:
    answer = as_user(ada).get(f"/api/v1/games/{game.key}/").json()
    assert (answer["seq"], answer["to_move"], answer["viewer"], answer["status"]) == (0, 1, 1, "active")
    assert [(seat["name"], seat["player"]) for seat in answer["seats"]] == [("Ada", ada.pk), ("Bo", bo.pk)]
    assert answer["board"].keys() == RULES.drawing
    assert Client().get(f"/api/v1/games/{game.key}/").json()["viewer"] is None


def test_who_is_to_move_reads_what_is_legal_and_where_it_leads(game: Game, ada: User) -> None:
    answer = ask(as_user(ada), game, "legal", seq=0, steps=[]).json()
    assert tuple(answer["legal"]) == RULES.legal_steps(state_of(game))
    step = next(step for step in answer["legal"] if step.startswith("S"))
    after = ask(as_user(ada), game, "legal", seq=0, steps=[step]).json()
    assert (after["seq"], after["steps"], "." in after["legal"]) == (0, [step], True)
    assert after["preview"]["position"]["face_down"][0] == step[3]
    assert [event["kind"] for event in after["preview"]["events"]]
    assert Game.objects.get(pk=game.pk).seq == 0


def test_what_follows_no_steps_that_are_legal_is_refused(game: Game, ada: User) -> None:
    for what, more in (("legal", {}), ("why-not", {"step": "."})):
        answer = problem(ask(as_user(ada), game, what, seq=0, steps=["R=", "D"], **more))
        assert (answer["status"], answer["code"], answer["step"]) == (422, "turn-complete", 1)
        assert set(answer["legal"]) <= {"&", "."}


def test_why_a_step_is_not_legal_is_said_in_words(game: Game, ada: User) -> None:
    answer = ask(as_user(ada), game, "why-not", seq=0, steps=[], step="C").json()
    assert (answer["is_legal"], answer["code"]) == (False, "nothing-to-complete")
    assert answer["words"] == "No card lies in front of you."
    legal = ask(as_user(ada), game, "why-not", seq=0, steps=[], step="R=").json()
    assert (legal["is_legal"], legal["code"], legal["words"]) == (True, None, None)
    assert ask(as_user(ada), game, "why-not", seq=0, steps=[], step="fly").json()["code"] == "unknown-step"


def test_only_who_is_to_move_asks_the_rules(game: Game, ada: User, bo: User) -> None:
    for what, more in (("legal", {}), ("why-not", {"step": "C"})):
        for user, seq, code in ((bo, 0, "not-your-turn"), (make_user(f"C{what}"), 0, "not-yours"), (ada, 1, "stale")):
            assert problem(ask(as_user(user), game, what, seq=seq, steps=[], **more))["code"] == code
        assert problem(ask(Client(), game, what, seq=0, steps=[], **more))["code"] == "not-authenticated"


def test_a_position_is_written_as_records_write_it(game: Game, ada: User, bo: User) -> None:
    play(game, "S<(L)" if "S<(L)" in RULES.legal_steps(state_of(game)) else "S>(L)")
    address = f"/api/v1/games/{game.key}/position/"
    own, others = as_user(ada).get(address).json(), as_user(bo).get(address).json()
    record_keys = position(state_of(game)).keys()
    assert own.keys() == others.keys() == record_keys | {"seq", "to_move", "deadline"}
    assert (own["face_down"][0], others["face_down"][0], own["seq"], own["to_move"]) == ("L", "?", 1, 2)
    before = Client().get(address, {"at": 0}).json()
    assert (before["seq"], before["to_move"], before["deadline"], before["turns"]) == (0, 1, None, 0)
    assert problem(Client().get(address, {"at": 2}))["code"] == "no-such-position"


def test_a_position_that_one_has_is_not_sent_again(game: Game, ada: User, bo: User) -> None:
    address = f"/api/v1/games/{game.key}/position/"
    answers = {who: as_user(who).get(address) if who else Client().get(address) for who in (ada, bo, None)}
    tags = {who: answer["ETag"] for who, answer in answers.items()}
    assert len(set(tags.values())) == 3
    assert (answers[ada]["Cache-Control"], answers[None]["Cache-Control"]) == ("private, no-store", "no-cache")
    for answer in answers.values():
        assert {"Authorization", "Cookie"} <= set(answer["Vary"].split(", "))
    same = as_user(ada).get(address, headers={"If-None-Match": tags[ada]})
    assert (same.status_code, same.content, same["ETag"]) == (304, b"", tags[ada])
    assert as_user(ada).get(address, headers={"If-None-Match": tags[bo]}).status_code == 200
    play_randomly(game, 1, Random(1))
    fresh = as_user(ada).get(address, headers={"If-None-Match": tags[ada]})
    assert (fresh.status_code, fresh.json()["seq"]) == (200, 1)


def test_an_open_game_is_answered_without_a_position(ada: User) -> None:
    game = commands.create_game(user=ada, ruleset="gravity-1", size=2, options={}, public=True, bots=[], now=NOW)
    answer = Client().get(f"/api/v1/games/{game.key}/").json()
    assert (answer["status"], answer["board"]) == ("open", None)
    for what in ("position", "log", "record"):
        assert problem(Client().get(f"/api/v1/games/{game.key}/{what}/"))["code"] == "not-running"


def test_the_log_is_answered_in_the_order_in_which_it_was_written(game: Game, ada: User) -> None:
    play_randomly(game, 2, Random(1))
    commands.resign(game_key=game.key, user=ada, seq=2, now=NOW)
    log = Client().get(f"/api/v1/games/{game.key}/log/").json()
    assert [line["seq"] for line in log["entries"]] == [1, 2, 3]
    assert all(line["events"] for line in log["entries"])
    assert {**log["entries"][2], "events": []} == {
        "seq": 3,
        "seat": 1,
        "event": "retire",
        "reason": "resigned",
        "at": "2026-11-27T12:00:00Z",
        "by": "player",
        "planned": False,
        "events": [],
    }
    assert log["next"] is None
    assert [line["seq"] for line in Client().get(f"/api/v1/games/{game.key}/log/?after=2").json()["entries"]] == [3]
    assert Client().get(f"/api/v1/games/{game.key}/log/?after=3").json()["entries"] == []


def test_a_turn_is_played_once_however_often_it_is_sent(game: Game, ada: User) -> None:
    body = {"seq": 0, "turn": random_turn(state_of(game), Random(1))}
    first, again = (submit(as_user(ada), game, body) for _time in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert (first.json()["seq"], first.json()["turn"]) == (1, body["turn"])
    assert game.entries.count() == 1


def test_what_is_sent_under_one_key_is_one_turn(game: Game, ada: User) -> None:
    turns = [random_turn(state_of(game), Random(seed)) for seed in (1, 2)]
    client, named = as_user(ada), {"Idempotency-Key": "first try"}

    def send(turn: str) -> Any:
        body = {"seq": 0, "turn": turn}
        return client.post(f"/api/v1/games/{game.key}/turns/", body, content_type="application/json", headers=named)

    assert [send(turns[0]).status_code for _time in range(2)] == [201, 201]
    answer = problem(send(turns[1]))
    assert (answer["status"], answer["code"]) == (422, "idempotency-mismatch")
    assert game.entries.count() == 1


def test_a_stale_turn_is_a_conflict_that_brings_the_position(game: Game, ada: User) -> None:
    play_randomly(game, 1, Random(1))
    response = submit(as_user(ada), game, {"seq": 0, "turn": "R= R="})
    answer = problem(response)
    assert (response.status_code, answer["code"]) == (409, "stale")
    assert answer["position"] == as_user(ada).get(f"/api/v1/games/{game.key}/position/").json()


def test_an_illegal_turn_says_which_step_and_why(game: Game, ada: User) -> None:
    response = submit(as_user(ada), game, {"seq": 0, "turn": "C"})
    answer = problem(response)
    assert (response.status_code, answer["code"], answer["step"]) == (422, "nothing-to-complete", 0)
    assert tuple(answer["legal"]) == RULES.legal_steps(state_of(game))
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
    assert (guest.status_code, problem(guest)["code"]) == (401, "not-authenticated")
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
        ({"seq": 0, "turn": "R+", "trun": "R-"}, "trun"),
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
    response = as_user(ada).post(f"/api/v1/games/{game.key}/turns/", {"seq": 0, "turn": "R+"})
    assert (response.status_code, problem(response)["code"]) == (415, "unsupported-media-type")


@pytest.mark.parametrize("path", ["", "record/", "position/", "log/", "board.svg"])
def test_a_game_that_is_not_there_is_a_problem_too(path: str, db: None) -> None:
    response = Client().get(f"/api/v1/games/{'2' * 12}/{path}")
    assert (response.status_code, problem(response)["code"]) == (404, "no-such-game")


def test_a_wrong_method_names_the_right_ones(game: Game) -> None:
    response = Client().delete(f"/api/v1/games/{game.key}/")
    assert (response.status_code, problem(response)["code"]) == (405, "method-not-allowed")
    assert "GET" in response["Allow"]


@pytest.mark.parametrize(
    ("method", "query", "headers", "status"),
    [
        ("get", "?format=xml", {}, 404),
        ("get", "?format=api", {"Accept": "text/html"}, 404),
        ("get", "", {"Accept": "application/xml"}, 406),
        ("get", "position/?at=x", {}, 400),
        ("get", "log/?after=-1", {}, 400),
        ("get", "nowhere/", {}, 404),
        ("options", "", {}, 405),
        ("put", "", {}, 405),
        ("post", "turns/", {"Content-Type": "application/xml"}, 415),
        ("post", "turns/", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ("post", "turns/?format=xml", {}, 404),
        ("post", "turns/", {"Accept": "text/html"}, 406),
        ("delete", "turns/", {}, 405),
        ("get", "record/?format=csv", {}, 404),
        ("post", "record/", {}, 405),
    ],
)
def test_a_request_that_the_api_cannot_take_is_refused_with_a_problem(
    game: Game, ada: User, method: str, query: str, headers: dict[str, str], status: int
) -> None:
    headers = {"Content-Type": "application/json", **headers}
    response = as_user(ada).generic(
        method.upper(), f"/api/v1/games/{game.key}/{query}", b"{}", headers["Content-Type"], headers=headers
    )
    assert problem(response)["status"] == status
    assert problem(response)["code"]


@pytest.mark.parametrize(
    "address",
    [
        "games/",
        "games/{key}/log/",
        "games/{key}/position/",
        "games/{key}/board.svg",
        "players/{number}/games/",
        "me/waiting/",
    ],
)
def test_a_parameter_that_an_address_does_not_know_is_named(game: Game, ada: User, address: str) -> None:
    address = address.format(key=game.key, number=ada.pk)
    answer = as_user(ada).get(f"/api/v1/{address}?statuss=open")
    assert answer.status_code == 400
    found = problem(answer)
    assert (found["code"], found["params"]) == ("unknown-parameter", {"name": "statuss"})
    assert "“statuss”" in found["detail"]
    assert as_user(ada).get(f"/api/v1/{address}?after=12&at=0").status_code == 400


def test_who_plays_too_fast_reads_when_to_come_back(game: Game, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayThrottle, "rate", "2/min")
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
        Client(REMOTE_ADDR=host).get(f"/api/v1/games/{game.key}/", headers=more).status_code
        for host, more in [*((host, {}) for host in hosts), (hosts[0], claims)]
    ]
    assert statuses == [200, 200, 429, 200, 200, 200, 429]


def test_a_cache_out_of_reach_holds_nobody_up(game: Game, ada: User, settings: Settings) -> None:
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": nowhere}}
    assert submit(as_user(ada), game, {"seq": 0, "turn": "R+"}).status_code == 201
    assert Client().get(f"/api/v1/games/{game.key}/").status_code == 200


@pytest.mark.parametrize(
    ("method", "old", "new"),
    [("get", "", ""), ("get", "/record?format=json", "record/?format=json"), ("post", "/turn", "turns/")],
)
def test_an_address_without_a_version_leads_to_the_new_one(
    game: Game, ada: User, method: str, old: str, new: str
) -> None:
    body = {"seq": 0, "turn": random_turn(state_of(game), Random(1))}
    response = getattr(as_user(ada), method)(f"/api/games/{game.key}{old}", body if method == "post" else None)
    assert (response.status_code, response["Location"]) == (308, f"/api/v1/games/{game.key}/{new}")


WHO_ASKS: Final = 2
"""Queries for the session and its person."""
QUERIES: Final = {
    "game": 2,
    "position": 3,
    "unchanged": 1,
    "log": 5,
    "record": 3,
    "legal": 2,
    "why-not": 2,
    "stale": 8,
    "player": 6,
    "waiting": 2,
}
"""How many queries an answer takes, beside those for who asks."""


def test_an_answer_costs_the_same_however_long_the_game_is(ada: User, bo: User) -> None:
    counted = []
    for turns in (4, 24):
        game = start_game([ada, bo])
        play_randomly(game, turns, Random(1))
        counted.append(queries_of(as_user(mover_of(game)), game))
    assert counted == [QUERIES, QUERIES]


def queries_of(client: Client, game: Game) -> dict[str, int]:
    address = f"/api/v1/games/{game.key}/"
    seq = Game.objects.get(pk=game.pk).seq
    tag = client.get(f"{address}position/")["ETag"]
    requests: dict[str, Callable[[], Any]] = {
        "game": lambda: client.get(address),
        "position": lambda: client.get(f"{address}position/"),
        "unchanged": lambda: client.get(f"{address}position/", headers={"If-None-Match": tag}),
        "log": lambda: client.get(f"{address}log/", {"after": seq - 3}),
        "record": lambda: client.get(f"{address}record/"),
        "legal": lambda: ask(client, game, "legal", seq=seq, steps=[]),
        "why-not": lambda: ask(client, game, "why-not", seq=seq, steps=[], step="fly"),
        "stale": lambda: submit(client, game, {"seq": seq - 2, "turn": "C"}),
        "player": lambda: client.get(f"/api/v1/players/{mover_of(game).pk}/"),
        "waiting": lambda: client.get("/api/v1/me/waiting/"),
    }
    counts = {}
    for name, send in requests.items():
        with CaptureQueriesContext(connection) as captured:
            assert send().status_code in {200, 304, 409}, name
        counts[name] = len(captured) - WHO_ASKS
    return counts
