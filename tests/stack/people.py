"""People who play over HTTP, and a look into the database to see what is legal and what was kept."""

import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookies import SimpleCookie
from random import Random
from typing import Any
from urllib.parse import urlencode

import psycopg
from psycopg.rows import dict_row

from engine.contract import END
from engine.rulesets import RULESETS
from tests.services import HOST, PATIENCE
from tests.stack.stack import SITE_HOST, Stack

PASSWORD = "a rather long stack password"
CUNNING = 0.7
"""Share of the turns that are chosen well, so that games end."""
MAKE_PEOPLE = """
import json, sys
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
sessions = {{}}
password = {password!r}
for name in {names!r}:
    user = User.objects.create_user(f"{{name.lower()}}@people.example", password, display_name=name)
    password = None
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    sessions[name] = session.session_key
json.dump(sessions, sys.stdout)
"""


def make_people(stack: Stack, *names: str) -> list["Person"]:
    """Make accounts with confirmed addresses, each signed in; only the first has a password, as hashing takes long."""
    result = stack.manage("shell", "--verbosity", "0", "-c", MAKE_PEOPLE.format(names=names, password=PASSWORD))
    assert result.returncode == 0, result.stderr
    sessions = json.loads(result.stdout)
    people = [Person(stack, name) for name in names]
    for person in people:
        person.cookies["sessionid"] = sessions[person.name]
        person.get("/my-games/")
    return people


@dataclass
class Answer:
    """An HTTP response."""

    status: int
    headers: Mapping[str, str]
    body: str


@dataclass
class Person:
    """Someone with a browser that keeps cookies; what they say reaches the site through a proxy that speaks TLS."""

    stack: Stack
    name: str
    cookies: SimpleCookie = field(default_factory=SimpleCookie)
    language: str = "en"
    connection: http.client.HTTPConnection | None = None

    def get(self, path: str, **headers: str) -> Answer:
        """Open a page."""
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, _headers: Mapping[str, str] | None = None, **fields: object) -> Answer:
        """Send a form."""
        token = self.cookies["csrftoken"].value if "csrftoken" in self.cookies else ""
        body = urlencode({**fields, "csrfmiddlewaretoken": token})
        headers = {"Content-Type": "application/x-www-form-urlencoded", **(_headers or {})}
        return self.ask("POST", path, body=body, headers=headers)

    def ask(self, method: str, path: str, *, body: str | None = None, headers: Mapping[str, str]) -> Answer:
        """Send one request, over a kept connection where there is one."""
        said = {
            "Host": SITE_HOST,
            "Origin": f"https://{SITE_HOST}",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.7",
            "Accept-Language": self.language,
            "Cookie": "; ".join(f"{cookie.key}={cookie.value}" for cookie in self.cookies.values()),
            **headers,
        }
        for retry in (True, False):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(HOST, self.stack.port, timeout=PATIENCE)
            try:
                self.connection.request(method, path, body=body, headers=said)
                response = self.connection.getresponse()
                text = response.read().decode()
                break
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                self.connection = None
                if not retry:
                    raise
        for line in response.headers.get_all("Set-Cookie") or []:
            self.cookies.load(line)
        return Answer(response.status, dict(response.headers), text)

    def sign_in(self) -> None:
        """Sign in with the password."""
        self.get("/accounts/login/")
        answer = self.post("/accounts/login/", login=f"{self.name.lower()}@people.example", password=PASSWORD)
        assert answer.status == 302, (answer.status, answer.body[:500])
        self.get("/my-games/")

    def create_game(self, size: int, *bots: str) -> str:
        """Create a game with computer players, everything else as the page offers it, and return its key."""
        fields = FormReader.read(self.get("/games/new/").body, "/games/new/")
        seats = [*bots, *[""] * 5][:5]
        fields |= {"size": str(size), "against": "mix" if bots else "people"}
        fields |= {f"bot_{number}": bot for number, bot in enumerate(seats, start=1)}
        answer = self.post("/games/new/", None, **fields)
        assert answer.status == 302, (answer.status, re.sub(r"\s+", " ", answer.body)[:3000])
        return answer.headers["Location"].split("/games/")[1].split("/")[0]

    def join(self, key: str) -> None:
        """Take a seat."""
        answer = self.post(f"/games/{key}/join")
        assert answer.status == 302, (answer.status, answer.body[:500])

    def play(self, key: str, seq: int, turn: str) -> Answer:
        """Submit a turn as the open page does; 200 says that it is played."""
        return self.post(f"/games/{key}/turn", {"HX-Request": "true"}, seq=seq, steps=turn)


