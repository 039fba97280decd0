"""The whole site as docker-compose.yml runs it: gunicorn, a worker and beat, on PostgreSQL and Redis."""

import json
from random import Random

import pytest

from tests.stack.people import Database, make_people, play_to_the_end
from tests.stack.stack import SECRETS, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]


def test_people_and_computer_players_play_games_to_the_end_on_the_production_stack(
    running_stack: Stack,
) -> None:
    stack, database = running_stack, Database(running_stack.database_url)
    ada, bo = make_people(stack, "Ada", "Bo")
    ada.post("/accounts/logout/")
    ada.sign_in()
    rng = Random(7)

    with_bots = ada.create_game(3, "nova:2", "nova:1")
    play_to_the_end(database, with_bots, [ada], rng=rng)
    between_people = ada.create_game(2)
    bo.join(between_people)
    play_to_the_end(database, between_people, [ada, bo], rng=rng)

    for key in (with_bots, between_people):
        record = json.loads(bo.get(f"/games/{key}/record").body)
        assert len(record["log"]) == database.seq(key) > 0
        assert "chain" in record
    assert any(entry["by"] == "bot" for entry in database.entries(with_bots))
    stack.verify()

    stack.wait(lambda: ada.get("/readyz").status == 200, what="a heartbeat of every sweep")
    figures = ada.get("/metrics", Authorization=f"Bearer {SECRETS['METRICS_TOKEN']}").body
    played = database.rows("SELECT count(*) AS turns FROM games_entry WHERE by = 'player'")[0]["turns"]
    assert f'gravity_turns_total{{by="player"}} {played:.1f}' in figures
    assert ada.get("/metrics").status == 401
