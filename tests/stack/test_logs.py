"""What the site's processes log while people play, sign in and run into errors, and what they never log."""

import json
from collections.abc import Iterable
from contextlib import suppress
from random import Random

import pytest

from tests.stack.people import PASSWORD, Database, make_people
from tests.stack.stack import SECRETS, Stack

pytestmark = [pytest.mark.pg, pytest.mark.redis, pytest.mark.slow]

BREAK_LOG = """
CREATE FUNCTION break_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'no room for %', NEW.turn USING DETAIL = NEW.turn; END $$;
CREATE TRIGGER break_log BEFORE INSERT ON games_entry FOR EACH ROW WHEN (NEW.by = '{by}')
    EXECUTE FUNCTION break_log();
"""
MEND_LOG = "DROP FUNCTION break_log CASCADE"
TOKEN = "token-4f9a1c77"


def log_lines(stack: Stack, name: str) -> list[dict[str, object]]:
    """Return what a process logged, as far as it is JSON."""
    lines = stack.log(name).read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def betrayed(log: str, secrets: Iterable[str]) -> list[str]:
    """Return the secrets that a log holds."""
    return [secret for secret in secrets if secret in log]


def test_no_log_line_holds_a_turn_a_form_field_a_token_or_a_secret(running_stack: Stack) -> None:
    stack, database = running_stack, Database(running_stack.database_url)
    (person,) = make_people(stack, "Dana")
    rng = Random(3)
    key = person.create_game(2, "nova:1")
    statuses = []

    def my_move() -> bool:
        return database.game(key)["mover"] == person.name

    for _turn in range(3):
        stack.wait(my_move, what="the computer player's turn")
        seq = database.seq(key)
        for step in ("S<(L)", "S>(D)", "WL<"):
            person.post(f"/games/{key}/preview", seq=seq, steps="", step=step)
        statuses += [
            person.play(key, seq, "S<(L) & & S>(D)").status,
            person.play(key, seq + 7, "S<(W)").status,
        ]
        played = person.play(key, seq, database.choose_turn(key, rng, cunning=0))
        assert played.status == 200
    assert statuses == [422, 409] * 3

    stack.wait(my_move, what="the computer player's turn")
    database.run(BREAK_LOG.format(by="player"))
    failing = database.choose_turn(key, rng, cunning=0)
    assert person.play(key, database.seq(key), failing).status == 500
    database.run(MEND_LOG)
    database.run(BREAK_LOG.format(by="bot"))
    assert person.play(key, database.seq(key), failing).status == 200
    stack.wait(lambda: "RaiseException" in stack.log("worker").read_text(), what="a computer player's failure")
    database.run(MEND_LOG)
    stack.wait(my_move, what="the computer player's turn, tried again")

    person.get(f"/accounts/password/reset/key/1-{TOKEN}/")
    person.get(f"/nowhere/{TOKEN}?{TOKEN}=1")
    person.post("/accounts/login/", login="dana@people.example", password=f"wrong {PASSWORD}")
    person.get("/healthz", Host=f"{TOKEN}.example")
    person.post(f"/games/{key}/turn", {"Referer": f"https://evil.example/{TOKEN}", "Origin": "null"}, steps="S<(L)")

    log = stack.all_logs()
    turns = {entry["turn"] for entry in database.entries(key)}
    hidden = {step for turn in turns for step in turn.split() if "(" in step}
    forbidden = ["S<(", "S>(", *hidden, PASSWORD, "dana@people.example", TOKEN, *SECRETS.values()]
    forbidden += [cookie.value for cookie in person.cookies.values() if cookie.value]
    assert hidden
    assert betrayed(log, forbidden) == []
    (failure,) = (line for line in log_lines(stack, "web") if line["event"] == "Internal Server Error")
    assert "RaiseException (P0001)" in str(failure["causes"])
    assert failure["game"] == key
    assert any("_append.py" in str(frame) for frame in list(failure["frames"]))  # type: ignore[call-overload]


def test_a_task_logs_the_request_that_asked_for_it(running_stack: Stack) -> None:
    stack, database = running_stack, Database(running_stack.database_url)
    (person,) = make_people(stack, "Cleo")
    key = person.create_game(2, "nova:1")

    def lines(process: str, request: str) -> list[dict[str, object]]:
        return [line for line in log_lines(stack, process) if line.get("request_id") == request]

    # A sweep may play a computer player's turn before the task that was asked for it; hardly three times.
    for request in ("first-of-cleo", "second-of-cleo", "third-of-cleo"):
        stack.wait(lambda: database.game(key)["mover"] == person.name, what="the computer player's turn")
        seq = database.seq(key)
        headers = {"HX-Request": "true", "X-Request-ID": request}
        turn = database.choose_turn(key, Random(1))
        answer = person.post(f"/games/{key}/turn", headers, seq=seq, steps=turn)
        assert answer.headers["X-Request-ID"] == request
        stack.wait(lambda seq=seq: database.seq(key) >= seq + 2, what="the computer player's turn")
        (own,) = (line for line in lines("web", request) if line["event"] == "request")
        assert (own["route"], own["status"], own["game"]) == ("games/<slug:key>/turn", 200, key)
        with suppress(AssertionError):
            stack.wait(lambda request=request: bool(lines("worker", request)), what="a line of the task", seconds=5)
            break
    assert lines("worker", request)[0]["task"] == "games.play_bot_turn"