class FormReader(HTMLParser):
    """Reads what a form would send if its reader changed nothing."""

    def __init__(self, action: str) -> None:
        super().__init__()
        self.action = action
        self.inside = False
        self.select = ""
        self.fields: dict[str, str] = {}

    @classmethod
    def read(cls, page: str, action: str) -> dict[str, str]:
        """Return the fields of the form that posts to ``action``."""
        reader = cls(action)
        reader.feed(page)
        return reader.fields

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a field."""
        given = dict(attrs)
        name, value = given.get("name") or "", given.get("value") or ""
        if tag == "form":
            self.inside = given.get("action") == self.action
        if not self.inside:
            return
        if tag == "select":
            self.select = name
        elif tag == "option" and (self.select not in self.fields or "selected" in given):
            self.fields[self.select] = value
        elif tag == "input" and name:
            if given.get("type") not in {"radio", "checkbox"}:
                self.fields[name] = value
            elif "checked" in given:
                self.fields[name] = value or "on"

    def handle_endtag(self, tag: str) -> None:
        """Notice the end of a form."""
        self.inside = self.inside and tag != "form"


class Database:
    """The site's database as a test reads it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """Return the rows of a query."""
        with psycopg.connect(self.url, row_factory=dict_row) as connection:
            return connection.execute(query.encode(), values or None).fetchall()

    def run(self, statement: str, *values: object) -> None:
        """Run a statement."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode(), values or None)

    def game(self, key: str) -> dict[str, Any]:
        """Return a game's row, with ``mover``: the name of the person to move, empty where nobody or a bot is."""
        (row,) = self.rows(
            "SELECT game.*, COALESCE(seat.name, '') AS mover, seat.user_id AS mover_id FROM games_game game "
            "LEFT JOIN games_seat seat ON seat.game_id = game.id AND seat.number = game.to_move AND seat.bot = '' "
            "WHERE game.key = %s",
            key,
        )
        return row

    def seq(self, key: str) -> int:
        """Return the number of a game's last entry."""
        return int(self.rows("SELECT seq FROM games_game WHERE key = %s", key)[0]["seq"])

    def entries(self, key: str) -> list[dict[str, Any]]:
        """Return the move log."""
        return self.rows(
            "SELECT * FROM games_entry WHERE game_id = (SELECT id FROM games_game WHERE key = %s) ORDER BY seq",
            key,
        )

    def choose_turn(self, key: str, rng: Random, *, cunning: float = CUNNING) -> str:
        """Return a legal turn of the seat to move: a good one, or else one that hides a card where there is one."""
        game = self.game(key)
        rules = RULESETS[game["ruleset"]]
        state = rules.load(game["setup"], game["state"])
        if rng.random() < cunning:
            return rules.choose_turn(rules.autopilot, state, rng)
        steps: list[str] = []
        while (legal := rules.legal_steps(state, steps)) and END not in legal:
            hiding = [step for step in legal if "(" in step]
            steps.append(rng.choice(hiding or list(legal)))
        return " ".join(steps)


def play_to_the_end(database: Database, key: str, people: list[Person], *, rng: Random, most: int = 400) -> None:
    """Let people play until a game of theirs ends; computer players are waited for."""
    by_name = {person.name: person for person in people}
    stack = people[0].stack
    for _turn in range(most):
        stack.wait(
            lambda: (row := database.game(key))["status"] == "finished" or row["mover"] in by_name,
            what="a computer player's turn",
        )
        game = database.game(key)
        if game["status"] == "finished":
            return
        answer = by_name[game["mover"]].play(key, game["seq"], database.choose_turn(key, rng))
        assert answer.status == 200, (answer.status, answer.body[:2000])
    raise AssertionError(f"game {key} did not end")
