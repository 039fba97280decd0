"""Two games that differ only in a hidden card look alike to everyone but its owner, wherever one looks."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from engine.errors import RulesError
from games import commands, queries
from games.errors import GameError
from games.models import Game
from tests.flows.people import signed_in
from tests.flows.play import NOW, RULES, copy_game, make_user, play, start_game, state_of

pytestmark = pytest.mark.django_db

type Twins = tuple[Game, Game]


@pytest.fixture
def cy() -> User:
    return make_user("Cy")


@pytest.fixture
def twins(ada: User, bo: User) -> Twins:
    """Two running games alike in all but the card that Ada laid face down; Bo is to move in both."""
    one = start_game([ada, bo])
    two = copy_game(one)
    way = next(way for way in "<>" if f"S{way}(L)" in RULES.legal_steps(state_of(one)))
    play(one, f"S{way}(L)")
    play(two, f"S{way}(H)")
    assert RULES.dump(state_of(one)) != RULES.dump(state_of(two))
    return Game.objects.get(pk=one.pk), Game.objects.get(pk=two.pk)


def looks(ask: Callable[[Game], Any], twins: Twins) -> list[str]:
    """Return what was answered about each of the games, as text, with the game's own name taken out."""
    return [repr(ask(game)).replace(game.key, "") for game in twins]


def assert_alike(ask: Callable[[Game, User | None], Any], twins: Twins, *readers: User | None) -> None:
    """Assert that each reader gets the same answer about both games."""
    for reader in readers:
        one, two = looks(partial(ask_for, ask, reader), twins)
        assert one == two


def ask_for(ask: Callable[[Game, User | None], Any], reader: User | None, game: Game) -> Any:
    return ask(game, reader)


def shown(page: queries.GamePage) -> tuple[Any, ...]:
    """Return all of a page that may reach its reader."""
    return page.view, page.summary, page.events, page.log, page.seq, page.to_move and page.to_move.number


@pytest.mark.parametrize("at", [None, 0, 1])
def test_pages_are_alike_to_opponents_strangers_and_guests(twins: Twins, bo: User, cy: User, at: int | None) -> None:
    assert_alike(lambda game, reader: shown(queries.game_page(game.key, reader, at=at)), twins, bo, cy, None)


def test_the_owner_sees_which_card_it_was(twins: Twins, ada: User) -> None:
    one, two = looks(lambda game: shown(queries.game_page(game.key, ada)), twins)
    assert one != two


def test_records_are_alike_to_others(twins: Twins, bo: User, cy: User) -> None:
    assert_alike(lambda game, reader: queries.record_for(game.key, reader), twins, bo, cy, None)
    assert "(?)" in json.dumps(queries.record_for(twins[0].key, None))


@pytest.mark.parametrize("path", ["/", "/position/", "/log/", "/record/"])
def test_the_api_is_alike_to_others(
    twins: Twins, bo: User, cy: User, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)  # an answer holds the second in which it was made

    def get(game: Game, reader: User | None) -> bytes:
        response = signed_in(reader).get(f"/api/v1/games/{game.key}{path}")
        assert response.status_code == 200
        return response.content

    assert_alike(get, twins, bo, cy, None)


@pytest.mark.parametrize("turn", ["S<(L)", "S<(H)", "S>(L)", "S>(H)", "L<", "H>", "C", "R+ R+"])
def test_refusals_say_nothing_of_an_opponents_cards(twins: Twins, cy: User, turn: str) -> None:
    def submit(game: Game, reader: User | None) -> bytes:
        body = {"seq": 1, "turn": turn}
        response = signed_in(reader).post(f"/api/v1/games/{game.key}/turns/", body, content_type="application/json")
        assert response.status_code == (403 if reader else 401)
        return response.content

    assert_alike(submit, twins, cy, None)


def refusal(game: Game, user: User | None, seq: int, turn: str) -> str:
    """Return all that the refusal of a turn says."""
    assert user is not None
    with pytest.raises((RulesError, GameError)) as caught:
        commands.play_turn(game_key=game.key, user=user, seq=seq, turn=turn, now=NOW)
    return f"{caught.value!r} {caught.value} {vars(caught.value)}"


def test_a_refused_turn_of_ones_own_says_nothing_of_an_opponents_cards(twins: Twins, bo: User) -> None:
    assert_alike(lambda game, reader: refusal(game, reader, 1, "C"), twins, bo)


@pytest.mark.parametrize("seq", [0, 5])
@pytest.mark.parametrize("turn", ["S<(L)", "S>(L)", "S<(H)", "S>(H)"])
def test_guessing_what_was_played_by_repeating_it_fails_alike(
    twins: Twins, bo: User, cy: User, seq: int, turn: str
) -> None:
    assert_alike(lambda game, reader: refusal(game, reader, seq, turn), twins, bo, cy)


def test_the_admin_is_alike_while_the_games_run(twins: Twins) -> None:
    staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
    client = signed_in(staff)
    for path in ("games/game/{0.pk}/change/", "games/entry/{1.pk}/change/"):
        texts = []
        for game in twins:
            entry = game.entries.get()
            response = client.get("/admin/" + path.format(game, entry))
            assert response.status_code == 200
            text = response.content.decode()
            assert game.key in text
            assert entry.digest not in text
            texts.append(re.sub(r'value="[^"]*"|\d+', "", text.replace(game.key, "")))
        assert texts[0] == texts[1]
    assert not LogEntry.objects.exists()


def test_the_digest_of_a_running_game_is_nowhere_in_the_api(twins: Twins, ada: User) -> None:
    game = twins[0]
    for reader in (ada, None):
        for path in ("/", "/position/", "/log/", "/record/"):
            assert game.head not in signed_in(reader).get(f"/api/v1/games/{game.key}{path}").content.decode()


def test_everything_is_open_once_the_game_has_ended(twins: Twins, ada: User) -> None:
    game = twins[0]
    commands.resign(game_key=game.key, user=ada, seq=1, now=NOW)
    page = queries.game_page(game.key, None)
    assert "(L)" in page.log[-1].turn
    assert page.log[-1].events == queries.game_page(game.key, ada).log[-1].events
    assert page.view == queries.game_page(game.key, ada).view
    assert "(L)" in str(queries.record_for(game.key, None)["log"])


def test_verification_names_no_card(twins: Twins, capsys: pytest.CaptureFixture[str]) -> None:
    game = twins[0]
    Game.objects.filter(pk=game.pk).update(state="{}", events=[])
    with pytest.raises(SystemExit):
        call_command("verify_games", game.key)
    said = capsys.readouterr().out
    assert "position 1" in said
    assert "(L)" not in said
