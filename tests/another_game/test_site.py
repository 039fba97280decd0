"""A second game goes through the whole site with nothing outside its folder but its two registrations."""

import json
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from engine.chain import setup_digest
from games import commands, queries
from games.commands.import_game import import_game
from games.delivery.deliver import send_due
from games.log.positions import rules_of
from games.models import Game
from games.models.choices import Actor, Status
from tests.another_game.play import RULES, play, some_turn, start_acorns, state_of
from tests.another_game.twins import twin
from tests.flows.people import signed_in
from tests.flows.play import NOW, mover_of

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]
HTMX = {"HX-Request": "true"}


def play_on(game: Game, turns: int, seed: int = 1) -> Game:
    """Play so many legal turns, or to the end."""
    rng = Random(seed)
    for _turn in range(turns):
        if not RULES.summary(state_of(game)).finished:
            play(game, some_turn(state_of(game), rng))
    return Game.objects.get(pk=game.pk)


def test_nothing_outside_this_folder_names_the_second_game() -> None:
    searched = ("accounts", "engine", "games", "gravitysite", "statements", "static", "templates")
    found = [
        path for room in searched for path in (ROOT / room).rglob("*")
        if path.suffix in {".py", ".html", ".css", ".js", ".svg"} and "acorns" in path.read_text("utf-8").lower()
    ]  # fmt: skip
    assert found == []


def test_the_page_of_a_new_game_offers_both_and_creates_what_was_chosen(ada: User) -> None:
    client = signed_in(ada)
    offered = client.get(reverse("create_game")).content.decode()
    assert 'href="?game=gravity" aria-current="page"' in offered
    assert "Goodie cards" in offered
    chosen = client.get(reverse("create_game"), {"game": "acorns"}).content.decode()
    assert "Winter" in chosen
    assert "Goodie cards" not in chosen
    assert client.get(reverse("create_game"), {"game": "chess"}).status_code == 404
    sent = {"size": "3", "visibility": "public", "winter": "hard", "bot_1": "random", "bot_2": "careful"}
    wrong = client.post(f"{reverse('create_game')}?game=acorns", {**sent, "winter": "warm"})
    assert wrong.status_code == 422
    response = client.post(f"{reverse('create_game')}?game=acorns", {**sent, "time-preset": "daily"})
    game = Game.objects.get()
    assert response["Location"] == reverse("game", args=[game.key])
    assert (game.ruleset, game.options, game.status) == ("acorns-1", {"winter": "hard"}, Status.ACTIVE)


def test_both_games_have_their_pages_of_rules(client: Client) -> None:
    assert "Rules of Acorns" in client.get(reverse("game_rules", args=["acorns"])).content.decode()
    assert "Notation of Acorns" in client.get(reverse("game_notation", args=["acorns"])).content.decode()
    assert "Rules of Acorns" not in client.get(reverse("rules")).content.decode()
    assert client.get(reverse("game_rules", args=["chess"])).status_code == 404


def test_the_sites_own_game_has_one_address_for_each_page_of_rules(client: Client) -> None:
    for own, family in (("rules", "game_rules"), ("notation", "game_notation")):
        answer = client.get(reverse(family, args=["gravity"]))
        assert (answer.status_code, answer["Location"]) == (301, reverse(own))
        assert client.get(reverse(own)).status_code == 200


def test_lists_say_which_game_it_is(ada: User, client: Client) -> None:
    commands.create_game(
        user=ada, ruleset="acorns-1", size=2, options={"winter": "mild"}, public=True, bots=[], now=NOW
    )
    page = client.get(reverse("lobby")).content.decode()
    assert "Acorns" in page
    assert "mild winter" in page


