"""The API around games: finding, beginning, joining, leaving them; players; records played through."""

import json
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries
from games.clock import PRESETS, TimeControl
from games.models import Friend, Game, Invitation
from games.models.choices import Status
from games.queries import listing
from tests.flows.people import signed_in
from tests.flows.play import NOW, make_user, play_randomly, start_game
from tests.games.programs import token_of

pytestmark = pytest.mark.django_db
GAMES = "/api/v1/games/"


def post(client: Client, address: str, body: Any = None, **headers: str) -> Any:
    return client.post(address, {} if body is None else body, content_type="application/json", headers=headers)


def keys(client: Client, address: str) -> list[str]:
    """Return the keys of all games of a list, page by page."""
    return list(_keys(client, address))


def _keys(client: Client, address: str | None) -> Iterator[str]:
    while address:
        page = client.get(address).json()
        yield from (game["key"] for game in page["games"])
        address = page["next"]


def offer(user: User, **terms: Any) -> Game:
    asked = {"ruleset": "gravity-1", "size": 3, "options": {}, "public": True, "bots": [], "now": NOW, **terms}
    return commands.create_game(user=user, **asked)


# Finding games


def test_only_public_games_and_ones_own_are_listed(ada: User, bo: User) -> None:
    cy = make_user("Cy")
    public, hidden = offer(ada), offer(ada, public=False)
    running, apart = start_game([ada, bo]), start_game([ada, bo], public=False)
    closed = start_game([ada, bo], players_only=True)
    for reader in (signed_in(None), signed_in(cy)):
        assert keys(reader, f"{GAMES}?status=open") == [public.key]
        assert keys(reader, GAMES) == [running.key]
        assert keys(reader, f"{GAMES}?status=finished") == keys(reader, f"{GAMES}?status=cancelled") == []
    mine = signed_in(ada)
    assert set(keys(mine, f"{GAMES}?mine=true&status=open")) == {public.key, hidden.key}
    assert set(keys(mine, f"{GAMES}?mine=true")) == {running.key, apart.key, closed.key}
    assert set(keys(mine, f"{GAMES}?waiting=true")) == set(keys(mine, "/api/v1/me/waiting/"))
    assert set(keys(mine, f"{GAMES}?waiting=true")) == {running.key, apart.key, closed.key}
    assert keys(signed_in(bo), f"{GAMES}?waiting=true") == keys(signed_in(cy), f"{GAMES}?mine=true") == []
    for query in ("mine=true", "waiting=true"):
        assert signed_in(None).get(f"{GAMES}?{query}").json()["code"] == "not-authenticated"


def test_games_of_people_kept_apart_are_not_offered(ada: User, bo: User) -> None:
    waiting = offer(ada)
    commands.block(user=ada, number=bo.pk, now=NOW)
    assert keys(signed_in(bo), f"{GAMES}?status=open") == []
    assert keys(signed_in(None), f"{GAMES}?status=open") == [waiting.key]


