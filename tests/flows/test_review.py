"""The page of a review: who may ask, what is told while it is made, and what it shows turn by turn."""

import re
from collections.abc import Callable
from http import HTTPStatus
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import commands, queries, tasks
from games.commands import review_game
from games.models import Game, Review, ReviewTurn
from games.web.review import marks_in_log
from tests.flows.play import NOW, make_user, play_randomly, start_game
from tests.games.test_reviews import finished

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_game, "PLAYOUTS", 3)


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    return finished(ada, bo, turns=6)


@pytest.fixture
def reviewed(game: Game, ada: User) -> Game:
    """Return a game whose second and third turn have a better one, the third by far."""
    commands.ask_for_review(game_key=game.key, user=ada, now=NOW)
    tasks.make_reviews()
    ReviewTurn.objects.update(verdict="best", lost=0, points=0, best="", best_line=[], reason="same", params={})
    better = {"verdict": "blunder", "lost": 0.31, "points": 2, "reason": "outlook"}
    for seq in (2, 3):
        turn = ReviewTurn.objects.get(seq=seq).turn
        ReviewTurn.objects.filter(seq=seq).update(
            **better, best=turn, best_line=[ReviewTurn.objects.get(seq=seq + 1).turn]
        )
    ReviewTurn.objects.filter(turn="").update(verdict="", reason="")
    return game


def read(client: Client, game: Game, query: str = "") -> str:
    response = client.get(f"/games/{game.key}/review/{query}")
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def test_a_finished_game_leads_to_its_review_and_one_press_asks_for_it(
    game: Game, ada: User, as_user: Callable[[User], Client]
) -> None:
    browser = as_user(ada)
    assert f'href="/games/{game.key}/review/"' in browser.get(f"/games/{game.key}/").content.decode()
    assert f'href="/games/{game.key}/review/?at=2"' in browser.get(f"/games/{game.key}/?at=2").content.decode()
    assert "ask-for-review" in read(browser, game)
    response = browser.post(f"/games/{game.key}/review")
    assert response.headers["Location"] == f"/games/{game.key}/review/"
    waiting = read(browser, game)
    assert f'<progress max="{game.seq}" value="0"' in waiting
    assert "ask-for-review" not in waiting
    review = commands.claim_review(now=NOW) or commands.claim_review(now=Review.objects.get().due_at)
    assert review is not None
    commands.review_entry(review, rng=Random(1), now=NOW)
    fragment = browser.get(f"/games/{game.key}/review/", headers={"HX-Request": "true"}).content.decode()
    assert 'value="1"' in fragment
    assert "<html" not in fragment
    tasks.make_reviews()
    assert 'id="chances"' in read(browser, game)


def test_who_is_not_signed_in_reads_reviews_and_is_asked_to_sign_in_for_a_new_one(game: Game, client: Client) -> None:
    assert "Sign in to ask for it." in read(client, game)
    response = client.post(f"/games/{game.key}/review")
    assert response.headers["Location"].startswith("/accounts/login/")
    assert not Review.objects.exists()


def test_a_running_game_is_not_reviewed(ada: User, bo: User, as_user: Callable[[User], Client]) -> None:
    running = start_game([ada, bo])
    assert "ask-for-review" not in read(as_user(ada), running)
    response = as_user(ada).post(f"/games/{running.key}/review")
    assert response.status_code == HTTPStatus.CONFLICT
    assert "A game can be reviewed when it has been played to its end." in response.content.decode()


def test_a_game_for_its_players_shows_its_review_to_them_alone(
    ada: User, bo: User, as_user: Callable[[User], Client]
) -> None:
    game = finished(ada, bo, players_only=True)
    commands.ask_for_review(game_key=game.key, user=ada, now=NOW)
    tasks.make_reviews()
    assert 'id="chances"' in read(as_user(bo), game)
    for browser in (Client(), as_user(make_user("Cy"))):
        for address in ("review/", "review/1/moves?first=1&last=1"):
            assert browser.get(f"/games/{game.key}/{address}").status_code == HTTPStatus.NOT_FOUND
        assert browser.post(f"/games/{game.key}/review").status_code == HTTPStatus.NOT_FOUND


