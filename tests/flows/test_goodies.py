"""Goodies are open: a person sees what others do with theirs, and what becomes of an own one."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.flows.people import signed_in
from tests.flows.play import RULES, play, start_game, state_of

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """A game in which Bo, who is to move, holds the goodie Turn a tile."""
    game = start_game([ada, bo], options={"goodies": "P"})
    play(game, "R=")
    return Game.objects.get(pk=game.pk)


def pass_on(game: Game) -> str:
    """Let Bo lay the goodie as a simple move."""
    turn = next(step for step in ("S<(P)", "S>(P)") if step in RULES.legal_steps(state_of(game)))
    play(game, turn)
    return turn


def test_everyone_reads_that_a_goodie_was_passed_on_and_nothing_of_a_card_face_down(game, ada, client):
    turn = pass_on(game)
    for reader in (signed_in(ada), client):
        page = reader.get(f"/games/{game.key}/").content.decode()
        assert f"<code>{turn.replace('<', '&lt;').replace('>', '&gt;')}</code>" in page
        assert "with the goodie Turn a tile." in page
        assert "The goodie Turn a tile goes to Ada." in page
        assert " laying" not in page.split('class="log')[-1]
        assert "(?)" not in page
        assert reader.get(f"/api/v1/games/{game.key}/record/").json()["log"][1]["turn"] == turn


def test_a_goodie_is_offered_among_goodies_and_as_one_that_is_passed_on(game, ada, bo):
    page = signed_in(bo).get(f"/games/{game.key}/").content.decode()
    hand = page.split('<fieldset class="hand"')[1].split("</fieldset>")[0]
    assert 'id="pick-P"' in hand
    assert "next player on your left" in page
    assert "Turn the tile by a half turn" in page
    assert "passing on Turn a tile" in page
    assert "laying Turn a tile" not in page


def test_nothing_is_said_of_goodies_where_the_hand_has_none(game, ada, client: Client):
    pass_on(game)
    play(game, "C")
    page = signed_in(ada).get(f"/games/{game.key}/").content.decode()
    assert "next player on your left" not in page
