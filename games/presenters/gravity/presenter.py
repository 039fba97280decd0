"""What the templates of Gravity show: the board, the table around it, and the panel in which a turn is composed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count
from typing import TYPE_CHECKING, Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from accounts.models import BoardView
from engine.contract import Event, Json, JsonObject, split_turn
from engine.errors import RulesError
from engine.gravity.events import EventKind
from engine.gravity.state import EXPERT_POINTS, LAST_STARS
from games.log.positions import Snapshot
from games.models import Seat
from games.presenters.composition import Composition
from games.presenters.gravity.acts import acts_of
from games.presenters.gravity.board import Picture, draw_board, draw_scene, draw_trail
from games.presenters.gravity.compose import Panel, Turn, compose_panel, outcomes_of, turns_to
from games.presenters.gravity.counts import MARK_NAMES, describe_counts
from games.presenters.gravity.example import EXAMPLE_NAMES, example_view
from games.presenters.gravity.guide import Guide, guide
from games.presenters.gravity.hints import hint_for
from games.presenters.gravity.lessons import LESSONS
from games.presenters.gravity.options import (
    BOT_KINDS,
    LOBBY_OPTIONS,
    OptionsForm,
    describe_options,
)
from games.presenters.gravity.pieces import sprite
from games.presenters.gravity.plans import describe_condition
from games.presenters.gravity.recap import recap
from games.presenters.gravity.reference import Reference, ending_of, reference_of
from games.presenters.gravity.result import GravityResult, count_pairs, read_loot, result_of
from games.presenters.gravity.review import explain_reason
from games.presenters.gravity.sentences import (
    CARD_NAMES,
    ITEM_NAMES,
    REFUSALS,
    describe_position,
    describe_space,
    name_briefly,
    narrate,
    narrate_along,
    refuse,
)
from games.presenters.gravity.space import ROTATIONS, label_space, parse_pawn, parse_space, turned_space
from games.presenters.gravity.themes import THEME_NAMES
from games.presenters.gravity.trail import Trail, trail_of
from games.presenters.gravity.view import GravityView, read_options, read_view
from games.presenters.lesson import Hint
from games.presenters.protocol import BotKind, PastTurn, Played, RecapLine, Shown
from games.presenters.sheets import Scheme
from games.presenters.standalone import stand_alone
from games.queries.game_page import GamePage
from games.queries.history import PastPosition
from games.queries.moves import Move
from games.words.lists import list_parts, list_words

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

PICTURE_SHEETS: Final = ("site/base.css", "games/seats.css", "games/gravity/board.css")
"""Where the colours of a board are that stands alone."""


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
    kind: BotKind | None
    """Of a computer player's seat."""
    to_move: bool
    points: int
    pairs: int
    """Pairs of stars of one colour, of which each is a point."""
    place: int | None
    retired: bool
    pawn: str
    has_trail: bool
    """Whether the board has its last move, which is not seen until it is asked for."""
    loot: SafeString
    """Stars and tokens as a list of pictures, empty for none; so are the cards drawn."""
    hand: SafeString
    face_up: SafeString
    face_down: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place on the board to which choices lead: column and row as the board is shown, the ways and their cards."""

    value: str
    column: int
    row: int
    label: str
    cards: str
    ways: str
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
    has_trails: bool
    supply: int
    """Replay tokens left."""
    round: int
    said: str
    can_turn: bool
    stars_left: int
    ending: str
    """When the game ends, as a sentence; empty at the end."""
    outlook: str
    """How far away the end is, in a few words."""
    next_name: str
    """Whose turn comes after that of the seat to move, empty where none does."""
    open_door: str


class GravityPresenter:
    """Presents games of ``gravity-1``."""

    title: Final = "Gravity Superstar"
    pitch: Final = gettext_lazy(
        "Gravity Superstar is a board game about falling: jump, drop and turn, collect stars on your way, and land on"
        " the others to steal from them."
    )
    usual_length: Final = gettext_lazy("Most games are over after 6 to 12 turns of each player.")
    templates: Final = "games/gravity"
    board_sheets: Final = ("games/gravity/board.css",)
    contrast_sheets: Final = ("games/gravity/contrast.css",)
    table_sheets: Final = ("games/gravity/table.css",)
    scripts: Final = ("games/gravity/player.js", "games/gravity/compose.js")
    options_form: Final = OptionsForm
    bot_kinds: Final = BOT_KINDS
    countdown_name: Final = gettext_lazy("Stars left")
    lobby_options: Final = LOBBY_OPTIONS
    lessons: Final = LESSONS
    mark_names: Final = MARK_NAMES
    theme_names: Final = THEME_NAMES

    def describe_options(self, options: Mapping[str, Json]) -> list[str]:
        """Return a few words for each option that is not the plain game."""
        return describe_options(read_options(options))

    def describe_counts(self, counts: Mapping[str, int]) -> list[tuple[str, str]]:
        """Return what a person did over many games."""
        return describe_counts(counts)

    def show(
        self, page: GamePage, position: Snapshot, moves: Sequence[Move], composition: Composition | None
    ) -> GravityTable:
        """Return what the templates show of a started game. Raises `RulesError` for an illegal composition."""
        names, view = page.table.names, read_view(page.view or {})
        trails = _trails_of(moves)
        view_turn = _view_turn(page, view)
        panel = preview = None
        if composition is not None:
            turn = Turn.begin(page, position, composition.steps)
            panel = compose_panel(turn, composition, names, view_turn)
            # A pawn that enters by itself is no step: until there is one, the last turns of rivals are to be seen.
            if composition.steps:
                trails, preview = (), trail_of(turn.events, turn.number, view["pawns"][turn.number - 1])
            view = turn.view
        picture = Picture(
            trails=trails, preview=preview, turn=view_turn, title=_("The board"), description=_describe_shortly(view)
        )
        wide, high = (view["height"], view["width"]) if view_turn % 180 else (view["width"], view["height"])
        return GravityTable(
            board=draw_board(view, picture),
            board_size=f"{wide}x{high}",
            position_words=describe_position(view, names),
            spots=tuple(_spots(panel, view, names, view_turn)) if panel else (),
            panel=panel,
            seats=tuple(_seat_panels(page, view, trails)),
            has_trails=len(trails) > 1,
            supply=view["supply"],
            round=view["round"],
            said=" ".join(panel.story) if panel and panel.steps else "",
            can_turn=True,
            stars_left=_stars_left(view),
            ending="" if view["finished"] else ending_of(page.game.size, read_options(page.game.options)),
            outlook=_outlook(page, view),
            next_name="" if _is_last_turn(page, view) else _next_name(view, names),
            open_door=label_space(*parse_pawn(view["doors"][view["open_door"]])[:2]),
        )

    def result(self, past: Sequence[PastPosition], names: Sequence[str]) -> GravityResult:
        """Return how a finished game ended."""
        return result_of(past, names)

    def countdown(self, view: JsonObject) -> int:
        """Return how many stars are left on the board."""
        return _stars_left(read_view(view))

    def turns_to(self, page: GamePage, position: Snapshot, composition: Composition) -> list[tuple[str, ...]]:
        """Return the turns whose last action ends on the composition's spot."""
        turn = Turn.begin(page, position, composition.steps)
        return turns_to(turn, composition.spot, composition.pick)

    def choices(self, page: GamePage, position: Snapshot, composition: Composition) -> dict[str, str]:
        """Return what each choice for the next action, or instead of the last one, would do, drawn over the board."""
        base = Turn.begin(page, position, composition.steps).before_action()
        start = base.view["pawns"][base.number - 1]
        drawn = {}
        for way, outcome in outcomes_of(base).items():
            trail = trail_of(outcome.events, base.number, start, f"{outcome.landing},{outcome.feet}")
            drawn[way] = draw_trail(trail, base.view, "ghost")
        return drawn

    def narrate(self, events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:
        """Return what happened in a turn, as sentences."""
        return narrate(events, turn, names)

    def describe_turn(self, turn: str, names: Sequence[str]) -> str:
        """Return the actions and thefts of a turn in a few words."""
        return list_parts(name_briefly(step, names) for step in split_turn(turn) if step != "&")

    def describe_condition(self, condition: str, view: JsonObject, names: Sequence[str]) -> str:
        """Return what a planned turn relies on, as a sentence."""
        return describe_condition(condition, read_view(view), names)

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

    def explain(self, reason: str, params: Mapping[str, Json], seat: int, names: Sequence[str]) -> str:
        """Return why a turn was good or not."""
        return explain_reason(reason, params, seat, names)

    @property
    def refusals(self) -> "Mapping[str, str | _StrPromise]":
        """The sentence of each code of the game."""
        return REFUSALS

    def refuse(self, error: RulesError, names: Sequence[str]) -> str:
        """Return why the rules refuse something, as a sentence."""
        return refuse(error, names)

    def draw(self, view: JsonObject, names: Sequence[str]) -> SafeString:
        """Return the board alone, as an example."""
        return _draw_alone(read_view(view), names)

    def draw_example(self) -> SafeString:
        """Return the board of a fixed game, to be shown where none is running."""
        return _draw_alone(example_view(), EXAMPLE_NAMES)

    def picture(self, view: JsonObject | None, moves: Sequence[Move], scheme: Scheme) -> str:
        """Return the board as a document that stands alone, with the way of the last move."""
        seen = example_view() if view is None else read_view(view)
        size = {"width": seen["width"], "height": seen["height"], "count": _stars_left(seen)}
        words = _("%(width)s by %(height)s spaces; stars left: %(count)s.") % size
        picture = Picture(trails=_trails_of(moves), title=_("A board in play"), description=words, alone=True)
        board = draw_board(seen, picture)
        return stand_alone(board, PICTURE_SHEETS, scheme, ground="--board-back")

    def hint(self, table: Shown, page: GamePage) -> Hint | None:
        """Return the idea that fits the situation of who composes a turn."""
        if not isinstance(table, GravityTable) or table.panel is None or page.viewer_number is None:
            return None
        return hint_for(table.panel, read_view(page.view or {}), page.viewer_number)

    def guide(self) -> Guide:
        """Return the legend and the examples of the rules page."""
        return guide()

    def reference(self, size: int | None, options: Mapping[str, Json]) -> Reference:
        """Return the rules on one screen."""
        return reference_of(size, read_options(options))

    def sprite(self) -> SafeString:
        """Return the symbols that drawings on its pages of rules refer to."""
        return SafeString(sprite())


def _draw_alone(view: GravityView, names: Sequence[str]) -> SafeString:
    lines = describe_position(view, names)
    return draw_board(view, Picture(title=_("A board in play"), description=" ".join(lines)))


def _trails_of(moves: Sequence[Move]) -> tuple[Trail, ...]:
    """Return the trails of entries, none for a seat that left."""
    return tuple(
        trail_of(move.line.events, move.line.seat, read_view(move.before)["pawns"][move.line.seat - 1])
        for move in moves
        if not any(event.kind == EventKind.RETIRED for event in move.line.events)
    )


def _view_turn(page: GamePage, view: GravityView) -> int:
    """Return by how many degrees clockwise the reader wants the board turned: as printed, or their pawn upright."""
    user = page.viewer.user if page.viewer else None
    if user is None or user.board_view != BoardView.UPRIGHT or page.viewer_number is None:
        return 0
    pawn = view["pawns"][page.viewer_number - 1] or view["doors"][view["open_door"]]
    return -ROTATIONS[parse_pawn(pawn)[2]] % 360


def _next_name(view: GravityView, names: Sequence[str]) -> str:
    """Return who moves after the seat to move."""
    seat, count = view["seat"], len(names)
    if seat is None:
        return ""
    after = ((seat - 1 + step) % count + 1 for step in range(1, count + 1))
    return next(names[number - 1] for number in after if number not in view["retired"])


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


def _outlook(page: GamePage, view: GravityView) -> str:
    """Return how far away the end is, with what is left until then."""
    size, left = page.game.size, _stars_left(view)
    stars = ngettext("%(count)s star left", "%(count)s stars left", left) % {"count": left}
    given: dict[str, int] = {}
    if view["finished"]:
        words = _("%(stars)s.")
    elif _is_last_turn(page, view):
        words = _("%(stars)s; this turn ends the game.")
    elif _is_last_round(page, view):
        words = _("%(stars)s; this is the last round.")
    elif read_options(page.game.options).get("expert"):
        words, given = _("%(stars)s; the game ends at %(points)s points."), {"points": EXPERT_POINTS[size]}
    else:
        words, given = _("%(stars)s; the game ends at %(last)s."), {"last": LAST_STARS[size]}
    return words % {"stars": stars, **given}


def _is_last_round(page: GamePage, view: GravityView) -> bool:
    """Return whether what ends the game at the end of a round has come already."""
    size = page.game.size
    if read_options(page.game.options).get("expert"):
        return max(view["points"]) >= EXPERT_POINTS[size]
    return _stars_left(view) <= LAST_STARS[size]


def _is_last_turn(page: GamePage, view: GravityView) -> bool:
    """Return whether it is the last round, and nobody moves in it after the seat to move."""
    after = range((view["seat"] or 0) + 1, len(view["pawns"]) + 1)
    return _is_last_round(page, view) and all(seat in view["retired"] for seat in after)


def _spots(panel: Panel, view: GravityView, names: Sequence[str], view_turn: int) -> Iterator[Spot]:
    for value, choices in sorted(panel.landings.items()):
        x, y = parse_space(value)
        seen = describe_space(view, x, y, names)
        cards, ways = "".join(choice.cards for choice in choices), " ".join(choice.way for choice in choices)
        number = len(cards)
        if seen:
            words = ngettext(
                "%(space)s, %(seen)s: %(count)s move ends here",
                "%(space)s, %(seen)s: %(count)s moves end here",
                number,
            )
        else:
            words = ngettext("%(space)s: %(count)s move ends here", "%(space)s: %(count)s moves end here", number)
        label = words % {"space": label_space(x, y), "seen": seen, "count": number}
        column, row = turned_space((x, y), view_turn, view["width"], view["height"])
        chosen = value == panel.spot
        yield Spot(value=value, column=column, row=row, label=label, cards=cards, ways=ways, chosen=chosen)


def _seat_panels(page: GamePage, view: GravityView, trails: Sequence[Trail]) -> Iterator[SeatPanel]:
    ranking, language = view.get("ranking"), get_language()
    drawn = {trail.seat for trail in trails[:-1]}
    # Who plays an open position on for everyone is none of them.
    own = None if page.may_move and page.table.is_open_to_all else page.viewer_number
    for index, (seat, name), pawn in zip(count(), page.table.seated, view["pawns"], strict=False):
        number = index + 1
        yield SeatPanel(
            seat=seat,
            number=number,
            name=name,
            is_viewer=number == own,
            kind=BOT_KINDS.get(seat.bot),
            to_move=number == view["seat"],
            points=view["points"][index],
            pairs=count_pairs(read_loot(view["loot"][index])),
            place=ranking[index] if ranking else None,
            retired=number in view["retired"],
            pawn="" if pawn is None else label_space(*parse_pawn(pawn)[:2]),
            has_trail=number in drawn,
            loot=_draw_loot(view["loot"][index], language),
            hand=_draw_cards(view["hands"][index], language),
            face_up=_draw_cards(view["face_up"][index], language),
            face_down=_draw_cards(view["face_down"][index], language, down=True),
        )


@lru_cache(maxsize=2_000)
def _draw_cards(letters: str, _language: str, *, down: bool = False) -> SafeString:
    """Return cards as their reader may see them, made once for all the pages that show the same ones."""
    words = _("%(card)s, face down") if down else "%(card)s"
    named = [words % {"card": CARD_NAMES[letter]} for letter in letters if letter != "?"]
    hidden = letters.count("?")
    if hidden:
        named.append(ngettext("%(count)d hidden card", "%(count)d hidden cards", hidden) % {"count": hidden})
    drawn = [
        ("", "back") if letter == "?" else (letter, f"card-{letter} down" if down else f"card-{letter}")
        for letter in letters
    ]
    context = {"cards": drawn, "names": list_words(named)}
    return SafeString(render_to_string("games/gravity/_cards.html", context).strip())


@lru_cache(maxsize=2_000)
def _draw_loot(text: str, _language: str) -> SafeString:
    loot = list(_loot(text))
    return render_to_string("games/gravity/_loot.html", {"loot": loot}) if loot else SafeString("")


def _loot(text: str) -> Iterator[Loot]:
    """Yield what a loot such as ``b1y12r3`` holds."""
    for item, number in read_loot(text).items():
        yield Loot(item, str(ITEM_NAMES[item]), number)