@pytest.mark.parametrize("query", ["status=open", "status=open&mine=true", "mine=true", "", "waiting=true"])
def test_each_list_is_paged_without_a_gap(ada: User, bo: User, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "LIST_SIZE", 2)
    monkeypatch.setattr("games.queries.watch.LIST_SIZE", 2)
    times: list[TimeControl] = [PRESETS["daily"], PRESETS["weekly"]]
    for number in range(5):
        now = NOW + timedelta(minutes=number // 2)  # some at the same instant
        if "open" in query:
            offer(ada, now=now)
        else:
            start_game([ada, bo], now=now, time_control=times[number % 2])
    Game.objects.filter(pk__in=Game.objects.values("pk")[:2]).update(deadline=None)
    found = keys(signed_in(ada), f"{GAMES}?{query}")
    assert sorted(found) == sorted(Game.objects.values_list("key", flat=True))
    assert signed_in(ada).get(f"{GAMES}?{query}&after=x").status_code == 400


def test_games_that_wait_come_by_their_deadline(ada: User, bo: User) -> None:
    late, soon = (start_game([ada, bo], time_control=PRESETS[name]) for name in ("weekly", "evening"))
    never = start_game([ada, bo])
    Game.objects.filter(pk=never.pk).update(deadline=None)
    assert keys(signed_in(ada), "/api/v1/me/waiting/") == [soon.key, late.key, never.key]


def test_a_list_costs_the_same_however_long_it_is(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        start_game([ada, bo], now=NOW + timedelta(minutes=number))
        offer(ada, now=NOW + timedelta(minutes=number))
    guest, mine = signed_in(None), signed_in(ada)
    mine.get(GAMES)
    expected = {"": 2, "?status=open": 2, "?status=finished": 1}
    for query, number in expected.items():
        with django_assert_num_queries(number):
            guest.get(GAMES + query)
    for query, number in {"?mine=true": 4, "?waiting=true": 4, "?status=open&mine=true": 4}.items():
        with django_assert_num_queries(number):  # two of them: who asks
            mine.get(GAMES + query)


# Beginning and joining


def test_a_game_is_created_with_all_that_the_form_asks(ada: User, bo: User) -> None:
    body = {
        "size": 3,
        "options": {"expert": True, "goodies": "PT"},
        "public": True,
        "invited": [bo.pk],
        "name": "  Friday  night ",
        "series": 3,
        "rated": True,
        "time_control": {"allowance": 90_000, "reserve_start": 3600, "weekends": True, "on_timeout": "strict"},
        "gates": {"rating_from": None, "rating_to": 1800, "punctual_from": 90},
    }
    response = post(signed_in(ada), GAMES, body)
    answer, game = response.json(), Game.objects.get()
    assert (response.status_code, response["Location"]) == (201, f"{GAMES}{game.key}/")
    assert (answer["name"], answer["series_length"], answer["rated"]) == ("Friday night", 3, True)
    assert answer["options"] == {"expert": True, "goodies": "PT"}
    assert answer["gates"] == body["gates"]
    assert answer["time"]["contract"] == {
        "allowance": 90_000,
        "reserve_start": 3600,
        "reserve_increment": 0,
        "reserve_cap": 3600,
        "weekends": True,
        "holidays": True,
        "on_timeout": "strict",
    }
    assert Invitation.objects.get().user == bo
    assert not Friend.objects.exists()


def test_a_game_with_computer_players_starts_at_once(ada: User) -> None:
    answer = post(signed_in(ada), GAMES, {"size": 2, "bots": ["nova:1"], "time_control": {"preset": "daily"}}).json()
    assert (answer["status"], [seat["bot"] for seat in answer["seats"]].count("nova:1")) == ("active", 1)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"size": 2, "colour": "red"}, 400, "invalid"),
        ({"size": 2, "name": "x" * 41}, 400, "invalid"),
        ({"size": 2, "name": "\u202eadA"}, 400, "invalid"),
        ({"size": 2, "game": "chess"}, 400, "invalid"),
        ({"size": 2, "time_control": {}}, 400, "invalid"),
        ({"size": 2, "time_control": {"allowance": 59}}, 422, "bad-allowance"),
        ({"size": 2, "gates": {"rating_from": 9000}}, 400, "invalid"),
        ({"size": 2, "gates": {"rating_from": 1800, "rating_to": 1700}}, 422, "bad-gates"),
        ({"size": 9}, 422, "bad-size"),
        ({"size": 2, "bots": ["nova:1", "nova:1"]}, 422, "too-many-bots"),
        ({"size": 2, "bots": ["hal"]}, 422, "unknown-bot"),
        ({"size": 2, "options": {"wind": 3}}, 422, "bad-options"),
        ({"size": 2, "invited": [1000, 1001]}, 422, "too-many-invited"),
        ({"size": 2, "series": 9}, 400, "invalid"),
    ],
)
def test_a_game_that_can_not_be_is_refused(ada: User, body: Any, status: int, code: str) -> None:
    response = post(signed_in(ada), GAMES, body)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert not Game.objects.exists()


