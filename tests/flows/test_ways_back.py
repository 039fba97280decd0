"""Every page has an address: what a sent form leads to, too, has ways back that can be followed."""

import html
import re
from http import HTTPStatus

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.flows.addresses import HIDDEN, NAMES, ROLES, ROWS
from tests.flows.world import World

pytestmark = pytest.mark.django_db
NEXT = re.compile(r'name="next" value="([^"]*)"')


@pytest.fixture
def world() -> World:
    return World()


def ways_back(page: str) -> set[str]:
    return {html.unescape(address) for address in NEXT.findall(page)}


@pytest.mark.slow
def test_each_form_on_a_page_that_a_form_led_to_leads_to_a_page(world: World) -> None:
    lost, followed = [], set()
    for row in (row for row in ROWS if row.method == "POST"):
        for role in ROLES:
            answer = world.ask(role, row)
            if answer.status_code in HIDDEN or "html" not in answer.headers.get("Content-Type", ""):
                continue  # the page may be hidden from them as well
            for address in ways_back(answer.content.decode()):
                followed.add(row.name)
                cache.clear()  # no limit on asking
                status = world.browsers[role].get(address, follow=True).status_code
                if status != HTTPStatus.OK:
                    lost.append((str(row), role, address, status))
    assert lost == []
    assert {"puzzle_turn", "puzzle_answer", "game_preview", "lesson_turn", "try_preview", "add_friend"} <= followed


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("game_preview", "/games/{key}/"),
        ("try_turn", "/games/{key}/try/"),
        ("puzzle_turn", "/puzzles/{number}/"),
        ("lesson_preview", "/learn/{name}/"),
    ],
)
def test_a_sent_turn_belongs_to_the_page_of_its_board(world: World, name: str, page: str) -> None:
    row = next(row for row in ROWS if row.name == name and row.about != "open")
    assert page.format(**world.about[row.about]) in ways_back(world.ask("player", row).content.decode())


def test_the_way_back_keeps_what_the_address_asks(world: World) -> None:
    key = world.about["running"]["key"]
    answer = world.post("player", f"/games/{key}/try/preview?at=0", {"seq": 0, "steps": "R+"})
    assert f"/games/{key}/try/?at=0" in ways_back(answer.content.decode())


def test_what_takes_a_form_alone_says_so_in_a_page_with_a_way_back(world: World) -> None:
    User.objects.update(language="nl")
    world.open_browsers()
    key, number = world.about["running"]["key"], world.about["puzzle"]["number"]
    for address, page in (
        (f"/games/{key}/turn", f"/games/{key}/"),
        (f"/puzzles/{number}/preview?theme=theft", f"/puzzles/{number}/?theme=theft"),
        ("/friends/1/remove", "/friends/"),
        ("/language/", "/"),
    ):
        answer = world.browsers["player"].get(address)
        text = answer.content.decode()
        assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED
        assert answer["Allow"] == "POST"
        assert '<html lang="nl"' in text
        assert f'class="button primary" href="{page}"' in text
        assert ways_back(text) == {page}
        assert Client().get(address).status_code in {HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.FOUND}


def test_no_address_refuses_a_method_without_a_page_but_to_a_script(world: World) -> None:
    empty = []
    for name in NAMES:
        rows = [row for row in ROWS if row.name == name]
        for method in {"GET", "POST"} - {row.method for row in rows}:
            answer = world.ask("player", rows[0], method)
            if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED and b"button primary" not in answer.content:
                empty.append((name, method))
    assert [name for name, _method in empty if not name.startswith("api_")] == []
    key = world.about["running"]["key"]
    assert world.browsers["player"].get(f"/games/{key}/turn", headers={"HX-Request": "true"}).content == b""