def test_a_refusal_is_said_on_the_page(game: Game, ada: User, bo: User, as_user: Callable[[User], Client]) -> None:
    for number in range(review_game.MOST_REVIEWS):
        other = finished(ada, bo, turns=0, seed=number)
        commands.ask_for_review(game_key=other.key, user=ada, now=timezone.now())
    response = as_user(ada).post(f"/games/{game.key}/review")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "which is the maximum" in response.content.decode()


def test_the_page_shows_chart_marks_totals_and_the_turn_that_is_looked_at(reviewed: Game, client: Client) -> None:
    html = read(client, reviewed)
    assert html.count("<polyline") == 2
    assert html.count("chart-spot seat-") == 2
    assert html.count("verdict verdict-blunder") == 3, "twice in the list, once in the head of the totals"
    assert "judged-heading" not in html
    html = read(client, reviewed, "?at=3")
    assert "Move 3: Ada" in html
    assert "Chances to win lost: 31%" in html
    assert "Lead lost: 2 points" in html
    assert f'action="/games/{reviewed.key}/try/turn?at=2"' in html
    assert f'data-moves="/games/{reviewed.key}/review/3/moves"' in html
    assert read(client, reviewed, f"?at={reviewed.seq}").count("The player left the game.") == 1


def test_a_turn_is_shown_beside_the_better_one_and_differs_by_what_it_lost(reviewed: Game, client: Client) -> None:
    ReviewTurn.objects.filter(seq=3).update(chances=[0.2949, 0.7051], before=[0.6051, 0.3949], lost=0.3102)

    def shown(seq: int) -> str:
        html = read(client, reviewed, f"?at={seq}")
        table = html[html.index('class="review-chances"') :]
        return " ".join(re.findall(r"<td>(\d+)%</td>", table[: table.index("</table>")]))

    assert shown(3) == "60 29 39 71"
    ReviewTurn.objects.filter(seq=3).update(before=None)
    assert shown(3) == "29 71", "an earlier release kept no more"
    ReviewTurn.objects.filter(seq=3).update(chances=[0.0004, 0.9996])
    assert shown(3) == "1 99", "nothing is certain before the end"
    ReviewTurn.objects.filter(seq=3).update(chances=[0.0, 1.0])
    assert shown(3) == "0 100"


def test_keys_and_links_go_from_turn_to_turn_and_from_mistake_to_mistake(reviewed: Game, client: Client) -> None:
    def leads(query: str, name: str) -> str:
        found = re.search(rf'id="{name}"[^>]*?(href="([^"]*)"|aria-disabled="true")', read(client, reviewed, query))
        assert found is not None
        return found[2] or ""

    assert leads("", "next-mistake") == "?at=2"
    assert leads("?at=2", "next-mistake") == "?at=3"
    assert leads("?at=3", "next-mistake") == ""
    assert leads("?at=5", "previous-mistake") == "?at=3"
    assert leads("?at=1", "go-back") == ""
    assert leads("?at=1", "go-on") == "?at=2"
    assert leads(f"?at={reviewed.seq}", "go-on") == ""
    assert leads("?at=3", "go-last") == f"?at={reviewed.seq}"


def test_a_player_learns_from_their_own_mistakes_and_asks_for_the_better_turn(
    reviewed: Game, ada: User, as_user: Callable[[User], Client]
) -> None:
    html = read(as_user(ada), reviewed, "?own=1")
    assert 'id="next-mistake" href="?at=3&amp;own=1"' in html
    html = read(as_user(ada), reviewed, "?at=3&own=1")
    hidden = html.index('<details class="review-hidden">')
    assert hidden < html.index('id="show-better"') < html.index("</details>", hidden)
    assert "Play on after the better turn" not in html
    assert "review-hidden" not in read(Client(), reviewed, "?at=3&own=1"), "a guest has made none"


