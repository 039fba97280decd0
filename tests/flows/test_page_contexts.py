"""No template gets what its reader may not see: neither a state of the rules nor a hidden card, however deep."""

import gc
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import timedelta
from pathlib import Path
from types import NoneType
from typing import Any, Final

import pytest
from django.conf import settings
from django.contrib import admin
from django.core.paginator import Page
from django.db.models import Manager, Model, QuerySet
from django.db.models.base import ModelState
from django.forms import BaseForm
from django.http import HttpRequest
from django.test import Client
from django.test.signals import template_rendered
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from engine.gravity.state import Player, State
from engine.rulesets import RULESETS
from games import commands, queries
from games.delivery.deliver import send_due
from games.log.positions import Snapshot, known_positions, position_at
from games.models import HIDDEN, Entry, Game
from games.presenters.gravity.compose import Blocked, Button, Choice, HandCard, Panel
from games.queries.by_key import game_by_key
from games.web import log_lines
from tests.flows.addresses import ROLES, ROWS
from tests.flows.play import NOW, play, start_game
from tests.flows.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.contexts]
HIDING: Final = "S<(L)"
HTMX: Final = {"HX-Request": "true"}
OURS: Final = ("games.", "engine.", "accounts.", "tests.", "django.contrib.admin.")
OWN: Final = (Panel, Choice, Blocked, Button, HandCard)
"""What is made of the reader's own hand: its steps may be those of a rival's hidden turn too."""
FORBIDDEN: Final = (Snapshot, State, Player, Entry)


def parts_of(thing: Any) -> Iterable[Any]:
    """Return what is reached from a thing in one step, without a query or a call."""
    if isinstance(thing, (str, bytes, int, float, type, NoneType, *OWN)):
        return ()
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]
    if isinstance(thing, list | tuple | set | frozenset):
        return [*thing]
    if is_dataclass(thing):
        return [getattr(thing, field.name) for field in fields(thing)]
    if isinstance(thing, SimpleLazyObject):
        return [vars(thing)["_wrapped"]]
    known = (Model, ModelState, QuerySet, Manager, BaseForm, HttpRequest, Page)
    if isinstance(thing, known) or type(thing).__module__.startswith(OURS):
        return list(getattr(thing, "__dict__", {}).values())
    return ()


def reachable(*roots: Any) -> Iterator[Any]:
    """Yield everything that can be reached from somewhere."""
    seen, waiting = dict[int, Any](), list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        yield thing
        waiting += parts_of(thing)


def faults_in(secrets: Iterable[str], *roots: Any, forbidden: tuple[type, ...] = FORBIDDEN) -> list[str]:
    """Return what can be reached and must not: states of the rules, set-ups and texts that hold a secret."""
    found = []
    for thing in reachable(*roots):
        if isinstance(thing, forbidden):
            found.append(type(thing).__name__)
        elif isinstance(thing, Game):
            found += [column for column in HIDDEN if vars(thing).get(column)]
        elif isinstance(thing, dict) and "open_door" in thing and "format" in thing:
            found.append("set-up")
        elif isinstance(thing, str):
            found += [thing for secret in secrets if secret in thing or secret.replace("<", "&lt;") in thing]
    return found


@pytest.fixture
def contexts() -> Iterator[list[dict[str, Any]]]:
    """Gather the contexts of all templates that are rendered."""
    gathered: list[dict[str, Any]] = []

    def gather(sender: Any, *, context: Any, **_more: Any) -> None:
        gathered.append(context.flatten())

    template_rendered.connect(gather)
    yield gathered
    template_rendered.disconnect(gather)


@pytest.fixture
def game(ada: User, bo: User) -> Game:
    """Return a game in which Ada has laid a card face down, and it is Bo's turn."""
    log_lines._kept.clear()
    log_lines._draw.cache_clear()
    game = start_game([ada, bo], seed=1)
    play(game, HIDING)
    return Game.objects.get(pk=game.pk)


@pytest.fixture
def secrets(game: Game) -> list[str]:
    """Return what only Ada may know, as the site writes it."""
    return [HIDING, RULESETS[game.ruleset].dump(position_at(game, game.seq).state)]


def visit(game: Game, reader: User | None) -> None:
    """Look at all that there is about a game, and play a turn where the reader may."""
    client, where = Client(), f"/games/{game.key}/"
    if reader is not None:
        client.force_login(reader)
    for address in (where, f"{where}?at=1", f"{where}?at=0", f"{where}terms/", f"{where}messages/", "/", "/games/"):
        client.get(address)
        client.get(address, headers=HTMX)
    client.get(f"{where}board", headers=HTMX)
    client.get(f"{where}board?composing=1&seq=0", headers=HTMX)
    for step in ("R=", "&", "no step"):
        client.post(f"{where}preview", {"seq": 1, "steps": "", "step": step}, headers=HTMX)
    client.post(f"{where}preview", {"seq": 0, "steps": "", "step": "R="}, headers=HTMX)
    client.post(f"{where}messages", {"text": "Hello"}, headers=HTMX)
    for turn in ("R=", "no turn"):
        client.post(f"{where}turn", {"seq": 1, "steps": turn}, headers=HTMX)
    client.get(where)


