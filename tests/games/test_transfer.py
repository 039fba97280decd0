"""`manage.py export_games` and `import_games`: what was written makes the same games again, or is refused."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import User
from engine.rulesets import RULESETS
from games import commands
from games.commands.import_game import import_game
from games.commands.rebuild_game import verify_game
from games.log import backup as transfer
from games.log.positions import replayed
from games.models import Consent, Entry, Game, Heartbeat, Pause, Proposal, Remark, Seat
from games.notices.models import Notice
from games.tasks.sweep import sweep_clocks
from games.timing.deadlines import deadline_of
from tests.append_only import lifted_triggers
from tests.flows.play import NOW, RULES, make_user, play_randomly, random_turn, start_game, state_of
from tests.games.timed import DAILY, MINUTE, expire, start_timed, sweeps_live

pytestmark = [pytest.mark.django_db, pytest.mark.anydb]

HOUR = timedelta(hours=1)


@pytest.fixture
def users() -> list[User]:
    return [make_user(name) for name in ("Ada", "Bo", "Cy")]


@pytest.fixture
def games(users: list[User]) -> list[Game]:
    """Return an open game, a running one with everything that can belong to a game, and one that has ended."""
    waiting = commands.create_game(
        user=users[0], ruleset="gravity-1", size=3, options={"expert": True}, public=False, bots=["nova:1"], now=NOW
    )
    running = start_timed(users)
    expire(running, NOW + 2 * MINUTE)
    Pause.objects.create(reason="outage", start=NOW, end=NOW + MINUTE)
    commands.credit_game(game_id=running.pk, now=NOW + 3 * MINUTE)
    commands.pause_game(game_key=running.key, now=NOW + 3 * MINUTE)
    commands.propose_cancel(game_key=running.key, user=users[0], now=NOW + 3 * MINUTE)
    ended = start_game(users[:2])
    play_randomly(ended, 1000, Random(3))
    return [Game.objects.get(pk=game.pk) for game in (waiting, running, ended)]


def export(*arguments: str) -> list[dict[str, Any]]:
    """Return what `export_games` writes."""
    output = StringIO()
    call_command("export_games", *arguments, stdout=output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


def bring_back(folder: Path, documents: list[Any], *arguments: str) -> tuple[int, list[str]]:
    """Run `import_games` over documents; return its exit status and its lines."""
    file = folder / "games.jsonl"
    file.write_text("".join(f"{json.dumps(document)}\n" for document in documents))
    output = StringIO()
    status = 0
    try:
        call_command("import_games", str(file), *arguments, stdout=output)
    except SystemExit as leaving:
        status = int(str(leaving.code))
    return status, output.getvalue().splitlines()


def forget_games() -> None:
    """Empty the tables of games, as if the database were a fresh one."""
    with lifted_triggers():
        for model in (Notice, Entry, Consent, Proposal, Remark, Pause, Seat, Game):
            model._default_manager.all().delete()


def test_games_that_were_exported_come_back_as_they_were(games: list[Game], tmp_path: Path) -> None:
    documents, state = export(), games[1].state
    assert [document["game"]["status"] for document in documents] == ["open", "active", "finished"]
    forget_games()
    assert bring_back(tmp_path, documents) == (0, ["3 games stored, 0 there already, 0 refused"])
    assert export() == documents
    for document in documents[1:]:
        assert verify_game(game_key=document["game"]["key"]) == []
    assert state
    assert Game.objects.get(key=games[1].key).state == state
    assert len(replayed(Game.objects.get(key=games[2].key), games[2].seq)) == games[2].seq + 1


def test_a_document_says_which_turns_were_planned_and_older_ones_say_nothing(users: list[User], tmp_path: Path) -> None:
    game = start_game(users)
    play_randomly(game, 3, Random(2))
    seat, rng = Seat.objects.get(game=game, number=2), Random(1)
    assert seat.user is not None
    turn = random_turn(RULES.as_if_to_move(state_of(game), 2), rng)
    commands.add_plan(game_key=game.key, user=seat.user, seq=3, turn=turn, conditions=[], now=NOW)
    play_randomly(game, 1, rng)
    assert commands.play_plan(game_id=game.pk, now=NOW) is not None
    (document,) = export()
    assert document["planned"] == [5]
    assert "plans" not in document
    forget_games()
    assert bring_back(tmp_path, [document])[0] == 0
    assert [entry.seq for entry in Entry.objects.filter(planned=True)] == [5]
    forget_games()
    del document["planned"]
    assert bring_back(tmp_path, [document])[0] == 0
    assert bring_back(tmp_path, [document]) == (0, ["0 games stored, 1 there already, 0 refused"])
    assert not Entry.objects.filter(planned=True).exists()


def test_a_game_that_comes_back_can_be_played_on(users: list[User], tmp_path: Path) -> None:
    game = start_game(users)
    play_randomly(game, 4, Random(2))
    documents = export()
    forget_games()
    bring_back(tmp_path, documents)
    again = Game.objects.get(key=game.key)
    play_randomly(again, 4, Random(5))
    assert Game.objects.get(key=game.key).seq == 8
    assert verify_game(game_key=game.key) == []


def test_importing_twice_changes_nothing(games: list[Game], tmp_path: Path) -> None:
    documents = export()
    assert bring_back(tmp_path, documents) == (0, ["0 games stored, 3 there already, 0 refused"])
    assert export() == documents


def test_another_state_of_a_stored_game_is_refused_and_left_as_it_is(users: list[User], tmp_path: Path) -> None:
    game = start_game(users)
    documents = export()
    play_randomly(game, 2, Random(1))
    status, lines = bring_back(tmp_path, documents)
    assert (status, lines[0]) == (1, f"line 1: another state of game {game.key} is stored already")
    assert Game.objects.get(pk=game.pk).seq == 2


def change_turn(document: dict[str, Any]) -> None:
    document["record"]["log"][0]["turn"] = "C"


def change_instant(document: dict[str, Any]) -> None:
    document["record"]["log"][0]["at"] = "2001-01-01T00:00:00Z"


def drop_entry(document: dict[str, Any]) -> None:
    document["record"]["log"].pop()


def drop_entry_and_digest(document: dict[str, Any]) -> None:
    document["record"]["log"].pop()
    document["digests"].pop()


def change_points(document: dict[str, Any]) -> None:
    document["seats"][0]["points"] += 1


def change_board(document: dict[str, Any]) -> None:
    document["record"]["open_door"] = 1 - document["record"]["open_door"]


def double_seat(document: dict[str, Any]) -> None:
    document["seats"][1] = document["seats"][0]


def lose_column(document: dict[str, Any]) -> None:
    del document["game"]["version"]


def lose_pause(document: dict[str, Any]) -> None:
    document["remarks"] = [{"pause": 7}]


def change_format(document: dict[str, Any]) -> None:
    document["format"] = "gravity-site-game/0"


@pytest.mark.parametrize(
    "damage",
    [
        change_turn,
        change_instant,
        drop_entry,
        drop_entry_and_digest,
        change_points,
        change_board,
        double_seat,
        lose_column,
        lose_pause,
        change_format,
    ],
)
def test_a_damaged_document_is_refused_in_a_line_without_cards_and_stores_nothing(
    users: list[User], tmp_path: Path, damage: Callable[[dict[str, Any]], None]
) -> None:
    game = start_game(users[:2])
    play_randomly(game, 4, Random(2))
    sound = start_game(users[1:])
    documents = export()
    forget_games()
    damage(documents[0])
    status, lines = bring_back(tmp_path, documents)
    assert (status, lines[-1]) == (1, "1 games stored, 0 there already, 1 refused")
    assert len(lines) == 2
    assert "(" not in lines[0] or "damaged (" in lines[0]
    assert list(Game.objects.values_list("key", flat=True)) == [sound.key]


@pytest.mark.parametrize("line", ["[]", "3", '{"format": "gravity-site-game/1"}'])
def test_what_is_no_document_is_refused(line: str, tmp_path: Path) -> None:
    status, lines = bring_back(tmp_path, [json.loads(line)])
    assert (status, len(lines)) == (1, 2)


def test_a_line_that_is_no_json_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("{\n")
    output = StringIO()
    with pytest.raises(SystemExit):
        call_command("import_games", str(file), stdout=output)
    assert output.getvalue().splitlines()[0] == "line 1: this is no JSON"


def test_a_game_of_people_without_an_account_is_refused_unless_that_is_wanted(
    users: list[User], tmp_path: Path
) -> None:
    game = start_game(users[:2])
    play_randomly(game, 1000, Random(3))
    documents = export()
    forget_games()
    users[0].delete()
    status, lines = bring_back(tmp_path, documents)
    assert status == 1
    assert lines[0].endswith("known to be theirs: Ada")
    assert bring_back(tmp_path, documents, "--without-people")[0] == 0
    assert sorted(str(seat.user) for seat in Seat.objects.all()) == ["Bo", "None"]
    assert verify_game(game_key=game.key) == []


def test_nobody_gets_a_seat_by_a_name_alone(users: list[User], tmp_path: Path) -> None:
    game = start_game(users[:2])
    play_randomly(game, 1000, Random(3))
    (document,) = export()
    forget_games()
    users[0].delete()
    thief = make_user("Ada")
    thief.email = thief.confirmed_address = "thief@example.org"
    thief.save()
    old = {name: value for name, value in document.items() if name != "people"}
    for attempt in (document, old, {**document, "people": {"Ada": "", "Bo": document["people"]["Bo"]}}):
        status, lines = bring_back(tmp_path, [attempt])
        assert (status, Seat.objects.count()) == (1, 0)
        assert "Ada" in lines[0]
    thief.email, thief.confirmed_address = "ada@example.org", ""  # hers, but never confirmed
    thief.save()
    assert bring_back(tmp_path, [document])[0] == 1
    thief.confirmed_address = thief.email
    thief.save()
    assert bring_back(tmp_path, [document])[0] == 0


def test_the_operator_can_say_whose_address_a_name_stands_for(users: list[User], tmp_path: Path) -> None:
    game = start_game(users[:2])
    play_randomly(game, 1000, Random(3))
    (document,) = export()
    forget_games()
    people = tmp_path / "people.json"
    people.write_text(json.dumps({"Ada": "CY@example.org"}))
    assert bring_back(tmp_path, [document], "--people", str(people))[0] == 0
    assert sorted(str(seat.user) for seat in Seat.objects.all()) == ["Bo", "Cy"]


def test_ended_games_alone_can_be_exported_and_hold_no_address(games: list[Game]) -> None:
    (document,) = export("--ended")
    assert document["game"]["key"] == games[2].key
    assert "@" not in json.dumps(document)
    assert export(games[0].key)[0]["game"]["key"] == games[0].key


def test_an_export_into_a_file_is_for_its_owner_alone_and_appears_whole(games: list[Game], tmp_path: Path) -> None:
    file = tmp_path / "backup.jsonl"
    call_command("export_games", "--output", str(file))
    assert len(file.read_text().splitlines()) == 3
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["backup.jsonl"]


def test_the_clock_of_a_game_that_was_brought_back_still_warns(users: list[User]) -> None:
    game = start_game(users[:2])
    (document,) = export(game.key)
    forget_games()
    later = NOW + timedelta(hours=1)
    import_game(document, now=later)
    brought = Game.objects.get(key=game.key)
    assert brought.warning_at == game.warning_at is not None
    commands.warn(game_id=brought.pk, now=game.warning_at)
    (warning,) = Notice.objects.all()
    assert (warning.topic, warning.at) == ("half", game.warning_at)


# Clocks of games that come to a site which runs


def export_at(game: Game, alive: datetime | None) -> Any:
    """Return the document of a game on a site that was last heard of at an instant, then forget game and site."""
    Heartbeat.objects.all().delete()
    if alive is not None:
        sweeps_live(alive)
    (document,) = export(game.key)
    forget_games()
    Heartbeat.objects.all().delete()
    return document


@pytest.mark.parametrize("alive", [None, NOW + 20 * HOUR], ids=["an-old-document", "a-new-one"])
def test_a_game_that_comes_to_a_running_site_gets_the_time_between_back(
    users: list[User], tmp_path: Path, alive: datetime | None
) -> None:
    game = start_timed(users, DAILY)
    document = export_at(game, alive)
    if alive is None:
        del document["alive"]
    now, since = NOW + 72 * HOUR, alive or NOW
    sweeps_live(now)
    import_game(document, now=now)
    brought = Game.objects.get(key=game.key)
    assert brought.deadline == now + 25 * HOUR - (since - NOW)
    assert brought.deadline == deadline_of(brought)
    assert brought.warning_at is not None
    remark = brought.remarks.get()
    assert (remark.kind, remark.seat) == ("outage", brought.to_move)
    assert remark.params == {"seconds": (now - since).total_seconds()}
    assert Notice.objects.get(topic="moved").params["why"] == "outage"
    assert verify_game(game_key=game.key) == []
    sweeps_live(brought.deadline)
    assert expire(brought, brought.deadline - MINUTE) is None
    assert expire(brought, brought.deadline) is not None
    assert brought.remarks.count() == 1


def test_other_games_of_the_site_get_nothing_of_that(users: list[User]) -> None:
    here = start_timed(users, DAILY)
    there = start_timed(users, DAILY)
    sweeps_live(NOW)
    (document,) = export(there.key)
    document["game"]["key"] = "another22222"
    now = NOW + 24 * HOUR
    sweeps_live(now)
    import_game(document, now=now)
    assert Game.objects.get(key="another22222").deadline == now + 25 * HOUR
    assert deadline_of(Game.objects.get(pk=here.pk)) == NOW + 25 * HOUR


def test_what_the_site_was_down_itself_is_given_back_by_its_sweep_alone(users: list[User]) -> None:
    game = start_timed(users, DAILY)
    document = export_at(game, NOW + 10 * HOUR)
    sweeps_live(NOW + 30 * HOUR)
    import_game(document, now=NOW + 40 * HOUR)
    sweep_clocks(now=NOW + 50 * HOUR, rng=Random(1))
    brought = Game.objects.get(key=game.key)
    assert brought.deadline == NOW + 50 * HOUR + 15 * HOUR
    assert [remark.params["seconds"] for remark in brought.remarks.order_by("pk")] == [72_000, 72_000]


def test_a_game_that_moves_within_a_minute_gets_nothing_back(users: list[User]) -> None:
    game = start_timed(users, DAILY)
    document = export_at(game, NOW + HOUR)
    sweeps_live(NOW + HOUR + MINUTE)
    import_game(document, now=NOW + HOUR + MINUTE)
    assert Game.objects.get(key=game.key).deadline == NOW + 25 * HOUR
    assert not Pause.objects.exists()


def test_the_same_document_again_changes_nothing_though_time_was_given_back(users: list[User], tmp_path: Path) -> None:
    game = start_timed(users, DAILY)
    document = export_at(game, NOW)
    sweeps_live(NOW + 9 * HOUR)
    assert import_game(document, now=NOW + 9 * HOUR)
    assert not import_game(document, now=NOW + 10 * HOUR)
    (again,) = export()
    assert not import_game(again, now=NOW + 10 * HOUR)
    forget_games()
    assert import_game(again, now=NOW + 9 * HOUR)
    assert Game.objects.get(key=game.key).deadline == NOW + 34 * HOUR


@pytest.mark.parametrize("alive", ["tomorrow", 7])
def test_a_document_with_a_sign_of_life_that_is_none_is_refused(users: list[User], tmp_path: Path, alive: Any) -> None:
    document = export_at(start_timed(users), NOW)
    document["alive"] = alive
    assert bring_back(tmp_path, [document])[0] == 1


@pytest.mark.parametrize("model", [*transfer.COLUMNS, Entry], ids=lambda model: model.__name__)
def test_every_column_is_exported_or_follows_from_what_is(model: Any) -> None:
    belongs = {
        "id",
        "game",
        "proposal",
        "creator",
        *("token", "asked_digest"),  # of a form or a request on the site that the game was created on
        # Ratings are a site's own: what is imported is not rated, and asks for none.
        *("rated", "unrated", "rating_number", "settled", "rating", "rating_from", "rating_to", "punctual_from"),
        "rematch_of",  # leads from game to game, each of which is a document of its own
        "series_length",  # as above: an imported game stands alone
        "series_number",
        "series_of",
        "is_followed",
        "is_tallied",  # counted up where it is imported
        "ended_at",  # the end of the game
        "user",
        "pause",
        "setup",
        "credited",
        "state",
        "events",
        "warning_at",
        "round" if model is Proposal else "",
    }
    in_record = {"seq", "seat", "turn", "event", "reason", "by", "at", "digest", "planned"} if model is Entry else set()
    columns = {field.name for field in model._meta.concrete_fields}
    assert columns - belongs - in_record == set(transfer.COLUMNS.get(model, ()))


def test_the_record_of_a_document_can_be_read_by_the_engine(games: list[Game]) -> None:
    document = export(games[2].key)[0]
    state = RULESETS["gravity-1"].read_setup(document["record"])
    for entry in document["record"]["log"]:
        state = RULESETS["gravity-1"].apply_turn(state, entry["turn"]).state
    assert RULESETS["gravity-1"].summary(state).finished
