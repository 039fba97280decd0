"""The second game from outside: joined over HTTP, with messages, mailed over SMTP, brought into an empty site."""

import json
import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from engine.rulesets import RULESETS
from games import commands
from games.delivery.deliver import send_due
from games.models import Entry, Game
from games.models.choices import Status
from games.presenters.registry import PRESENTERS
from tests.another_game.play import RULES, play, some_turn, start_acorns, state_of
from tests.append_only import lifted_triggers
from tests.conftest import Sink
from tests.flows.addresses import ROLES, ROWS, Row
from tests.flows.people import signed_in
from tests.flows.play import NOW, make_user, mover_of
from tests.flows.world import World

HTMX = {"HX-Request": "true"}


# Joining and writing


@pytest.mark.django_db
def test_a_second_person_joins_and_both_write_to_each_other(ada: User, bo: User, cleo: User) -> None:
    sent = {"size": "2", "visibility": "link", "winter": "mild"}
    creating, joining = signed_in(ada), signed_in(bo)
    created = creating.post(f"{reverse('create_game')}?game=acorns", {**sent, "time-preset": "daily"})
    game = Game.objects.get()
    assert created["Location"] == reverse("invitation", args=[game.key])
    assert "mild winter" in joining.get(created["Location"]).content.decode()
    joined = joining.post(reverse("join_game", args=[game.key]), follow=True)
    assert "You took the last seat: the game has started." in joined.content.decode()
    assert Game.objects.get().status == Status.ACTIVE
    write, read = reverse("write_message", args=[game.key]), reverse("messages", args=[game.key])
    assert creating.post(write, {"text": "Good luck!"}).status_code == 303
    assert "Good luck!" in joining.post(write, {"text": "And to you."}, headers=HTMX).content.decode()
    for client in (creating, joining):
        assert all(text in client.get(read).content.decode() for text in ("Good luck!", "And to you."))
    for client, status in ((signed_in(None), 302), (signed_in(cleo), 403)):
        assert client.get(read).status_code == status
        assert "Good luck!" not in client.get(reverse("game", args=[game.key])).content.decode()


# Mails


@pytest.mark.django_db
def test_a_mail_arrives_and_no_byte_of_it_names_a_hidden_nut(ada: User, bo: User, smtp_sink: Sink) -> None:
    game = start_acorns([ada, bo])
    hidden = state_of(game).squirrels[0].hand[0]
    play(game, f"h{hidden}")
    drawn = state_of(game).squirrels[0].hand[-1]
    send_due(NOW + timedelta(hours=2))
    places = [number for number, mail in enumerate(smtp_sink.messages) if mail["To"] == bo.email]
    assert len(places) == 1
    mail, content = smtp_sink.messages[places[0]], smtp_sink.contents[places[0]]
    parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in mail.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert all("Ada hides a nut in the nest. Ada draws a nut." in part for part in parts)
    for text in (content.decode("ascii"), *parts):
        seen = re.sub(r"/unsubscribe/\S+", "", text.replace("=\r\n", ""))  # a word drawn by chance
        assert not re.search(f"(hides|draws) ({hidden}|{drawn})", seen)
        assert f"h{hidden}" not in seen


# An empty site


@pytest.mark.django_db(transaction=True)
@pytest.mark.anydb
def test_an_exported_game_is_played_to_its_end_on_an_empty_site(tmp_path: Path) -> None:
    make_user("Cleo")  # so that nobody has the same number there
    ada, bo = make_user("Ada"), make_user("Bo")
    game, rng = start_acorns([ada, bo], seed=5), Random(5)
    for _turn in range(5):
        play(game, some_turn(state_of(game), rng))
    state, file = RULES.dump(state_of(game)), tmp_path / "games.jsonl"
    own = signed_in(ada).get(reverse("api_record", args=[game.key])).json()
    call_command("export_games", game.key, output=file)
    with lifted_triggers():
        call_command("flush", interactive=False)
    assert not Game.objects.exists()
    assert not Entry.objects.exists()
    people = [make_user("Bo"), make_user("Ada")]
    call_command("import_games", file, stdout=StringIO())
    brought = Game.objects.get(key=game.key)
    assert RULES.dump(state_of(brought)) == state
    assert signed_in(people[1]).get(reverse("api_record", args=[game.key])).json() == own
    while Game.objects.get(pk=brought.pk).status == Status.ACTIVE:
        seq, turn = Game.objects.get(pk=brought.pk).seq, some_turn(state_of(brought), rng)
        body = {"seq": seq, "steps": turn}
        address = reverse("game_turn", args=[game.key])
        assert signed_in(mover_of(brought)).post(address, body, headers=HTMX).status_code == 200
    output = StringIO()
    call_command("verify_games", stdout=output)
    assert "1 games replayed, 0 with differences" in output.getvalue()
    whole = signed_in(None).get(reverse("game_record", args=[game.key])).json()
    assert len(whole["log"]) == len(whole["chain"]) - 1 == Game.objects.get().seq
    assert json.loads(file.read_text("utf-8"))["record"]["deck"] == whole["deck"]