def admin_addresses() -> Iterator[str]:
    """Yield the lists of the admin that show rows of games, and the pages of each row."""
    for model, shown in admin.site._registry.items():
        if model._meta.app_label in {"games", "notices"}:
            name = f"{model._meta.app_label}_{model._meta.model_name}"
            yield reverse(f"admin:{name}_changelist")
            for pk in shown.model._default_manager.values_list("pk", flat=True):
                yield from (reverse(f"admin:{name}_{page}", args=[pk]) for page in ("change", "history"))


@pytest.mark.parametrize("reader", ["guest", "rival"])
def test_no_context_holds_a_state_or_a_hidden_card(
    reader: str, game: Game, bo: User, secrets: list[str], contexts: list[dict[str, Any]]
) -> None:
    visit(game, bo if reader == "rival" else None)
    assert Game.objects.get(pk=game.pk).seq == (2 if reader == "rival" else 1)
    assert any("clocks" in context for context in contexts)
    assert faults_in(secrets, contexts) == []


@pytest.mark.parametrize("reader", ["guest", "rival"])
def test_the_kept_lines_of_the_log_hold_neither(reader: str, game: Game, bo: User, secrets: list[str]) -> None:
    visit(game, bo if reader == "rival" else None)
    kept = gc.get_referents(log_lines._draw)
    assert any("log-line" in thing for thing in reachable(log_lines._kept) if isinstance(thing, str))
    assert faults_in(secrets, log_lines._kept, kept) == []


@pytest.mark.parametrize("role", ROLES)
def test_no_context_of_any_address_holds_a_set_up_or_a_state(role: str, contexts: list[dict[str, Any]]) -> None:
    world = World()
    for row in ROWS:
        world.ask(role, row)
    assert any(isinstance(thing, Game) for thing in reachable(contexts))
    assert faults_in([], contexts) == []


def test_no_context_of_the_admin_holds_a_set_up_or_a_state(contexts: list[dict[str, Any]]) -> None:
    world = World()
    key = world.about["running"]["key"]
    play(Game.objects.get(key=key), HIDING)
    commands.pause_game(game_key=key, now=NOW)
    for address in admin_addresses():
        assert world.browsers["staff"].get(address).status_code == 200, address
    games = [thing for thing in reachable(contexts) if isinstance(thing, Game)]
    assert len({found.pk for found in games}) > 1
    rows_that_the_admin_is_about = tuple(kind for kind in FORBIDDEN if kind is not Entry)
    assert faults_in([], contexts, forbidden=rows_that_the_admin_is_about) == []


def test_no_context_of_a_mail_holds_a_set_up_or_a_state(
    game: Game, contexts: list[dict[str, Any]], secrets: list[str]
) -> None:
    play(game, "R=")
    play(game, "C")
    send_due(NOW + timedelta(days=2))
    assert len([context for context in contexts if "mail" in context]) > 2
    assert faults_in(secrets, contexts) == []


def test_an_owner_gets_their_own_card_but_no_state(
    game: Game, ada: User, contexts: list[dict[str, Any]], secrets: list[str]
) -> None:
    visit(game, ada)
    assert faults_in(secrets[:1], contexts) != []
    assert faults_in(secrets[1:], contexts) == []


def test_a_state_is_found_however_deep_it_lies(game: Game, bo: User, secrets: list[str]) -> None:
    page, position = queries.game_page(game.key, bo), position_at(game, game.seq)
    assert faults_in(secrets, page) == []
    assert "State" in faults_in(secrets, {"table": [(position.state,)]})
    page.game.__dict__["_planted"] = position
    assert faults_in(secrets, {"page": page}) != []


def test_a_set_up_is_found_however_a_game_was_read(game: Game) -> None:
    whole = Game.objects.defer(None).get(pk=game.pk)
    assert faults_in([], {"rows": [whole]}) == ["setup", "state", "events", "set-up"]
    assert faults_in([], game, game_by_key(game.key, None)) == []


def test_positions_that_a_game_object_has_reached_go_with_it(game: Game) -> None:
    from games.log import positions

    position_at(game, 1)
    assert set(known_positions(game)) >= {1}
    assert known_positions(Game.objects.get(pk=game.pk)) == {}
    identity = id(game)
    before = len(positions._known)
    other = Game.objects.get(pk=game.pk)
    position_at(other, 0)
    del other
    gc.collect()
    assert len(positions._known) <= before
    assert identity in positions._known


def test_no_template_names_a_hidden_column() -> None:
    """Deferred columns would be read where a template named them."""
    named = re.compile(r"[{%|( ][a-z_.]*(?:game|Game)\.(?:" + "|".join(HIDDEN) + r")\b")
    folders = [Path(settings.BASE_DIR, "templates"), Path(settings.BASE_DIR, "games")]
    templates = [file for folder in folders for file in folder.rglob("*") if file.suffix in {".html", ".txt"}]
    assert len(templates) > 50
    assert [file.name for file in templates if named.search(file.read_text())] == []
    assert named.search("{{ page.game.state }}")