def test_one_key_makes_one_game(ada: User, bo: User) -> None:
    made = [post(signed_in(ada), GAMES, {"size": 2}, **{"Idempotency-Key": "a"}).json()["key"] for _time in range(2)]
    assert made[0] == made[1]
    post(signed_in(bo), GAMES, {"size": 2}, **{"Idempotency-Key": "a"})
    post(signed_in(ada), GAMES, {"size": 2}, **{"Idempotency-Key": "b"})
    assert Game.objects.count() == 3
    long = [post(signed_in(ada), GAMES, {"size": 2}, **{"Idempotency-Key": 300 * "a" + end}).json() for end in "bc"]
    assert long[0]["key"] != long[1]["key"]


def test_a_key_that_has_made_a_game_makes_no_other_one(ada: User, bo: User) -> None:
    mine, named = signed_in(ada), {"Idempotency-Key": "a"}
    body = {"size": 3, "bots": ["nova:1"], "time_control": {"preset": "daily"}, "invited": [bo.pk]}
    made = post(mine, GAMES, body, **named).json()["key"]
    same = {"public": False, **dict(reversed(body.items()))}
    assert post(mine, GAMES, same, **named).json()["key"] == made
    others: list[dict[str, Any]] = [
        {"size": 4},
        {"invited": []},
        {"time_control": {"preset": "relaxed"}},
        {"name": "Another"},
    ]
    for other in others:
        answer = post(mine, GAMES, body | other, **named)
        assert (answer.status_code, answer.json()["code"]) == (422, "idempotency-mismatch"), other
    assert Game.objects.count() == 1


def test_a_whole_life_of_a_game_goes_through_the_api(ada: User, bo: User) -> None:
    mine, theirs = signed_in(ada), signed_in(bo)
    key = post(mine, GAMES, {"size": 2, "public": True}).json()["key"]

    def do(client: Client, what: str, body: Any = None) -> tuple[int, Any]:
        response = post(client, f"{GAMES}{key}/{what}/", body)
        return response.status_code, response.json()

    assert do(theirs, "join")[1]["status"] == "active"
    assert do(theirs, "join")[0] == 200
    assert do(theirs, "leave")[1]["code"] == "not-open"
    assert do(mine, "cancel")[1]["code"] == "not-open"
    assert do(mine, "rematch")[1]["code"] == "not-over"
    assert do(theirs, "resign", {"seq": 5})[1]["code"] == "stale"
    assert do(theirs, "resign", {"seq": 0})[1]["status"] == "finished"
    assert do(theirs, "resign", {"seq": 0})[0] == 200
    status, again = do(mine, "rematch")
    assert (status, again["status"], again["key"] != key) == (200, "open", True)
    assert do(theirs, "rematch")[1]["key"] == again["key"]
    assert Game.objects.get(key=again["key"]).status == Status.ACTIVE


def test_a_seat_is_given_up_and_a_game_withdrawn(ada: User, bo: User) -> None:
    game = offer(ada)
    address = f"{GAMES}{game.key}"
    post(signed_in(bo), f"{address}/join/")
    assert [post(signed_in(bo), f"{address}/leave/").status_code for _time in range(2)] == [200, 409]
    assert [post(signed_in(ada), f"{address}/cancel/").json()["status"] for _time in range(2)] == ["cancelled"] * 2
    unknown = post(signed_in(bo), f"{address}/join/", {"seat": 1}).json()
    assert unknown["fields"] == {"seat": ["There is no such field."]}


def test_a_game_for_its_players_is_not_there_for_others_whatever_they_ask(ada: User, bo: User) -> None:
    game = start_game([ada, bo], players_only=True)
    for client in (signed_in(make_user("Cy")), signed_in(None)):
        for what in ("", "position/", "log/", "record/", "board.svg"):
            assert client.get(f"{GAMES}{game.key}/{what}").json()["code"] == "no-such-game"
    for what, body in (
        *((verb, {}) for verb in ("join", "leave", "cancel", "rematch")),
        ("resign", {"seq": 0}),
        ("legal", {"seq": 0, "steps": []}),
        ("why-not", {"seq": 0, "steps": [], "step": "C"}),
        ("turns", {"seq": 0, "turn": "R="}),
    ):
        answers = [
            post(signed_in(User.objects.get(display_name="Cy")), f"{GAMES}{key}/{what}/", body)
            for key in (game.key, "2" * 12)
        ]
        assert [answer.json()["code"] for answer in answers] == ["no-such-game"] * 2, what
        assert answers[0].content == answers[1].content


