"""What lies face down in front of a player reaches nobody else: not in a page, a fragment, a poll or a record."""

import re
from random import Random
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import User
from games.models import Game
from tests.flows.play import (
    NOW,
    RULES,
    copy_game,
    make_user,
    mover_of,
    play,
    random_turn,
    simple_pair,
    start_game,
    state_of,
)

HTMX = {"HX-Request": "true"}
CHANCE = ("X-Request-ID", "Expires")
"""Headers that differ from request to request."""
PATIENT = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


def strip(html: str, game: Game) -> str:
    """Return a page without what is particular to the request or the game's address."""
    html = re.sub(r"(<time[^>]*>)[^<]*</time>", r"\1", html.replace(game.key, "KEY"))
    html = re.sub(r'<a id="next-game".*?</a>', "", html)
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", html)


def seen_by(client: Client, game: Game) -> dict[str, str]:
    """Return all that a reader can get about a running game."""
    where, seq = f"/games/{game.key}/", Game.objects.get(pk=game.pk).seq
    answers = {
        "page": client.get(where),
        "past": client.get(where, {"at": seq}),
        "before": client.get(where, {"at": seq - 1}),
        "fragment": client.get(where, headers=HTMX),
        "poll": client.get(f"{where}board", headers=HTMX),
        "record": client.get(f"{where}record"),
        "preview": client.post(f"{where}preview", {"seq": seq, "steps": "", "step": "R="}),
        "illegal": client.post(f"{where}preview", {"seq": seq, "steps": "", "step": "S<(P)"}, headers=HTMX),
        "terms": client.get(f"{where}terms/"),
        "api": client.get(f"/api{where.rstrip('/')}"),
        "api record": client.get(f"/api{where}record"),
        "api turn": client.post(f"/api{where}turn", {"seq": seq - 1, "turn": "S<(L)"}, content_type="application/json"),
        "api illegal": client.post(f"/api{where}turn", {"seq": seq, "turn": "&"}, content_type="application/json"),
        "stale": client.post(f"{where}preview", {"seq": seq - 1, "steps": "", "step": "R="}, headers=HTMX),
    }
    seen = {name: f"{answer.status_code} {strip(answer.content.decode(), game)}" for name, answer in answers.items()}
    headers = [[item for item in answer.items() if item[0] not in CHANCE] for answer in answers.values()]
    return {**seen, "headers": str(headers).replace(game.key, "KEY")}


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


class TestSecrets(TestCase):
    """Two games that differ in one hidden card alone look the same to everyone but its owner."""

    @PATIENT
    @given(seed=st.integers(0, 10**6), size=st.integers(2, 3), turns=st.integers(0, 12), goodies=st.booleans())
    def test_pages_of_games_that_differ_in_a_hidden_card_differ_for_its_owner_only(
        self, *, seed: int, size: int, turns: int, goodies: bool
    ) -> None:
        cache.clear()  # people of other examples, who had the same ids, have used up what one may write in a minute
        users = [make_user(name) for name in ("Ada", "Bo", "Cy")[:size]]
        stranger = make_user("Zed")
        game = start_game(users, seed=seed, options={"goodies": "PJT"} if goodies else {})
        twin = copy_game(game)
        rng = Random(seed)
        for _turn in range(turns):
            turn = random_turn(state_of(game), rng)
            play(game, turn)
            play(twin, turn)
            if RULES.summary(state_of(game)).finished:
                return
        pair = simple_pair(state_of(game))
        if pair is None:
            return
        owner = mover_of(game)
        play(game, pair[0])
        play(twin, pair[1])
        if RULES.summary(state_of(game)).finished:
            return
        for reader in (None, stranger, *users[:2], owner):
            client = client_of(reader)
            with patch.object(timezone, "now", return_value=NOW):
                one, other = seen_by(client, game), seen_by(client, twin)
            if reader == owner:
                assert one["page"] != other["page"]
                assert one["record"] != other["record"]
            else:
                assert one == other


@pytest.mark.django_db
def test_a_rival_sees_the_back_of_a_hidden_card_and_its_owner_the_card() -> None:
    users = [make_user("Ada"), make_user("Bo")]
    game = next(game for seed in range(20) if simple_pair(state_of(game := start_game(users, seed=seed))))
    turn = (simple_pair(state_of(game)) or ("", ""))[0]
    play(game, turn)
    rival = client_of(users[1]).get(f"/games/{game.key}/").content.decode()
    own = client_of(users[0]).get(f"/games/{game.key}/").content.decode()
    assert "mini-card back" in rival
    guest = client_of(None).get(f"/games/{game.key}/").content.decode()
    assert turn.replace("<", "&lt;").replace(">", "&gt;") not in guest
    assert f"<code>{turn[0]}{'&lt;' if turn[1] == '<' else '&gt;'}(?)</code>" in rival
    assert f"<code>{turn.replace('<', '&lt;').replace('>', '&gt;')}</code>" in own
