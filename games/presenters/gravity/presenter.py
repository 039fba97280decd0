"""What the templates of Gravity show: the board, the table around it, and the panel in which a turn is composed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count
from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from engine.contract import END, Event, Json, JsonObject
from engine.errors import RulesError
from engine.gravity.events import EventKind
from engine.gravity.state import EXPERT_POINTS, LAST_STARS
from games.log.positions import Snapshot
from games.models import Seat
from games.presenters.composition import Composition
from games.presenters.gravity.acts import acts_of
from games.presenters.gravity.board import Picture, draw_board, draw_scene
from games.presenters.gravity.compose import Panel, Turn, compose_panel
from games.presenters.gravity.example import EXAMPLE_NAMES, example_view
from games.presenters.gravity.options import BOT_CHOICES, BOT_NAMES, OptionsForm, describe_options
from games.presenters.gravity.recap import recap
from games.presenters.gravity.sentences import (
    CARD_NAMES,
    ITEM_NAMES,
    describe_position,
    describe_space,
    narrate,
    narrate_along,
    refuse,
)
from games.presenters.gravity.space import label_space, parse_pawn, parse_space
from games.presenters.gravity.symbols import sprite
from games.presenters.gravity.trail import Trail, trail_of
from games.presenters.gravity.view import GravityView, read_options, read_view
from games.presenters.protocol import PastTurn, Played, RecapLine
from games.queries.game_page import GamePage


@dataclass(frozen=True, slots=True)
class Card:
    """A drawn card: a letter, or ``?`` for its back."""

    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class Loot:
    """So many of one kind of star or of tokens (``r``)."""

    item: str
    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPanel:
    """What one seat has, as the reader may see it."""

    seat: Seat
    number: int
    name: str
    is_viewer: bool
    to_move: bool
    points: int
    place: int | None
    retired: bool
    pawn: str
    loot: SafeString
    """Stars and tokens as a list of pictures, empty for none; so are the cards drawn."""
    hand: SafeString
    face_up: SafeString
    face_down: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place on the board to which legal steps lead."""

    value: str
    column: int
    row: int
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GravityTable:
    """All that the templates show of a started game, as the reader may see it."""

    board: SafeString
    board_size: str
    position_words: list[str]
    """The position in words, for those who can't see the board."""
    spots: tuple[Spot, ...]
    panel: Panel | None
    """None where the reader may not move."""
    seats: tuple[SeatPanel, ...]
    supply: int
    """Replay tokens left."""
    round: int
    stars_left: int
    ending: str
    """When the game ends, as a sentence."""
    open_door: str


