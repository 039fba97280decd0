"""Programs plan turns as people do: what may be planned, what it relies on, what became of it."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games import commands
from games.models import Game, Plan
from tests.flows.play import NOW, play, start_game
from tests.games.test_api import as_user, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A game in which Ada has played her first turn, and Bo is to move."""
    game = start_game([ada, bo])
    play(game, "D")
    return Game.objects.get(pk=game.pk)


def post(client: Client, game: Game, what: str, **body: Any) -> Any:
    return client.post(f"/api/v1/games/{game.key}/{what}/", body, content_type="application/json")


def listed(client: Client, game: Game) -> list[dict[str, Any]]:
    answer = client.get(f"/api/v1/games/{game.key}/plans/").json()
    assert answer.keys() == {"seq", "plans"}
    plans: list[dict[str, Any]] = answer["plans"]
    return plans


def test_a_program_composes_a_plan_and_chooses_its_conditions(game: Game, ada: User) -> None:
    client = as_user(ada)
    asked = post(client, game, "plans/plannable", seq=1, steps=[]).json()
    assert "WD" in asked["legal"]
    asked = post(client, game, "plans/plannable", seq=1, steps=["WD"]).json()
    assert "." in asked["legal"]
    assert asked["preview"]["events"]
    assert asked["conditions"][0]["necessary"]
    assert all(each["words"] for each in asked["conditions"])
    chosen = [each["text"] for each in asked["conditions"] if not each["necessary"]][:1]
    answer = post(client, game, "plans", seq=1, turn="WD", conditions=chosen)
    assert answer.status_code == 201
    made = answer.json()
    necessary = [each["text"] for each in asked["conditions"] if each["necessary"]]
    assert {*made["conditions"]} == {*necessary, *chosen}
    assert (made["place"], made["turn"], made["seq"], made["state"], made["unmet"]) == (1, "WD", 1, "waiting", None)
    assert listed(client, game) == [made]


def test_plans_are_taken_back_one_by_one_or_all(game: Game, ada: User) -> None:
    client = as_user(ada)
    for turn in ("R+", "R-", "R="):
        assert post(client, game, "plans", seq=1, turn=turn).status_code == 201
    assert problem(post(client, game, "plans", seq=1, turn="WD"))["code"] == "too-many-plans"
    left = client.delete(f"/api/v1/games/{game.key}/plans/2/").json()["plans"]
    assert [plan["place"] for plan in left] == [1, 3]
    assert problem(client.delete(f"/api/v1/games/{game.key}/plans/2/"))["code"] == "no-such-plan"
    assert client.delete(f"/api/v1/games/{game.key}/plans/").json()["plans"] == []
    assert not Plan.objects.exists()


def test_nobody_else_reads_a_plan_or_sees_that_there_is_one(game: Game, ada: User, bo: User) -> None:
    tag = as_user(bo).get(f"/api/v1/games/{game.key}/position/")["ETag"]
    post(as_user(ada), game, "plans", seq=1, turn="R+")
    assert as_user(bo).get(f"/api/v1/games/{game.key}/position/")["ETag"] == tag
    assert listed(as_user(bo), game) == []
    assert Client().get(f"/api/v1/games/{game.key}/plans/").status_code == 401


def test_what_can_not_be_planned_has_a_code(game: Game, ada: User, bo: User) -> None:
    client = as_user(ada)
    assert problem(post(as_user(bo), game, "plans", seq=1, turn="R+"))["code"] == "your-turn"
    assert problem(post(as_user(bo), game, "plans/plannable", seq=1, steps=[]))["code"] == "your-turn"
    assert problem(post(client, game, "plans/plannable", seq=0, steps=[]))["code"] == "stale"
    refused = problem(post(client, game, "plans/plannable", seq=1, steps=["T"]))
    assert (refused["code"], refused["step"]) == ("card-not-in-hand", 0)
    assert problem(post(client, game, "plans", seq=0, turn="R+"))["code"] == "stale"
    assert problem(post(client, game, "plans", seq=1, turn="R+ R+"))["step"] == 1
    assert problem(post(client, game, "plans", seq=1, turn="R+", conditions=["x"]))["code"] == "unknown-condition"


def test_a_program_reads_why_a_plan_was_not_played(game: Game, ada: User) -> None:
    client = as_user(ada)
    post(client, game, "plans", seq=1, turn="R+")
    Plan.objects.update(conditions=["star(0,0)"])
    play(game, "R=")
    assert [plan["state"] for plan in listed(client, game)] == ["due"]
    commands.play_plan(game_id=game.pk, now=NOW)
    assert [(plan["state"], plan["unmet"]) for plan in listed(client, game)] == [("unmet", "star(0,0)")]