def test_a_game_is_previewed_played_to_its_end_and_looked_back_at(ada: User, bo: User) -> None:
    game, rng = start_acorns([ada, bo]), Random(4)
    clients = {user.pk: signed_in(user) for user in (ada, bo)}
    while not RULES.summary(state := state_of(game)).finished:
        turn, seq = some_turn(state, rng), Game.objects.get(pk=game.pk).seq
        client = clients[mover_of(game).pk]
        first, *_rest = turn.split()
        body = {"seq": seq, "steps": "", "step": first}
        preview = client.post(reverse("game_preview", args=[game.key]), body, headers=HTMX)
        assert "Confirm the turn" in preview.content.decode()
        played = client.post(reverse("game_turn", args=[game.key]), {"seq": seq, "steps": turn}, headers=HTMX)
        assert played.status_code == 200
    game = Game.objects.get(pk=game.pk)
    assert game.status == Status.FINISHED
    assert game.seats.filter(place=1).exists()
    page = clients[ada.pk].get(reverse("game", args=[game.key])).content.decode()
    assert "The game is over: winter." in page
    assert "acorns/acorns.css" in page
    for at in range(game.seq + 1):
        assert clients[bo.pk].get(reverse("game", args=[game.key]), {"at": at}).status_code == 200


def test_a_refusal_is_said_in_the_games_own_words(ada: User, bo: User) -> None:
    game = start_acorns([ada, bo])
    missing = next(nut for nut in "123456789" if nut not in state_of(game).squirrels[0].hand)
    body = {"seq": 0, "steps": f"e{missing}"}
    response = signed_in(ada).post(reverse("game_turn", args=[game.key]), body)
    assert response.status_code == 422
    assert f"The nut {missing} is not in your hand." in response.content.decode()
    answer = signed_in(ada).post(f"/api/v1/games/{game.key}/turns/", {"seq": 0, "turn": "x1"}, "application/json")
    assert answer.json()["detail"] == "A nut is thrown away after the action."


def test_computer_players_play_it(ada: User) -> None:
    game = start_acorns([ada], bots=["careful"])
    rng = Random(2)
    while not RULES.summary(state_of(game)).finished:
        now = Game.objects.get(pk=game.pk)
        if now.bot_to_move:
            assert commands.play_bot_turn(game_id=game.pk, seq=now.seq, rng=rng, now=NOW) is not None
        else:
            play(game, some_turn(state_of(game), rng))
    assert Game.objects.get(pk=game.pk).status == Status.FINISHED


def test_time_runs_out_for_the_autopilot_and_then_for_the_seat(ada: User, bo: User, cleo: User) -> None:
    game = start_acorns([ada, bo, cleo])
    for minute in range(1, 40):
        commands.expire_turn(game_id=game.pk, rng=Random(minute), now=NOW + timedelta(minutes=minute))
    by = list(game.entries.order_by("seq").values_list("by", flat=True))
    assert by[:6] == [Actor.AUTOPILOT] * 6
    assert by[6:] == [Actor.CLOCK] * 2
    assert Game.objects.get(pk=game.pk).status == Status.FINISHED


def test_mails_say_what_happened_and_hide_what_is_hidden(ada: User, bo: User) -> None:
    game = start_acorns([ada, bo])
    hidden = state_of(game).squirrels[0].hand[0]
    play(game, f"h{hidden}")
    send_due(NOW + timedelta(hours=2))
    (letter,) = [one for one in mail.outbox if one.to == [bo.email]]
    text = str(letter.message())
    assert "Ada hides a nut in the nest." in text
    assert f"hides {hidden}" not in text