class GravityPresenter:
    """Presents games of ``gravity-1``."""

    title: Final = "Gravity Superstar"
    templates: Final = "games/gravity"
    board_sheets: Final = ("games/gravity/board.css",)
    table_sheets: Final = ("games/gravity/table.css",)
    scripts: Final = ("games/gravity/player.js",)
    options_form: Final = OptionsForm
    bot_names: Final = BOT_NAMES
    bot_choices: Final = BOT_CHOICES

    def describe_options(self, options: Mapping[str, Json]) -> list[str]:
        """Return a few words for each option that is not the plain game."""
        return describe_options(read_options(options))

    def show(
        self, page: GamePage, position: Snapshot, before: JsonObject | None, composition: Composition | None
    ) -> GravityTable:
        """Return what the templates show of a started game. Raises `RulesError` for an illegal composition."""
        names, view = page.table.names, read_view(page.view or {})
        trail, panel, preview = _last_trail(page, before), None, False
        if composition is not None:
            turn = Turn.begin(page, position, composition.steps)
            # A pawn that enters by itself is no step: until there is one, the last turn of a rival is to be seen.
            panel, preview = compose_panel(turn, composition.spot, names), bool(composition.steps)
            trail = trail_of(turn.events, turn.number, view["pawns"][turn.number - 1]) if preview else trail
            view = turn.view
        picture = Picture(trail=trail, preview=preview, title=_("The board"), description=_describe_shortly(view))
        return GravityTable(
            board=draw_board(view, picture),
            board_size=f"{view['width']}x{view['height']}",
            position_words=describe_position(view, names),
            spots=tuple(_spots(panel, view, names)) if panel else (),
            panel=panel,
            seats=tuple(_seat_panels(page, view)),
            supply=view["supply"],
            round=view["round"],
            stars_left=_stars_left(view),
            ending=_ending(page),
            open_door=label_space(*parse_pawn(view["doors"][view["open_door"]])[:2]),
        )

    def steps_to(self, page: GamePage, position: Snapshot, composition: Composition) -> tuple[str, ...]:
        """Return the legal next steps that end on the composition's spot."""
        turn = Turn.begin(page, position, composition.steps)
        return tuple(step for step in turn.legal if step != END and turn.outcome(step).landing == composition.spot)

    def narrate(self, events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:
        """Return what happened in a turn, as sentences."""
        return narrate(events, turn, names)

    def recap(self, turns: Sequence[PastTurn], reader: int, names: Sequence[str]) -> list[RecapLine]:
        """Return what happened since the turn of seat ``reader``."""
        return recap(turns, reader, names)

    def play(
        self, events: Sequence[Event], turn: str, names: Sequence[str], before: JsonObject, after: JsonObject
    ) -> Played:
        """Return an entry of the log as the script plays it."""
        old, along = read_view(before), narrate_along(events, turn, names)
        told = list(accumulate(len(due) for due in along))
        captions = [sentence for due in along for sentence in due]
        return Played(captions, draw_scene(old), acts_of(events, old, read_view(after), told))

    def refuse(self, error: RulesError, names: Sequence[str]) -> str:
        """Return why the rules refuse something, as a sentence."""
        return refuse(error, names)

    def draw(self, view: JsonObject, names: Sequence[str]) -> SafeString:
        """Return the board alone, as an example."""
        return _draw_alone(read_view(view), names)

    def draw_example(self) -> SafeString:
        """Return the board of a fixed game, to be shown where none is running."""
        return _draw_alone(example_view(), EXAMPLE_NAMES)

    def sprite(self) -> SafeString:
        """Return the symbols that drawings on its pages of rules refer to."""
        return SafeString(sprite())


def _draw_alone(view: GravityView, names: Sequence[str]) -> SafeString:
    lines = describe_position(view, names)
    return draw_board(view, Picture(title=_("A board in play"), description=" ".join(lines)))


def _last_trail(page: GamePage, before: JsonObject | None) -> Trail | None:
    """Return the trail of the entry that led to the shown position, none for a seat that left."""
    seat = next((event.seat for event in page.events if event.seat is not None), None)
    if seat is None or any(event.kind == EventKind.RETIRED for event in page.events):
        return None
    return trail_of(page.events, seat, read_view(before)["pawns"][seat - 1] if before else None)


def _describe_shortly(view: GravityView) -> str:
    left = _stars_left(view)
    words = ngettext(
        "%(width)s by %(height)s spaces, %(count)s star left. The board is described in words below.",
        "%(width)s by %(height)s spaces, %(count)s stars left. The board is described in words below.",
        left,
    )
    return words % {"width": view["width"], "height": view["height"], "count": left}


def _stars_left(view: GravityView) -> int:
    return sum(len(row) - row.count(".") for row in view["stars"])


def _ending(page: GamePage) -> str:
    size = page.game.size
    if read_options(page.game.options).get("expert"):
        return _("The game ends after the round in which someone reaches %(points)s points.") % {
            "points": EXPERT_POINTS[size]
        }
    return _("The game ends after the round in which %(count)s stars or fewer are left on the board.") % {
        "count": LAST_STARS[size]
    }


def _spots(panel: Panel, view: GravityView, names: Sequence[str]) -> Iterator[Spot]:
    for value, steps in sorted(panel.landings.items()):
        x, y = parse_space(value)
        seen = describe_space(view, x, y, names)
        number = len(steps)
        if seen:
            words = ngettext(
                "%(space)s, %(seen)s: %(count)s move ends here",
                "%(space)s, %(seen)s: %(count)s moves end here",
                number,
            )
        else:
            words = ngettext("%(space)s: %(count)s move ends here", "%(space)s: %(count)s moves end here", number)
        label = words % {"space": label_space(x, y), "seen": seen, "count": number}
        yield Spot(value=value, column=x, row=y, label=label, chosen=value == panel.spot)


def _seat_panels(page: GamePage, view: GravityView) -> Iterator[SeatPanel]:
    ranking, language = view.get("ranking"), get_language()
    for index, (seat, name), pawn in zip(count(), page.table.seated, view["pawns"], strict=False):
        number = index + 1
        yield SeatPanel(
            seat=seat,
            number=number,
            name=name,
            is_viewer=number == page.viewer_number,
            to_move=number == view["seat"],
            points=view["points"][index],
            place=ranking[index] if ranking else None,
            retired=number in view["retired"],
            pawn="" if pawn is None else label_space(*parse_pawn(pawn)[:2]),
            loot=_draw_loot(view["loot"][index], language),
            hand=_draw_cards(view["hands"][index], language),
            face_up=_draw_cards(view["face_up"][index], language),
            face_down=_draw_cards(view["face_down"][index], language, down=True),
        )


@lru_cache(maxsize=2_000)
def _draw_cards(letters: str, _language: str, *, down: bool = False) -> SafeString:
    """Return cards as their reader may see them, made once for all the pages that show the same ones."""
    cards = [Card(letter, str(CARD_NAMES[letter])) for letter in letters]
    return SafeString(render_to_string("games/gravity/_cards.html", {"cards": cards, "down": down}).strip())


@lru_cache(maxsize=2_000)
def _draw_loot(text: str, _language: str) -> SafeString:
    loot = list(_loot(text))
    return render_to_string("games/gravity/_loot.html", {"loot": loot}) if loot else SafeString("")


def _loot(text: str) -> Iterator[Loot]:
    """Yield what a loot such as ``b1y12r3`` holds."""
    item, number = "", ""
    for letter in text + " ":
        if letter.isdigit():
            number += letter
            continue
        if item:
            yield Loot(item, str(ITEM_NAMES[item]), int(number))
        item, number = letter, ""
