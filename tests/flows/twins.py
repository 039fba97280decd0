"""Twin games: two that differ in nothing but what is hidden from a reader. Whatever the site answers is gathered here.

Each twin is played in a site of its own: the same people, the same instants, and all undone before the other's turn.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from itertools import zip_longest
from random import Random
from typing import Any, Final

import pytest
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from engine.contract import END
from games import commands
from games.clock import PRESETS, TimeControl, custom
from games.delivery import outlets
from games.delivery.deliver import send_due
from games.delivery.outbound import Answer, Call
from games.delivery.outlets import call_due
from games.log.positions import position_at, rules_of
from games.models import Game, Proposal, Seat
from games.models.choices import Status
from games.notices.kinds import HookStyle
from games.notices.models import Notice
from games.notices.topics import TOPICS
from gravitysite import metrics
from tests.flows.addresses import FIELDS, ROWS, Row
from tests.flows.play import NOW, make_user, mover_of
from tests.outlets.nearby import unsealed

THEN: Final = NOW.replace(year=2016)
"""When twins are played: so long ago that what is said of it by the real clock, in years, is the same for both."""
PLAIN: Final[dict[str, str]] = {}
HTMX: Final = {"HX-Request": "true"}
TWO_DAYS: Final[TimeControl] = custom(2 * 24 * 60 * 60)
LATER: Final = timedelta(hours=2)
CHANCE: Final = {"X-Request-ID", "Expires"}
"""Headers of chance and of the real clock: a number drawn for each request, and the end of what is never kept."""
HIDING: Final = ("turn", "digest", "setup", "state", "events", "head", "setup_digest", "nameless_digest")
"""Columns that hold or betray hidden cards."""
SECRET: Final = "whsec_c2VjcmV0"
DRAWN: Final = ("csrftoken", "sessionid")
"""Cookies whose values are drawn, by chance, for each browser."""
ABOUT: Final = {"running", "entry", "-", "person", "name"}
"""The rows of the table of addresses whose answers can depend on what was drawn for a game. Of the others, `OTHERS`."""
OTHERS: Final = {
    "open": "nothing is drawn before the start",
    "message": "what players write is no part of what is drawn",
    "heard": "what spectators write is no part of what is drawn",
    "planned": "a plan is its owner's alone, and nobody else has one there",
    "puzzle": "a position of a game that is over, in which nothing is hidden",
    "judged": "a position of a game that is over, in which nothing is hidden",
    "sample": "samples of mails are about games that were never stored",
    "word": "a signed word stands for a person and kinds of notices",
    "stop": "a signed word stands for an address",
    "holiday": "a person's own days",
    "family": "pages of rules",
    "mail": "a code of sign-in",
    "change": "a change of address",
    "reset": "a code of sign-in",
    "session": "where a person is signed in",
    "passkey": "what a person signs in with",
    "token": "what lets programs in for a person",
    "secret": "a person's deadlines, which are in no part of what is drawn",
    "bot": "the account of a person's program",
    "outlet": "a way to a person, which no game has a part in",
    "rest": "there is nothing",
    "moved": "it leads on, whatever is there",
    "lesson": "a lesson begins in the same position for all",
}

PRACTICE: Final = tuple(
    f"{page}_{verb}" for page in ("try", "plan") for verb in ("preview", "choices", "turn", "moves")
)
"""Addresses at which ``seq`` is the number of turns that were played on a practice board."""
SIGNING_IN: Final = ("account_", "mfa_", "usersessions_")
"""How the names of addresses begin that are about signing in, and about no game."""
NO_TWINS: Final = {
    "outlet-test": "it is about no game",
    "invited": "nothing is drawn before the start",
    "joined": "nothing is drawn before the start",
    "removed": "nothing is drawn before the start",
    "expiry": "nothing is drawn before the start",
    "over": "nothing is hidden any more",
    "cancelled": "nothing is hidden any more",
    "holiday-begins": "about no game",
    "holiday-ends": "about no game",
    "test": "about no game",
}
"""The topics that no twins of running games can be mailed about. All others are, to a seat."""
MAILED: Final = TOPICS.keys() - NO_TWINS.keys()

type Answers = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Twins:
    """How to make twins of a board game, and how it is played on so that they stay twins."""

    begin: Callable[[Sequence[User], TimeControl], Game]
    """Start a game of three, who sit in the given order."""
    part: Callable[[Game, int | None, int], None]
    """Make a new game the one or the other twin for a seat, or for a guest."""
    turn: Callable[[Game], str]
    """Return a turn for the seat to move, which others can't tell from the one that is returned for the other twin."""
    steps: Sequence[str]
    """Steps, most of them wrong, to be asked for whoever is to move."""
    turns: Sequence[str]
    """Turns, those among them that the twins differ in; the first can't be a part of a game's address."""
    elsewhere: bool = True
    """Whether answers about no one game are asked for as well: once is enough, they are the same for all games."""