# What stays as it was


def plain(text: str) -> str:
    """Return a page without what is new in each answer: words of the form's safety and of passing time."""
    text = re.sub(r"(<time[^>]*>)[^<]*</time>|\d+\xa0\w+", r"\1", text)
    return re.sub(r'name="(?:csrfmiddleware)?token" value="[^"]*"|/unsubscribe/[^/]+/|/calendar/gst_\w+', "", text)


def place(row: Row, location: str) -> str:
    """Return where an answer leads, but not the address that is drawn for a game that it has just started."""
    return re.sub(r"/games/\w+/", "/games/NEW/", location) if row.name in {"play_now", "api_games"} else location


def undrawn(row: Row, text: str) -> str:
    """Return an answer without what is drawn for a game that it has just made or started."""
    if row.name not in {"api_games", "api_join"} or '"status":"' not in text:
        return text
    game = json.loads(text)
    drawn = {"key", "board", "seats", "viewer", "to_move", "deadline", "time"} if row.name == "api_join" else {"key"}
    return json.dumps({name: value for name, value in game.items() if name not in drawn})


def shown(world: World, row: Row) -> list[str]:
    """Return what everyone gets at an address."""
    shown = []
    for role in ROLES:
        answer = world.ask(role, row)
        text = undrawn(row, plain(answer.content.decode(errors="replace")))
        shown.append(f"{answer.status_code} {place(row, answer.get('Location', ''))}\n{text}")
    return shown


@pytest.mark.slow
@pytest.mark.django_db
def test_a_second_game_changes_only_what_says_which_game_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    world, changed = World(), dict[str, set[str]]()
    commands.invite(game_key=world.about["open"]["key"], user=world.player, name="Cy", now=NOW)
    for row in ROWS:
        both = shown(world, row)
        with monkeypatch.context() as alone:
            for ruleset in set(RULESETS) - {"gravity-1"}:
                alone.delitem(RULESETS, ruleset)
                alone.delitem(PRESENTERS, ruleset)
            one = shown(world, row)
        for with_second, without in zip(both, one, strict=True):
            lines = set(with_second.splitlines()) ^ set(without.splitlines())
            if lines:
                changed.setdefault(row.name, set()).update(line.strip() for line in lines)
    choice = changed.pop("create_game")
    summaries = {line for line in choice if 'class="summary"' in line}
    assert {line.replace("/preview?game=gravity", "/preview") for line in summaries} < summaries
    assert {line for line in choice - summaries if "nav" not in line and "ul" not in line} == {
        '<li><a href="?game=gravity" aria-current="page">Gravity Superstar</a></li>',
        '<li><a href="?game=acorns">Acorns</a></li>',
        '<form method="post" action="/games/new/" id="new-game" class="form-sections" novalidate>',
        '<form method="post" action="/games/new/?game=gravity" id="new-game" class="form-sections" novalidate>',
    }
    assert {"lobby", "my_games", "invitation"} <= changed.keys()
    named = {'<li class="tag">Base game</li>', '<li class="tag">Gravity Superstar</li>'}
    assert {name: lines for name, lines in changed.items() if lines != named} == {}


def test_the_page_of_a_new_game_says_what_is_made_of_another_game(ada: User) -> None:
    page = signed_in(ada).get(reverse("create_game"), {"game": "acorns"}).content.decode()
    assert "A game for 2: you and 1 other person" in page
    assert 'hx-post="/games/new/preview?game=acorns"' in page