def test_the_better_turn_and_its_answer_are_handed_out_to_be_played(reviewed: Game, client: Client) -> None:
    address = f"/games/{reviewed.key}/review/3/moves"
    moves = client.get(f"{address}?first=1&last=2").json()["moves"]
    assert [move["seat"] for move in moves] == [1, 2]
    assert all(move["captions"] and move["acts"] and "<svg" in move["board"] for move in moves)
    for query in ("?first=1&last=3", "?first=0&last=1", "?first=2&last=1", "", "?first=x&last=1"):
        assert client.get(f"{address}{query}").status_code == HTTPStatus.NOT_FOUND
    other = f"/games/{reviewed.key}/review/1/moves?first=1&last=1"
    assert client.get(other).status_code == HTTPStatus.NOT_FOUND, "nothing better was found there"


def test_one_goes_on_playing_after_the_better_turn(reviewed: Game, client: Client) -> None:
    better = ReviewTurn.objects.get(seq=3).best
    response = client.post(f"/games/{reviewed.key}/try/turn?at=2", {"seq": 0, "steps": better})
    assert response.status_code == HTTPStatus.OK
    assert set(re.findall(r'name="played" value="([^"]*)"', response.content.decode())) == {escape(better)}


def test_a_review_of_another_version_is_shown_without_what_it_does_not_know(reviewed: Game, client: Client) -> None:
    ReviewTurn.objects.filter(seq=3).update(verdict="splendid", reason="magic")
    assert "Move 3: Ada" in read(client, reviewed, "?at=3")


@pytest.mark.parametrize("query", ["?at=0", "?at=99", "?at=x"])
def test_there_is_no_turn_before_the_first_or_after_the_last(reviewed: Game, client: Client, query: str) -> None:
    assert client.get(f"/games/{reviewed.key}/review/{query}").status_code == HTTPStatus.NOT_FOUND


def test_a_review_takes_few_queries_and_bytes(
    reviewed: Game, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(6):
        html = read(client, reviewed, "?at=3")
    assert len(html) < 40_000
    with django_assert_max_num_queries(5):
        client.get(f"/games/{reviewed.key}/review/3/moves?first=1&last=1")


def test_the_log_of_a_reviewed_game_has_its_marks_which_lead_to_the_review(reviewed: Game, client: Client) -> None:
    address = f"/games/{reviewed.key}/"
    log = client.get(address).content.decode()
    marks = re.findall(r'<a class="verdict verdict-(\w+)" href="([^"]+)" aria-label="(\w+)"', log)
    expected = [(turn.seq, turn.verdict) for turn in ReviewTurn.objects.exclude(verdict="").order_by("-seq")]
    assert marks == [(verdict, f"{address}review/?at={seq}", verdict.title()) for seq, verdict in expected]
    assert {verdict for verdict, *_ in marks} == {"best", "blunder"}
    Review.objects.update(made_at=None)
    assert "verdict-" not in client.get(address).content.decode(), "it may still be judged otherwise"


def test_marks_in_the_log_cost_one_query_however_many_there_are(
    reviewed: Game, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    page = queries.game_page(reviewed.key, None, lines=0)
    with django_assert_num_queries(1):
        assert len(marks_in_log(page, range(reviewed.seq, 0, -1))) == reviewed.seq - 1
    address = f"/games/{reviewed.key}/"
    client.get(address)
    with CaptureQueriesContext(connection) as many:
        client.get(address)
    ReviewTurn.objects.filter(seq__gt=1).delete()
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    assert len(many) == len(few)


def test_the_log_of_a_running_game_asks_for_no_marks(
    ada: User, bo: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    running = start_game([ada, bo])
    play_randomly(running, 3, Random(1))
    page = queries.game_page(running.key, None, lines=0)
    with django_assert_num_queries(0):
        assert marks_in_log(page, range(3, 0, -1)) == {}