# Players


def test_a_player_who_hides_results_has_none_for_others(ada: User, bo: User) -> None:
    game = start_game([ada, bo], rated=True)
    commands.resign(game_key=game.key, user=bo, seq=0, now=NOW)
    User.objects.filter(pk=ada.pk).update(ratings_shown=False)
    address = reverse("api_player", args=[ada.pk])
    for reader, shown in ((signed_in(bo), False), (signed_in(None), False), (signed_in(ada), True)):
        assert reader.get(address).json()["results_shown"] is shown
    assert signed_in(bo).get(f"{address}games/").json() == {"games": [], "next": None}
    assert signed_in(bo).get(reverse("api_player", args=[10**17])).json()["code"] == "not-found"


def test_whose_requests_these_are(ada: User, bo: User) -> None:
    start_game([ada, bo])
    offer(bo)
    assert signed_in(ada).get("/api/v1/me/").json() == {
        "number": ada.pk,
        "name": "Ada",
        "guest": False,
        "bot": False,
        "owner": None,
        "language": "en",
        "time_zone": "UTC",
        "games": {"to_move": 1, "waiting": 0, "open": 0, "invited": 0},
    }


# Records


def finished_record(ada: User, bo: User) -> dict[str, Any]:
    game = start_game([ada, bo])
    play_randomly(game, 1000, Random(3))
    record: dict[str, Any] = json.loads(json.dumps(queries.record_for(game.key, None)))
    return record


def test_a_record_is_played_through(ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    record = finished_record(ada, bo)
    client = signed_in(ada)
    with django_assert_num_queries(2):  # who asks
        answer = post(client, "/api/v1/sandbox/", {"record": record}).json()
    assert len(answer["positions"]) == len(answer["events"]) == len(record["log"]) + 1
    assert (answer["positions"][-1]["finished"], answer["legal"]) == (True, [])
    begun = {**record, "log": record["log"][:3]}
    first = post(client, "/api/v1/sandbox/", {"record": begun}).json()
    assert first["positions"] == answer["positions"][:4]
    step = next(step for step in first["legal"] if step.startswith("R"))
    tried = post(client, "/api/v1/sandbox/", {"record": begun, "steps": [step]}).json()
    assert "." in tried["legal"]
    wrong = post(client, "/api/v1/sandbox/", {"record": begun, "steps": ["fly"]})
    assert (wrong.status_code, wrong.json()["code"], wrong.json()["legal"]) == (422, "unknown-step", first["legal"])


def test_a_record_that_can_not_be_played_says_where(ada: User, bo: User) -> None:
    record = finished_record(ada, bo)
    client = signed_in(ada)
    broken = {**record, "log": [*record["log"][:2], {"seat": 2, "turn": "R="}]}
    for wrong, words in (
        ({"format": "chess/1"}, "format"),
        ({**record, "redacted": True}, "redacted"),
        (broken, "entry 3"),
    ):
        answer = post(client, "/api/v1/sandbox/", {"record": wrong}).json()
        assert answer["code"] == "bad-record"
        assert words in answer["detail"]


def test_a_record_gets_only_so_much(ada: User, bo: User, monkeypatch: pytest.MonkeyPatch) -> None:
    record, client = finished_record(ada, bo), signed_in(ada)
    for limit, value in (("MOST_ENTRIES", 3), ("MOST_SECONDS", -1.0)):
        with monkeypatch.context() as patched:
            patched.setattr(f"games.queries.sandbox.{limit}", value)
            assert post(client, "/api/v1/sandbox/", {"record": record}).json()["code"] == "record-too-long"
    for size in (150_000, 6_000_000):
        huge = {"record": {**record, "remark": "x" * size}}
        assert post(client, "/api/v1/sandbox/", huge).json()["code"] == "parse-error"


def test_an_address_that_there_is_not_is_said_to_be_none_whatever_is_asked(ada: User) -> None:
    headers = {"Authorization": f"Bearer {token_of(ada)}"}
    for method in ("get", "post", "put", "patch", "delete"):
        answer = getattr(Client(), method)("/api/v1/games/r2d2r2d2r2d2/plans/x/", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