class Site:
    """The site with one twin on it, as a reader may see it."""

    def __init__(self, twins: Twins, viewer: int | None, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        self.twins, self.viewer, self.patch = twins, viewer, monkeypatch
        self.people = [make_user(name) for name in ("Ada", "Bo", "Cleo")]
        staff = User.objects.create_superuser("staff@example.org", "a fine long password", display_name="Staff")
        self.readers: dict[str, User | None] = (
            {"guest": None, "stranger": make_user("Zed", language="nl"), "staff": staff}
            if viewer is None
            else {f"seat {viewer}": self.people[viewer - 1]}
        )
        self.browsers = {role: self._browser(user) for role, user in self.readers.items()}
        self.now: datetime = THEN
        monkeypatch.setattr(timezone, "now", lambda: self.now)
        self.game = Game()
        self.topics: set[str] = set()
        settings.METRICS_TOKEN = "watcher"

    def _browser(self, user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def shown(self, which: int) -> Answers:
        """Return what the readers are shown of the one or the other twin, and leave the site as it was."""
        before = transaction.savepoint_create()
        self._begin(which)
        shown = dict(self._all_shown(turns=False))
        transaction.savepoint_rollback(before)
        return shown

    def answers(self, which: int) -> Answers:
        """Return all that the readers are seen of the one or the other twin, and leave the site as it was."""
        before = transaction.savepoint_create()
        self._begin(which)
        self._listen()
        seen = {f"then: {label}": answer for label, answer in self._all_shown()}
        if self.viewer is not None:
            seen |= self._live(self.people[self.viewer - 1])
            seen |= {f"later: {label}": answer for label, answer in self._all_shown(turns=False)}
        seen["metrics"] = self._figures()
        transaction.savepoint_rollback(before)
        return seen

    def _begin(self, which: int) -> None:
        mail.outbox.clear()
        self.now = THEN
        self.patch.setattr(metrics, "_tally", metrics._LogTally())  # else what was counted would be undone unnoticed
        self.game = self.twins.begin(self.people, TWO_DAYS)
        self.twins.part(self.game, self.viewer, which)
        self.now += timedelta(minutes=1)

    def _listen(self) -> None:
        """Let the reader be told by a browser and a webhook too, whose calls are kept and go nowhere."""
        self.called: list[Call] = []
        self.patch.setattr(outlets, "push_call", unsealed)
        self.patch.setattr(outlets, "call_all", self._note_calls)
        if self.viewer is None:
            return
        me = self.people[self.viewer - 1]
        UserSession.objects.create(user=me, session_key="twin", ip="192.0.2.1")
        keys = {"public_key": "", "secret": ""}
        browser = {"session_key": "twin", "name": "Firefox", "address": "https://push.example/1"}
        commands.add_device(user=me, **browser, **keys, now=self.now)
        for style in HookStyle:
            address = f"https://hook.example/{style}"
            commands.add_hook(user=me, name=style, style=style, address=address, secret=SECRET, now=self.now)

    def _note_calls(self, calls: Mapping[int, Call]) -> dict[int, Answer]:
        self.called += calls.values()
        return dict.fromkeys(calls, Answer(status=HTTPStatus.NO_CONTENT))

    # --- Asking ----------------------------------------------------------------------------------------------------

    def _all_shown(self, *, turns: bool = True) -> Iterator[tuple[str, str]]:
        self.game = Game.objects.get(pk=self.game.pk)
        for role in self.readers:
            for label, answer in self._shown_to(role, turns=turns):
                yield self._plain(f"{role}: {label}"), answer

    def _shown_to(self, role: str, *, turns: bool) -> Iterator[tuple[str, str]]:
        for row in ROWS:
            about = ABOUT if self.twins.elsewhere else {"running"}
            if row.about in about and not row.name.startswith(SIGNING_IN) and (turns or row.method == "GET"):
                yield from self._ask_row(role, row)
        yield from self._ask_positions(role)
        if turns:
            yield from self._ask_turns(role)
            yield from self._try_out(role)
            yield from self._plan(role)
        if role == "staff" and self.twins.elsewhere:
            yield from self._ask_admin()

    def _ask_row(self, role: str, row: Row) -> Iterator[tuple[str, str]]:
        fields = dict(FIELDS.get(row.name, {}))
        if "seq" in fields and row.name not in PRACTICE:
            first = self.twins.steps[0]
            known_to = {"seq": self.game.seq, "turn": first, "step": first}
            known_to["steps"] = [first] if isinstance(fields.get("steps"), list) else first
            fields |= known_to if not row.name.startswith("api_") else {name: known_to[name] for name in fields}
        about: dict[str, list[dict[str, str]]] = {
            "running": [{"key": self.game.key}],
            "entry": [{"key": self.game.key, "number": str(max(1, self.game.seq))}],
            "-": [{}],
            "person": [{"number": str(user.pk)} for user in self.people],
            "name": [{"name": user.display_name} for user in self.people],
        }
        for known in about[row.about]:
            address = reverse(row.name, kwargs=known)
            for headers in (PLAIN, HTMX) if row.about == "running" else (PLAIN,):
                seen = self._ask(role, row.method, address, fields, headers=headers)
                yield f"{row.method} {row.name} {known.get('name', known.get('number', ''))} {headers}", seen

    def _ask_positions(self, role: str) -> Iterator[tuple[str, str]]:
        page, board, moves = (reverse(name, args=[self.game.key]) for name in ("game", "game_board", "game_moves"))
        position, log, drawn = (
            reverse(name, args=[self.game.key]) for name in ("api_position", "api_log", "api_picture")
        )
        for at in range(self.game.seq + 2):
            yield f"api position {at}", self._ask(role, "GET", position, {"at": at})
            yield f"api log {at}", self._ask(role, "GET", log, {"after": at})
            yield f"api picture {at}", self._ask(role, "GET", drawn, {"at": at, "scheme": ("light", "dark")[at % 2]})
            yield f"moves {at}", self._ask(role, "GET", moves, {"first": max(1, at - 11), "last": at})
            yield f"at {at}", self._ask(role, "GET", page, {"at": at}, headers=HTMX if at % 2 else PLAIN)
            picture = reverse("board_svg", args=[self.game.key])
            yield f"picture {at}", self._ask(role, "GET", picture, {"at": at, "scheme": ("light", "dark")[at % 2]})
            yield f"news since {at}", self._ask(role, "GET", board, {"composing": 1, "seq": at}, headers=HTMX)
        reader = self.readers[role]
        who = "0-en" if reader is None else f"{reader.pk}-{reader.language}"
        tag = f'"{self.game.version}-{who}"'
        seen = self._ask(role, "GET", board, headers={**HTMX, "HX-PTag": tag})
        assert seen.startswith("304 ")
        yield "unchanged", seen
        tag = f'"{self.game.version}-{0 if reader is None else reader.pk}-last"'
        seen = self._ask(role, "GET", position, headers={"If-None-Match": tag})
        assert seen.startswith("304 ")
        yield "api unchanged", seen
        yield "older", self._ask(role, "GET", reverse("messages", args=[self.game.key]), {"before": 1})

    def _try_out(self, role: str) -> Iterator[tuple[str, str]]:
        """Play on from some positions, for whoever is to move there, with steps that may be wrong."""
        names = ("try_out", "try_preview", "try_choices", "try_turn", "try_moves")
        page, preview, choices, turn, moves = (reverse(name, args=[self.game.key]) for name in names)
        for at in {0, self.game.seq - 1, self.game.seq}:
            where = f"?at={at}"
            yield f"try {at}", self._ask(role, "GET", page, {"at": at}, headers=HTMX if at % 2 else PLAIN)
            yield f"try {at} choices", self._ask(role, "POST", choices + where, {"seq": 0})
            for step in self.twins.steps:
                body = {"seq": 0, "step": step}
                yield f"try {at} preview {step}", self._ask(role, "POST", preview + where, body, headers=HTMX)
            for text in self.twins.turns:
                played = {"seq": 1, "played": text}
                yield f"try {at} turn {text}", self._ask(role, "POST", turn + where, {"seq": 0, "steps": text})
                yield f"try {at} after {text}", self._ask(role, "POST", preview + where, played)
                shown = {**played, "first": 1, "last": 1}
                yield f"try {at} moves {text}", self._ask(role, "POST", moves + where, shown)

    def _plan(self, role: str) -> Iterator[tuple[str, str]]:
        """Plan turns, most of which are wrong."""
        names = ("plan_preview", "plan_choices", "plan_turn", "plan_add")
        preview, choices, turn, add = (reverse(name, args=[self.game.key]) for name in names)
        for at in (self.game.seq - 1, self.game.seq):
            for step in self.twins.steps:
                body = {"seq": 0, "step": step}
                yield f"plan {at} preview {step}", self._ask(role, "POST", f"{preview}?at={at}", body, headers=HTMX)
            for text in self.twins.turns:
                body = {"seq": 0, "steps": text}
                yield f"plan {at} choices {text}", self._ask(role, "POST", f"{choices}?at={at}", body)
                yield f"plan {at} turn {text}", self._ask(role, "POST", f"{turn}?at={at}", body)
                yield f"plan {at} add {text}", self._ask(role, "POST", add, {"seq": at, "turn": text})

    def _ask_turns(self, role: str) -> Iterator[tuple[str, str]]:
        key, seq = self.game.key, self.game.seq
        preview, turn, api = (reverse(name, args=[key]) for name in ("game_preview", "game_turn", "api_turns"))
        legal, why_not, resign = (reverse(f"api_{name}", args=[key]) for name in ("legal", "why_not", "resign"))
        for at, steps, step in self._some_steps(role):
            body = {"seq": at, "steps": " ".join(steps), "step": step}
            yield f"preview {body}", self._ask(role, "POST", preview, body, headers=HTMX)
            begun = {"seq": at, "steps": list(steps)}
            why = {**begun, "step": step.split()[0]}
            yield f"api legal {begun}", self._ask(role, "POST", legal, begun, json=True)
            yield (
                f"api legal {why}",
                self._ask(role, "POST", legal, {"seq": at, "steps": [*steps, why["step"]]}, json=True),
            )
            yield f"api why not {why}", self._ask(role, "POST", why_not, why, json=True)
        for spot in ("0,0", "1,0", "3,2", "5,5", "x"):
            body = {"seq": seq, "steps": "", "spot": spot}
            yield f"preview {body}", self._ask(role, "POST", preview, body)
        for at in (seq - 1, seq):
            for text in self.twins.turns:
                yield f"turn {at} {text}", self._ask(role, "POST", turn, {"seq": at, "steps": text})
                yield f"api {at} {text}", self._ask(role, "POST", api, {"seq": at, "turn": text}, json=True)
            yield f"api resign {at}", self._ask(role, "POST", resign, {"seq": at}, json=True)
            yield f"resign {at}", self._ask(role, "POST", reverse("game_resign", args=[key]), {"seq": at})
        yield "unreadable", self._ask(role, "POST", turn, {"steps": "x" * 300})
        yield "api unreadable", self._ask(role, "POST", api, {"turn": 5}, json=True)

    def _some_steps(self, role: str) -> Iterator[tuple[int, tuple[str, ...], str]]:
        """Yield what is previewed: every first step that is legal, some that follow, and what is wrong or stale."""
        seq = self.game.seq
        mover = Seat.objects.filter(game=self.game, number=self.game.to_move).first()
        if mover is not None and mover.user == self.readers[role]:
            rules, state, rng = rules_of(self.game), position_at(self.game, seq).state, Random(seq)
            first = [step for step in rules.legal_steps(state) if step != END]
            yield from ((seq, (), step) for step in first)
            for step in rng.sample(first, min(5, len(first))):
                following = [step for step in rules.legal_steps(state, [step]) if step != END]
                yield from ((seq, (step,), other) for other in rng.sample(following, min(3, len(following))))
        for step in self.twins.steps:
            yield seq, (), step
            yield seq, (self.twins.steps[0],), step
        yield seq - 1, (), self.twins.steps[0]

    def _ask_admin(self) -> Iterator[tuple[str, str]]:
        for model in admin.site._registry:
            if model._meta.app_label not in {"games", "notices"}:
                continue
            name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
            queries: list[dict[str, object]] = [{}, {"q": self.game.key}, {"q": self.twins.turns[0]}]
            queries += [{"o": column} for column in range(1, 9)]
            queries += [{f"{column}__gt": "a"} for column in HIDING if column in _columns(model)]
            for query in queries:
                yield f"{name} {query}", self._ask("staff", "GET", reverse(f"{name}_changelist"), query)
            for place, pk in enumerate(model._default_manager.values_list("pk", flat=True)):
                for page in ("change",) if place else ("change", "history", "delete"):
                    yield f"{name} {pk} {page}", self._ask("staff", "GET", reverse(f"{name}_{page}", args=[pk]))

    def _ask(
        self,
        role: str,
        method: str,
        address: str,
        fields: dict[str, Any] | None = None,
        *,
        headers: dict[str, str] | None = None,
        json: bool = False,
    ) -> str:
        """Ask, and undo what that changed."""
        cache.clear()  # no limit on asking
        browser, before = self.browsers[role], transaction.savepoint_create()
        cookies = copy(browser.cookies)
        if method == "GET":
            response = browser.get(address, fields or {}, headers=headers or {})
        elif method == "DELETE":
            response = browser.delete(address, headers=headers or {})
        elif json or address.startswith("/api/"):
            response = browser.post(address, fields or {}, content_type="application/json", headers=headers or {})
        else:
            response = browser.post(address, fields or {}, headers=headers or {})
        browser.cookies = cookies
        transaction.savepoint_rollback(before)
        sent = [f"{name}: {value}" for name, value in response.items() if name not in CHANCE]
        sent += [str(cookie) for name, cookie in response.cookies.items() if name not in DRAWN]
        return self._plain(
            "\n".join(
                [f"{response.status_code} {address}", *sent, "", response.content.decode(errors="backslashreplace")]
            )
        )

    def _figures(self) -> str:
        """Return the metrics of the site, without those of this process."""
        answer = Client().get("/metrics", headers={"Authorization": "Bearer watcher"})
        assert answer.status_code == HTTPStatus.OK
        return "\n".join(line for line in answer.content.decode().splitlines() if line.startswith("gravity_"))

    def _plain(self, text: str) -> str:
        """Return a text without what is drawn for a game's address, a form or a mail, whatever was dealt."""
        text = text.replace(self.game.key, "KEY")
        # Of a game that was started at a press, or by a program.
        text = re.sub(r'("key":")(?!KEY)\w{12}"', r'\1NEW"', text)
        text = re.sub(r"(Location: (?:/api/v1)?/games/)\w{12}/", r"\1NEW/", text)
        text = re.sub(r'(name="(?:csrfmiddleware)?token" value=")[^"]*', r"\1", text)
        text = re.sub(r"(Set-Cookie: messages=[^:;]*):[^;]*", r"\1", text)  # signed with the real time, as is a word
        text = re.sub(r"(Set-Cookie: turn=[^;]*); expires=[^;]*", r"\1", text)  # an hour from the real time
        text = re.sub(r"(Set-Cookie: seat=KEY):[^;]*; expires=[^;]*", r"\1", text)  # likewise, and signed with it
        text = re.sub(r"/calendar/gst_\w+", "/calendar/TOKEN", text)
        text = re.sub(r"Message-ID: <[0-9a-f]{32}@", "Message-ID: <CHANCE@", text)
        return re.sub(r"/unsubscribe/[^/]+/", "/unsubscribe/WORD/", text)

    # --- Living ----------------------------------------------------------------------------------------------------

    def _live(self, me: User) -> Answers:
        """Let the game go on until the reader's time has run out for good; return what they were seen and mailed."""
        seen: Answers = {}
        role, others = f"seat {self.viewer}", [user for user in self.people if user != me]
        key = self.game.key
        self._sweep()
        self._play_until(me)
        commands.propose_time_control(game_key=key, user=others[0], time_control=PRESETS["daily"], now=self.now)
        self._sweep()
        body = {"proposal": Proposal.objects.get(game=self.game).pk}
        seen["asked"] = self._ask(role, "GET", reverse("game", args=[key]))
        seen["proposal"] = self._ask(role, "GET", reverse("game_time_control", args=[key]))
        seen["agree"] = self._ask(role, "POST", reverse("agree", args=[key]), body)
        commands.answer_proposal(game_key=key, user=me, proposal_id=body["proposal"], agree=True, now=self.now)
        commands.answer_proposal(game_key=key, user=others[1], proposal_id=body["proposal"], agree=True, now=self.now)
        commands.write_message(game_key=key, user=others[1], text="Hello", now=self.now)
        self._sweep()
        commands.pause_game(game_key=key, now=self.now)
        self.now += timedelta(hours=5)
        commands.resume_game(game_key=key, now=self.now)
        self._sweep()
        while not Seat.objects.get(game=self.game, user=me).retired:
            commands.expire_turn(game_id=self.game.pk, rng=Random(self.now.hour), now=self.now)
            self._play_until(me)
            self._sweep()
        assert Game.objects.get(pk=self.game.pk).status == Status.ACTIVE
        for number, letter in enumerate(letter for letter in mail.outbox if letter.to == [me.email]):
            seen[f"mail {number}"] = self._plain(_text_of(letter.message()))
        for number, call in enumerate(self.called):
            seen[f"call {number}"] = self._plain(f"{call.address} {call.body.decode()}")
        assert {call.address.rpartition("/")[2] for call in self.called} == {"1", *HookStyle}
        self.topics |= set(Notice.objects.filter(user=me, state="sent").values_list("topic", flat=True))
        return seen

    def _play_until(self, me: User) -> None:
        """Let the others play until it is the reader's turn, or the reader is out of the game."""
        for _turn in range(3):
            self.game = Game.objects.get(pk=self.game.pk)
            seat = Seat.objects.get(game=self.game, number=self.game.to_move)
            if seat.user == me or seat.user is None or Seat.objects.get(game=self.game, user=me).retired:
                return
            turn = self.twins.turn(self.game)
            commands.play_turn(game_key=self.game.key, user=seat.user, seq=self.game.seq, turn=turn, now=self.now)

    def _sweep(self) -> None:
        self.now += LATER
        send_due(self.now)
        call_due(self.now)


def _columns(model: type[Model]) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


def _text_of(letter: Any) -> str:
    """Return the headers and parts of a mail, without its date and what parts it."""
    headers = [f"{name}: {value}" for name, value in letter.items() if name not in {"Date", "Content-Type"}]
    parts = [part.get_content() for part in letter.walk() if not part.is_multipart()]
    return "\n".join([*headers, *parts])


def play(game: Game, turn: str) -> None:
    """Play a turn for whoever is to move."""
    now = Game.objects.get(pk=game.pk)
    commands.play_turn(game_key=now.key, user=mover_of(now), seq=now.seq, turn=turn, now=THEN)


def differences(one: Answers, other: Answers) -> list[str]:
    """Return a line for each answer that tells twins apart, none of them long."""
    found = [f"{label}: asked of one twin alone" for label in sorted(one.keys() ^ other.keys())]
    for label in [label for label in one if label in other and one[label] != other[label]]:
        lines = zip_longest(one[label].splitlines(), other[label].splitlines(), fillvalue="")
        found.append(f"{label}: " + next(f"{a[:300]!r} or {b[:300]!r}" for a, b in lines if a != b))
    return found
