"""Planning a turn on the pages of a game: composed, saved, read and withdrawn by its owner, and seen by nobody else."""

import re
from html import unescape
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games import commands
from games.models import Game, Plan
from tests.flows.people import SignIn
from tests.flows.play import NOW, make_user, play, start_game

pytestmark = pytest.mark.django_db
HTMX: Final = {"HX-Request": "true"}


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A game in which Ada has played her first turn, and Bo is to move."""
    game = start_game([ada, bo], seed=1)
    play(game, "D")
    return Game.objects.get(pk=game.pk)


def address(game: Game, verb: str = "", at: int | None = None) -> str:
    return f"/games/{game.key}/plan/{verb}{'' if at is None else f'?at={at}'}"


def text_of(response: Any) -> str:
    return unescape(response.content.decode())


def plan(game: Game, user: User, turn: str = "WD") -> Plan:
    seq = Game.objects.get(pk=game.pk).seq
    return commands.add_plan(game_key=game.key, user=user, seq=seq, turn=turn, now=NOW)


def page_of(game: Game, client: Client) -> str:
    return text_of(client.get(f"/games/{game.key}/"))


def test_a_turn_is_planned_without_script_from_the_page_of_its_game(game: Game, ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    assert f'href="{address(game)}"' in page_of(game, client)
    board = text_of(client.get(address(game)))
    assert "Plan your next turn" in board
    assert 'id="confirm"' not in board
    composed = text_of(client.post(address(game, "preview", 1), {"seq": 0, "steps": "", "step": "WD"}))
    assert re.search(r'id="confirm"[^>]*>\s*Plan this turn', composed.replace("\n", " "))
    asked = text_of(client.post(address(game, "turn", 1), {"seq": 0, "steps": "WD"}))
    assert "game-compose" not in asked
    boxes = re.findall(r'name="condition" value="([^"]+)" checked( disabled)?', asked)
    assert [text for text, fixed in boxes if fixed] == [text for text, _fixed in boxes if text.startswith("stands")]
    assert len(boxes) > 1
    chosen = [text for text, fixed in boxes if not fixed]
    saved = client.post(address(game, "add"), {"seq": 1, "turn": "WD", "condition": chosen}, follow=True)
    assert "Your plan is saved." in text_of(saved)
    assert Plan.objects.get().conditions == [text for text, _fixed in boxes]
    assert "Drop with the wild card" in text_of(saved)
    assert "Plan another turn" in text_of(saved)


def test_what_is_not_ticked_is_no_condition(game: Game, ada: User, as_user: SignIn) -> None:
    as_user(ada).post(address(game, "add"), {"seq": 1, "turn": "WD"})
    assert [text[:6] for text in Plan.objects.get().conditions] == ["stands"]


def test_a_composed_turn_can_be_changed_before_it_is_saved(game: Game, ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    asked = text_of(client.post(address(game, "turn", 1), {"seq": 0, "steps": "WD"}, headers=HTMX))
    assert 'id="change-turn"' in asked
    again = text_of(client.post(address(game, "preview", 1), {"seq": 0, "steps": "WD"}, headers=HTMX))
    assert 'name="steps" value="WD"' in again


@pytest.mark.parametrize(
    ("verb", "fields", "words"),
    [
        ("turn", {"seq": 0, "steps": ""}, "turn"),
        ("turn", {"seq": 0, "steps": "C C"}, "turn"),
        ("turn", {"seq": 0, "steps": "T"}, "not in your hand"),
        ("preview", {"seq": 7, "steps": ""}, "could not read"),
    ],
)
def test_what_can_not_be_planned_is_refused_with_the_reason(
    game: Game, ada: User, as_user: SignIn, verb: str, fields: dict[str, Any], words: str
) -> None:
    answer = as_user(ada).post(address(game, verb, 1), fields)
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert words in text_of(answer)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"seq": 0, "turn": "WD"}, HTTPStatus.CONFLICT),
        ({"seq": 1, "turn": "T"}, HTTPStatus.UNPROCESSABLE_ENTITY),
        ({"seq": 1, "turn": "WD", "condition": ["star(0,0)", "x"]}, HTTPStatus.UNPROCESSABLE_ENTITY),
        ({"seq": 1, "turn": "WD", "condition": ["x"] * 99}, HTTPStatus.UNPROCESSABLE_ENTITY),
        ({"seq": 1, "turn": ""}, HTTPStatus.UNPROCESSABLE_ENTITY),
    ],
)
def test_what_can_not_be_saved_is_refused(
    game: Game, ada: User, as_user: SignIn, fields: dict[str, Any], status: HTTPStatus
) -> None:
    assert as_user(ada).post(address(game, "add"), fields).status_code == status
    assert not Plan.objects.exists()


def test_a_board_on_which_the_game_has_moved_on_says_so(game: Game, ada: User, as_user: SignIn) -> None:
    answer = as_user(ada).post(address(game, "preview", 0), {"seq": 0, "steps": ""})
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "The game has moved on" in text_of(answer)


def test_who_is_to_move_is_sent_to_play(game: Game, bo: User, as_user: SignIn) -> None:
    client = as_user(bo)
    assert 'id="plan-turn"' not in page_of(game, client)
    assert "It is your turn now: play it." in text_of(client.get(address(game), follow=True))
    assert client.post(address(game, "turn", 1), {"seq": 0, "steps": "R+"}).status_code == HTTPStatus.CONFLICT


def test_plans_are_read_in_their_order_and_withdrawn(game: Game, ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    for turn in ("R+", "WD", "R="):
        plan(game, ada, turn)
    page = page_of(game, client)
    assert re.findall(r'name="plan" value="(\d)"', page) == ["1", "2", "3"]
    assert "Your pawn still stands on" in page
    assert 'id="plan-turn"' not in page
    assert 'id="withdraw-plans"' in page
    answer = text_of(client.post(address(game, "withdraw"), {"plan": 2}, headers=HTMX))
    assert "Your plan is withdrawn." in answer
    assert re.findall(r'name="plan" value="(\d)"', answer) == ["1", "3"]
    assert client.post(address(game, "withdraw"), {"plan": 2}).status_code == HTTPStatus.NOT_FOUND
    assert client.post(address(game, "withdraw"), {"plan": 9}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    client.post(address(game, "withdraw"))
    assert not Plan.objects.exists()


def test_a_fourth_plan_is_not_even_composed(game: Game, ada: User, as_user: SignIn) -> None:
    for turn in ("R+", "WD", "R="):
        plan(game, ada, turn)
    answer = as_user(ada).get(address(game), follow=True)
    assert answer.redirect_chain[0][0] == f"/games/{game.key}/"
    assert "three plans" in text_of(answer) or "3 plans" in text_of(answer)


def test_who_has_left_is_told_so_and_not_that_the_game_is_over(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([bo, ada, make_user("Cleo")], seed=1)
    commands.resign(game_key=game.key, user=ada, seq=0, now=NOW)
    answer = text_of(as_user(ada).get(address(game), follow=True))
    assert "You are not playing in this game." in answer
    assert "This game is not running." not in answer


def test_what_will_hardly_hold_is_said_before_it_is_saved(ada: User, bo: User, as_user: SignIn) -> None:
    game = start_game([bo, ada], seed=1)
    asked = text_of(as_user(ada).post(address(game, "turn", 0), {"seq": 0, "steps": "R+"}))
    assert "This will probably have changed by your turn." in asked


def test_who_waited_in_vain_reads_what_did_not_hold(game: Game, ada: User, as_user: SignIn) -> None:
    client = as_user(ada)
    for turn in ("R+", "R-"):
        plan(game, ada, turn)
    Plan.objects.filter(turn="R+").update(conditions=["star(0,0)"])
    Plan.objects.filter(turn="R-").update(conditions=[], turn="R- R-")
    play(game, "R=")
    assert "your plans are being looked at" in page_of(game, client)
    commands.play_plan(game_id=game.pk, now=NOW)
    page = page_of(game, client)
    assert "Not played, because this no longer held: The star on a1 is still there." in page
    assert "Not played, because the turn was no longer possible." in page


def test_a_turn_that_was_planned_is_marked_for_everyone(game: Game, ada: User, bo: User, as_user: SignIn) -> None:
    plan(game, ada, "R+")
    play(game, "R=")
    commands.play_plan(game_id=game.pk, now=NOW)
    for reader in (ada, bo, None):
        assert page_of(game, as_user(reader)).count("Played by a plan.") == 1
    assert "This turn was played by your plan." not in page_of(game, as_user(bo))
    play(game, "C")
    assert "This turn was played by your plan." in page_of(game, as_user(ada))
    log = Client().get(f"/api/v1/games/{game.key}/log/").json()
    assert [entry["planned"] for entry in log["entries"]] == [False, False, True, False]
    record = Client().get(f"/games/{game.key}/record").content.decode()
    assert "planned" not in record, "a record says what was played, not when it was thought of"


def test_plans_cost_the_page_of_their_owner_one_query_and_others_none(
    game: Game, ada: User, bo: User, as_user: SignIn
) -> None:
    def asked(reader: User) -> int:
        client = as_user(reader)
        page_of(game, client)
        with CaptureQueriesContext(connection) as queries:
            page_of(game, client)
        return len(queries)

    before = asked(ada), asked(bo)
    plan(game, ada, "R+")
    plan(game, ada, "R-")
    assert (asked(ada), asked(bo)) == (before[0] + 1, before[1])
