"""Learning by playing: the list of lessons, a lesson that is played, and what is kept of it for whom."""

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.models import User
from accounts.progress import COOKIE
from games.models import Game
from games.presenters.gravity.lessons import LESSONS
from tests.flows.people import SignIn

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
DONE = {"seq": 0, "steps": "R-"}


def text_of(response: Any) -> str:
    return str(response.content.decode())


def done(client: Client) -> set[str]:
    """Return the names of the lessons that the list shows as completed."""
    cards = text_of(client.get("/learn/")).split('<li class="card lesson-card')[1:]
    return {
        found[1]
        for card in cards
        if " is-done" in card.partition('"')[0] and (found := re.search(r'"/learn/([\w-]+)/"', card))
    }


def test_all_lessons_stand_in_the_list_in_order(client: Client) -> None:
    html = text_of(client.get("/learn/"))
    links = re.findall(r'<a href="/learn/([\w-]+)/">', html)
    assert links == [lesson.name for lesson in LESSONS]
    assert "Completed: 0 of 13" in html
    for page in ("/", "/rules/", "/lobby/"):
        assert 'href="/learn/"' in text_of(client.get(page))


def test_a_goal_that_is_met_is_said_and_leads_on(client: Client) -> None:
    html = text_of(client.post("/learn/down/turn", DONE, headers=HTMX))
    assert "Well done!" in html
    assert 'href="/learn/simple-move/"' in html
    assert 'id="compose"' not in html
    assert done(client) == {"down"}


def test_a_legal_turn_that_misses_it_is_told_and_offers_again(client: Client) -> None:
    html = text_of(client.post("/learn/down/turn", {"seq": 0, "steps": "R="}))
    assert "A legal turn, but the goal is still open." in html
    assert "Juno rotates a half turn." in html
    assert 'id="try-again" href="/learn/down/"' in html
    assert COOKIE not in client.cookies
    assert done(client) == set()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_lesson_is_shown_previewed_and_completed(lesson: Any, client: Client) -> None:
    html = text_of(client.get(f"/learn/{lesson.name}/"))
    assert str(lesson.goal) in html
    assert f'value="{lesson.answer.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")}"' in html
    preview = client.post(f"/learn/{lesson.name}/preview", {"seq": 0, "turn": lesson.answer}, headers=HTMX)
    assert 'id="confirm"' in text_of(preview)
    assert f'formaction="/learn/{lesson.name}/turn"' in text_of(preview)
    client.post(f"/learn/{lesson.name}/turn", {"seq": 0, "steps": lesson.answer})
    assert done(client) == {lesson.name}
    picture = client.get(f"/learn/{lesson.name}/board.svg", {"scheme": "dark"})
    assert picture["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize("steps", ["", "no turn", "R- R-", "H< x2b", "x" * 300])
def test_what_is_no_turn_is_refused_in_words(steps: str, client: Client) -> None:
    answer = client.post("/learn/down/turn", {"seq": 0, "steps": steps})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'class="notice error"' in text_of(answer)
    assert 'id="compose"' in text_of(answer)


def test_one_turn_is_played_in_a_lesson_and_no_second_one(client: Client) -> None:
    answer = client.post("/learn/down/turn", {"seq": 1, "played": ["R="], "steps": "C"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert COOKIE not in client.cookies


def test_an_unknown_lesson_is_not_found(client: Client) -> None:
    assert client.get("/learn/nothing/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/learn/down/board.svg", {"scheme": "pink"}).status_code == HTTPStatus.NOT_FOUND


# What is kept


def test_an_account_keeps_what_was_completed_before_signing_in(client: Client, ada: User) -> None:
    client.post("/learn/down/turn", DONE)
    client.force_login(ada)
    assert done(client) == {"down"}
    assert client.cookies[COOKIE].value == ""
    client.post("/learn/wild/turn", {"seq": 0, "steps": "WL>"})
    assert User.objects.get(pk=ada.pk).lessons == "down wild"
    client.logout()
    assert done(client) == set()


def test_a_guest_account_keeps_its_lessons_when_it_is_kept(client: Client) -> None:
    client.post("/learn/down/turn", DONE)
    client.post("/play-now")
    client.get("/")
    assert User.objects.get(is_guest=True).lessons == "down"
    guest = guests.make_guest(language="en", now=timezone.now())
    client.force_login(guest)
    client.post("/learn/edges/turn", {"seq": 0, "steps": "S>(L)"})
    guest.refresh_from_db()
    assert guest.lessons == "edges"


def test_a_cookie_that_is_not_ours_counts_for_nothing(client: Client, ada: User) -> None:
    client.cookies[COOKIE] = "down wild:forged"
    assert done(client) == set()
    client.force_login(ada)
    client.get("/learn/")
    assert User.objects.get(pk=ada.pk).lessons == ""


def test_lessons_need_few_queries_and_no_game(
    client: Client, ada: User, as_user: SignIn, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    signed_in = as_user(ada)
    signed_in.post("/learn/down/turn", DONE)
    for address in ("/learn/", "/learn/down/"):
        with django_assert_max_num_queries(0):
            client.get(address)
        with django_assert_max_num_queries(3):
            signed_in.get(address)
    with django_assert_max_num_queries(0):
        client.post("/learn/down/preview", {"seq": 0, "step": "R="})
    with django_assert_max_num_queries(3):
        signed_in.post("/learn/down/turn", DONE)
    assert not Game.objects.exists()
