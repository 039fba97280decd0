"""How the site shows Acorns: the piles as text, a button a step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from engine.contract import END, Event, Json, JsonObject
from engine.errors import RulesError
from games.log.positions import Snapshot, rules_of
from games.presenters.composition import Composition
from games.presenters.protocol import BotKind, PastTurn, Played, RecapLine, Shown
from games.presenters.sheets import Scheme
from games.queries.game_page import GamePage
from games.queries.history import PastPosition
from games.queries.moves import Move
from games.words.refusals import REFUSALS, explain
from tests.another_game.engine import Acorns
from tests.another_game.engine.rules import AcornsCode, AcornsEvent
from tests.another_game.engine.state import WINTERS

REFUSED: Final[Mapping[str, str]] = {
    AcornsCode.NOT_IN_HAND: "The nut %(nut)s is not in your hand.",
    AcornsCode.NOTHING_LEFT: "No nut is left to dig for.",
    AcornsCode.NOTHING_TO_ROB: "There is nothing to rob from %(victim)s.",
    AcornsCode.ACTION_FIRST: "A nut is thrown away after the action.",
    AcornsCode.ONE_ACTION: "After the action a nut may only be thrown away.",
}
HAPPENED: Final[Mapping[str, str]] = {
    AcornsEvent.ATE: "{seat} eats nut {nut}.",
    AcornsEvent.HID: "{seat} hides {nut} in the nest.",
    AcornsEvent.DUG: "{seat} digs {nut} onto the hoard.",
    AcornsEvent.ROBBED: "{seat} robs the hoard of {victim}.",
    AcornsEvent.THREW: "{seat} throws nut {nut} away.",
    AcornsEvent.DREW: "{seat} draws {nut}.",
    AcornsEvent.RETIRED: "{seat} leaves the game.",
    AcornsEvent.ROUND_ENDED: "Round {round} is over.",
    AcornsEvent.GAME_ENDED: "The game is over: {why}.",
}
DEEDS: Final = {"e": "Eat nut", "h": "Hide nut", "d": "Dig", "r": "Rob seat", "x": "Throw away nut"}


class OptionsForm(forms.Form):
    """Asks how hard the winter is."""

    use_required_attribute = False

    winter = forms.ChoiceField(choices=[(winter, winter) for winter in WINTERS], initial=WINTERS[0])

    def options(self) -> JsonObject:
        return {"winter": self.cleaned_data["winter"]}


@dataclass(frozen=True, slots=True, kw_only=True)
class AcornsTable:
    """What the templates show."""

    round: int
    deck: str
    rubbish: str
    piles: tuple[tuple[str, str, str, str, str, int], ...]
    """Name, hand, eaten, nest, hoard and points of each seat."""
    steps: tuple[tuple[str, str], ...] = ()
    story: tuple[str, ...] = ()
    may_end: bool = False
    can_turn: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True)
class AcornsResult:
    """What a finished game shows."""

    headline: str
    rows: tuple[tuple[str, int, int], ...]
    """Name, points and place, best first."""


class AcornsPresenter:
    """Presents games of ``acorns-1``. Each method does what `games.presenters.protocol.Presenter` says of it."""

    title: Final = "Acorns"
    templates: Final = "acorns"
    board_sheets: Final = ("acorns/acorns.css",)
    table_sheets: Final = ()
    contrast_sheets: Final = ()
    scripts: Final = ()
    options_form: Final = OptionsForm
    lessons: Final = ()
    countdown_name: Final = "Nuts in the deck"
    pitch: Final = "Acorns is a game of squirrels."
    usual_length: Final = "A game lasts three winters."
    bot_kinds: Final[Mapping[str, BotKind]] = {
        "random": BotKind(("Random squirrel",), "wild"),
        "careful": BotKind(("Careful squirrel",), "tame"),
        "hasty": BotKind(("Hasty squirrel",), "quick"),
    }

    def describe_options(self, options: Mapping[str, Json]) -> list[str]:
        return [f"{options['winter']} winter"]

    mark_names: Final = {"robbery": "a robbery"}

    def describe_counts(self, counts: Mapping[str, int]) -> list[tuple[str, str]]:
        return [("Robberies", str(counts.get("robbed", 0)))]

    def show(
        self,
        page: GamePage,
        position: Snapshot,
        moves: Sequence[Move],  # noqa: ARG002 - there is no trail to draw
        composition: Composition | None,
    ) -> AcornsTable:
        rules, names = rules_of(page.game), page.table.names
        if composition is None:
            return self._table(page.view or {}, names)
        played = rules.play_steps(position.state, composition.steps)
        legal = rules.legal_steps(position.state, composition.steps)
        view = rules.view(played.state, page.table.viewer_number)
        return self._table(
            view,
            names,
            steps=tuple((step, f"{DEEDS[step[0]]} {step[1:]}") for step in legal if step != END),
            story=tuple(self.narrate(played.events, composition.text, names)),
            may_end=END in legal,
        )

    def _table(self, view: Mapping[str, Any], names: Sequence[str], **more: Any) -> AcornsTable:
        piles = zip(names, view["hands"], view["eaten"], view["nests"], view["hoards"], view["points"], strict=True)
        return AcornsTable(round=view["round"], deck=view["deck"], rubbish=view["rubbish"], piles=tuple(piles), **more)

    def result(self, past: Sequence[PastPosition], names: Sequence[str]) -> AcornsResult:
        view: Mapping[str, Any] = past[-1].view
        rows = sorted(zip(names, view["points"], view["ranking"], strict=True), key=lambda row: row[2])
        return AcornsResult(f"{rows[0][0]} is best prepared", tuple(rows))

    def countdown(self, view: JsonObject) -> int | None:
        deck: Any = view["deck"]
        return len(deck)

    def turns_to(self, page: GamePage, position: Snapshot, composition: Composition) -> list[tuple[str, ...]]:  # noqa: ARG002
        return []

    def choices(self, page: GamePage, position: Snapshot, composition: Composition) -> dict[str, str]:  # noqa: ARG002
        return {}

    def narrate(self, events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:  # noqa: ARG002
        return list(self._sentences(events, names))

    def play(
        self,
        events: Sequence[Event],
        turn: str,
        names: Sequence[str],
        before: JsonObject,  # noqa: ARG002 - it has no script
        after: JsonObject,  # noqa: ARG002
    ) -> Played:
        return Played(self.narrate(events, turn, names), "", ())

    def _sentences(self, events: Sequence[Event], names: Sequence[str]) -> Iterator[str]:
        for event in events:
            params: dict[str, Any] = dict(event.params)
            params["nut"] = "a nut" if params.get("nut") is None else params["nut"]
            if "victim" in params:
                params["victim"] = names[params["victim"] - 1]
            seat = "" if event.seat is None else names[event.seat - 1]
            yield HAPPENED[event.kind].format(**{**params, "seat": seat})

    def describe_turn(self, turn: str, names: Sequence[str]) -> str:  # noqa: ARG002
        return turn

    def describe_condition(
        self,
        condition: str,
        view: JsonObject,  # noqa: ARG002 - the contract's
        names: Sequence[str],
    ) -> str:
        if condition == "deck":
            return "There are nuts to dig for."
        _name, victim, size = condition.split(":")
        return f"{names[int(victim) - 1]} has a hoard of at least {size}."

    def recap(self, turns: Sequence[PastTurn], reader: int, names: Sequence[str]) -> list[RecapLine]:
        return [
            RecapLine(seq=turn.seq, seat=turn.seat, words=" ".join(self.narrate(turn.events, turn.turn, names)))
            for turn in turns
            if turn.seat != reader
        ]

    def explain(self, reason: str, params: Mapping[str, Json], seat: int, names: Sequence[str]) -> str:  # noqa: ARG002
        return f"{names[seat - 1]} could have had more nuts." if reason == "more-nuts" else "No more nuts to be had."

    theme_names: Final = {"hiding": ("Hiding", "A nut is hidden."), "throwing": ("Throwing", "A nut is thrown.")}

    refusals: Final = REFUSED

    def refuse(self, error: RulesError, names: Sequence[str]) -> str:
        if error.code in REFUSALS:
            return explain(error)
        params: dict[str, Any] = dict(error.params)
        if "victim" in params:
            params["victim"] = names[min(params["victim"], len(names)) - 1]
        return REFUSED[error.code.value] % params

    def draw(self, view: JsonObject, names: Sequence[str]) -> SafeString:
        table = self._table(view, names)
        rows = format_html_join("", "<li>{}: {} | {} | {} | {} ({})</li>", table.piles)
        return format_html('<ul class="board-scroll">{}</ul>', rows)

    def draw_example(self) -> SafeString:
        rules = Acorns()
        return self.draw(rules.view(rules.set_up(("Ada", "Bo"), {"winter": "mild"}, Random(1)), None), ("Ada", "Bo"))

    def picture(self, view: JsonObject | None, moves: Sequence[Move], scheme: Scheme) -> str:  # noqa: ARG002
        points: Sequence[Any] = view["points"] if view else (3, 5)  # type: ignore[assignment]
        colour = "#a5c" if scheme == Scheme.DARK else "#527"
        rows = format_html_join(
            "", '<path d="M10 {}h{}"/>', ((10 + 20 * row, 5 + point) for row, point in enumerate(points))
        )
        head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 100"><title>Acorns</title><desc>Points</desc>'
        return f'{head}<g stroke="{colour}" stroke-width="9">{rows}</g></svg>'

    def hint(self, table: Shown, page: GamePage) -> None:
        pass

    def guide(self) -> None:
        return None

    def reference(self, size: int | None, options: Mapping[str, Json]) -> None:  # noqa: ARG002
        return None

    def sprite(self) -> SafeString:
        return SafeString("")
