"""The description of the API is true: what the site answers is what it says, and its page shows all of it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
import schemathesis
from django.conf import settings
from django.test import Client
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.models import Scope
from engine.errors import RulesCode
from engine.gravity.codes import GravityCode
from games import queries
from games.api import base, moved_urls, urls
from games.api.openapi import description
from games.api.problems import API_REFUSALS, ApiCode, problem_kinds
from games.api.views.elsewhere import NothingView
from games.clock import ClockCode
from games.errors import GameCode
from tests.flows.addresses import addresses
from tests.flows.play import RULES, make_user, play_randomly, start_game
from tests.flows.world import World
from tests.games.programs import limitless, token_of

EXAMPLES: Final = 12
"""So many requests of each operation, for each of the people who ask."""
TOKEN: Final = "a" * 32
CHECKS: Final = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]


def operations() -> Iterator[tuple[str, str, Any]]:
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_the_description_is_of_openapi_3_1_and_the_same_for_everyone() -> None:
    answer = Client().get("/api/v1/openapi.json")
    assert answer.json() == description()
    assert answer.json()["openapi"].startswith("3.1")
    assert answer["Cache-Control"] == "no-cache"


def test_every_address_of_the_api_is_described() -> None:
    described = {path.replace("{", "<str:").replace("}", ">").strip("/") for path, _method, _operation in operations()}
    named = {
        f"api/v1/{pattern}".strip("/").replace("<number:", "<str:")
        for space, name, pattern in addresses()
        if not space and name.startswith("api_") and not name.startswith("api_moved")
    }
    assert named - described == {"api/v1/openapi.json", "api/v1/<path:rest>"}
    assert described <= named


def test_every_operation_says_what_it_is_what_it_takes_and_how_often() -> None:
    for path, method, operation in operations():
        assert operation["summary"], path
        assert operation["description"], path
        assert operation["x-scope"] in {base.READ, base.PLAY, base.CREATE}, path
        assert operation["x-limit"].endswith("/min"), path
        if method == "post" and "requestBody" in operation:
            assert operation["requestBody"]["content"]["application/json"]["examples"], path


def test_every_handler_names_the_scope_that_a_token_needs() -> None:
    for pattern in (*urls.urlpatterns, *moved_urls.urlpatterns):
        view = getattr(pattern.callback, "view_class")  # noqa: B009 - the framework's, without a type
        handlers = {method.upper() for method in view.http_method_names if hasattr(view, method)}
        named = set(view.scopes)
        assert handlers - {"OPTIONS"} <= named or view is NothingView, view
        assert set(view.scopes.values()) <= set(Scope), view


def test_the_list_of_problems_has_every_code_once_with_words() -> None:
    listed = list(problem_kinds())
    codes = [kind.code for kind in listed]
    assert sorted(codes) == sorted([*ApiCode, *GameCode, *RulesCode, *ClockCode, *GravityCode])
    assert API_REFUSALS.keys() == set(ApiCode)
    assert all(kind.words.endswith((".", "!", "?")) and "%(" not in kind.words for kind in listed)
    assert all(400 <= kind.status < 600 for kind in listed)


def test_it_says_which_computer_players_there_are() -> None:
    shapes = description()["components"]["schemas"]
    words = shapes["NewGame"]["properties"]["bots"]["description"]
    assert re.findall(r"`(.+?)`", words) == [*RULES.bots]


@pytest.mark.django_db
def test_the_page_shows_every_operation_shape_and_code() -> None:
    page = Client().get("/api/").content.decode()
    for path, _method, operation in operations():
        assert f'id="{operation["operationId"]}"' in page
        assert path in page
    for name in [*description()["components"]["schemas"], *(kind.code for kind in problem_kinds())]:
        assert f'id="{name}"' in page
    assert "https://" not in page.partition("<main")[2].partition("</main>")[0].replace(settings.SITE_URL, "")


# Against the running site


def ask_all(asked: Any, send: Callable[[Any], None]) -> None:
    """Send requests of an operation, the same at each run."""

    @hypothesis_settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=asked.as_strategy())
    def ask(case: Any) -> None:
        send(case)

    ask()


class Asker:
    """Somebody who asks the running site about what there is on it, and has each answer checked."""

    def __init__(self, world: World, role: str, site: str, *, by_token: bool) -> None:
        cookies = {name: morsel.value for name, morsel in world.browsers[role].cookies.items()}
        self.cookies = {**cookies, "csrftoken": TOKEN}
        self.headers = {"X-CSRFToken": TOKEN, "Origin": site}
        if by_token:
            self.cookies, self.headers = {}, {"Authorization": f"Bearer {token_of(world.player)}"}
        self.site = site
        self.seen: Counter[tuple[str, int]] = Counter()
        about = world.about
        self.known: dict[str, list[Any]] = {
            "key": [about["running"]["key"], about["running"]["key"], about["open"]["key"], "2" * 12],
            "number": [world.player.pk, 10**17],
            "place": [1, 2],
        }

    def send(self, case: Any) -> None:
        number = self.seen.total()
        for name, values in self.known.items():
            if name in (case.path_parameters or {}):
                case.path_parameters[name] = values[number % len(values)]
        if self.known and isinstance(case.body, dict) and "seq" in case.body and number % 2:
            case.body["seq"] = 0
        response = case.call(base_url=self.site, headers=self.headers, cookies=self.cookies, timeout=30)
        self.seen[case.operation.label, response.status_code] += 1
        case.validate_response(response, checks=CHECKS)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_whatever_is_asked_the_site_answers_as_described(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    limitless(monkeypatch)
    world, schema = World(), schemathesis.openapi.from_dict(description())
    settings.SITE_URL = live_server.url
    seen: Counter[tuple[str, int]] = Counter()
    for role in ("guest", "player", "rival"):
        asker = Asker(world, role, live_server.url, by_token=role == "player")
        for found in schema.get_all_operations():
            ask_all(found.ok(), asker.send)
        seen += asker.seen
    assert {label for label, _status in seen} == {f"{method.upper()} {path}" for path, method, _all in operations()}
    assert {status for _label, status in seen} >= {200, 201, 400, 401, 403, 404, 409, 422}
    assert seen.total() > 400


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_rightly_is_answered_as_described(live_server: LiveServer, settings: Settings) -> None:
    settings.SITE_URL = live_server.url
    world, schema = World(), schemathesis.openapi.from_dict(description())
    asker = Asker(world, "player", live_server.url, by_token=False)
    over = start_game([world.player, make_user("Dee")])
    play_randomly(over, 1000, Random(3))
    record = queries.record_for(over.key, None)

    def send(what: str, body: dict[str, Any], key: str | None = None) -> int:
        path = {"key": key or world.about["running"]["key"]} if "{key}" in what else {}
        case = schema[f"/api/v1/{what}/"]["POST"].Case(path_parameters=path, body=body, media_type="application/json")
        asker.known = {}
        before = asker.seen.copy()
        asker.send(case)
        ((_label, status),) = asker.seen - before
        return status

    game = "games/{key}"
    assert send(f"{game}/legal", {"seq": 0, "steps": ["R="]}) == 200
    assert send(f"{game}/why-not", {"seq": 0, "steps": [], "step": "C"}) == 200
    assert send(f"{game}/plans/plannable", {"seq": 0, "steps": []}) == 409
    assert send(f"{game}/turns", {"seq": 0, "turn": "C"}) == 422
    assert send(f"{game}/turns", {"seq": 0, "turn": "R="}) == 201
    assert send(f"{game}/turns", {"seq": 0, "turn": "R+"}) == 409
    assert send(f"{game}/plans/plannable", {"seq": 1, "steps": ["L<"]}) in {200, 422}
    assert send(f"{game}/plans", {"seq": 1, "turn": "C", "conditions": []}) == 201
    assert send(f"{game}/plans", {"seq": 1, "turn": "C", "conditions": ["x"]}) == 422
    assert send(f"{game}/rematch", {}, over.key) == 200
    assert send("sandbox", {"record": record}) == 200
    assert send("sandbox", {"record": {**record, "log": record["log"][:4]}, "steps": ["R="]}) in {200, 422}
    terms = {"size": 2, "bots": ["nova:1"], "time_control": {"preset": "daily"}, "gates": {"rating_from": None}}
    assert send("games", terms) == 201