def test_what_ended_is_downloaded_verified_exported_and_brought_back(ada: User, bo: User, tmp_path: Path) -> None:
    game = play_on(start_acorns([ada, bo]), 100)
    record = tmp_path / "record.json"
    record.write_bytes(Client().get(reverse("game_record", args=[game.key])).content)
    program = (
        "import sys; from engine.rulesets import RULESETS; from tests.another_game.engine import Acorns; "
        "RULESETS['acorns-1'] = Acorns(); from engine.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "verify", str(record)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.startswith(f"ok {game.seq} "), done.stderr
    output = StringIO()
    call_command("export_games", game.key, stdout=output)
    assert import_game(json.loads(output.getvalue()), now=NOW) is False
    call_command("verify_games", game.key, stdout=output)
    assert "0 with differences" in output.getvalue()


@pytest.fixture
def twins(ada: User, bo: User, cleo: User, monkeypatch: pytest.MonkeyPatch) -> tuple[Game, Game]:
    """Two running games that differ only in what is hidden from a guest, and so from a rival; Cleo does not play."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return twins_for(None, ada, bo)


def twins_for(viewer: int | None, ada: User, bo: User) -> tuple[Game, Game]:
    """Two games alike in all that a seat, or a guest, may know, whose decks, hands, nests and hoards are others."""
    one, two = start_acorns([ada, bo]), start_acorns([ada, bo])
    record = RULES.write_record(twin(state_of(one), viewer, Random(3)))
    setup = {name: value for name, value in record.items() if name != "log"}
    other = RULES.read_setup(record)
    assert RULES.dump(other) != RULES.dump(state_of(one))
    digest = setup_digest(setup)
    Game.objects.filter(pk=two.pk).update(setup=setup, setup_digest=digest, head=digest, state=RULES.dump(other))
    for number in range(7):
        for game in (one, two):
            state = state_of(game)
            digs = state.seat + 1 == viewer or number in {2, 3}
            play(game, "d" if digs else f"h{state.mover.hand[0]}")
    one, two = (Game.objects.get(pk=game.pk) for game in (one, two))
    assert (one.setup, state_of(one).squirrels) != (two.setup, state_of(two).squirrels)
    return one, two


def answers(game: Game, reader: User | None) -> list[str]:
    """Return what a reader gets to see of a game, as text without what is new in each answer."""
    client, seen = signed_in(reader), []
    for path, headers in (("", {}), ("board", HTMX), ("record", {})):
        response = client.get(f"/games/{game.key}/{path}", headers=headers)
        seen.append(response.content.decode())
    seen.append(client.get(f"/api/v1/games/{game.key}/position/").content.decode())
    seen.append(client.get(f"/api/v1/games/{game.key}/record/").content.decode())
    page = queries.game_page(game.key, reader)
    seen.append(repr((page.view, page.summary, page.events, page.log)))
    clean = [re.sub(r'<a id="next-game".*?</a>', "", text.replace(game.key, "")) for text in seen]
    return [re.sub(r'(csrf\w*" value="|csrf\w*": ?"|nonce=")[^"]*|pk=\d+', "", text) for text in clean]


def test_twins_look_alike_to_guests_and_strangers(twins: tuple[Game, Game], cleo: User) -> None:
    one, two = twins
    for reader in (None, cleo):
        assert answers(one, reader) == answers(two, reader)


@pytest.mark.parametrize("seat", [1, 2])
def test_what_is_hidden_from_a_player_is_hidden_from_its_own_owner_too(
    seat: int, ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    one, two = twins_for(seat, ada, bo)
    reader = (ada, bo)[seat - 1]
    assert answers(one, reader) == answers(two, reader)
    if one.to_move == seat:
        assert previews(one, reader) == previews(two, reader)


def previews(game: Game, reader: User) -> list[Any]:
    """Return what a player is shown before confirming each of the first steps."""
    client, legal = signed_in(reader), rules_of(game).legal_steps(state_of(game))
    body = {"seq": game.seq, "steps": ""}
    seen = [
        client.post(f"/games/{game.key}/preview", {**body, "step": step}, headers=HTMX).content.decode()
        for step in legal
    ]
    drawn = r'csrf\w*" value="[^"]*|csrf\w*": ?"[^"]*|<a id="next-game".*?</a>'
    return [legal, [re.sub(drawn, "", one.replace(game.key, "")) for one in seen]]


@pytest.mark.contexts
def test_no_template_gets_a_drawn_set_up(ada: User, bo: User) -> None:
    game = play_on(start_acorns([ada, bo]), 4)
    for reader in (None, ada, bo):
        for path in ("/", f"/games/{game.key}/", f"/games/{game.key}/?at=1"):
            contexts: Any = signed_in(reader).get(path).context
            held = [value for context in contexts for value in context.flatten().values()]
            games = [value for value in held if isinstance(value, Game)]
            games += [value.game for value in held if isinstance(value, queries.GamePage)]
            assert games
            assert not [one for one in games if "setup" in vars(one)]


def test_a_leak_in_a_record_would_be_noticed(twins: tuple[Game, Game]) -> None:
    one, two = twins
    assert one.setup != two.setup
    assert one.setup is not None
    assert str(one.setup["deck"]) not in json.dumps(queries.record_for(one.key, None))
