"""What a board game adds to the pages of the site.

**The page of a game** is one form, in which its own templates stand. The site asks `Presenter.show` once for what they
show, and gives it to them as ``table``. Beside it they find ``page`` (a `GamePage`), ``game`` (the row) and
``composition`` (a `Composition`, None where the reader may not move). `TEMPLATES` says what each is for.

**A turn is composed** by buttons of that form, each press of which is a request that only previews. The game draws them
in ``compose`` and ``board``; what they are called and hold is the site's:

| ``name`` | ``value`` | what it does |
| --- | --- | --- |
| ``step`` | a step, at most 12 characters | adds the step to those so far |
| ``turn`` | steps, as a turn is written | takes these in place of those so far |
| ``undo`` | ``last`` or ``all`` | takes back one step, or all |
| ``spot`` | a spot, or empty | narrows the choice to what leads there, or widens it again |
| ``pick`` | at most 12 characters, of the game's own | with ``spot``: narrows the choice to what is done with it |

Where the turn may end there is one more, with the id ``confirm``, ``formaction="{{ addresses.turn }}"``, and
``hx-post`` to the same address, ``hx-target="#game"``, ``hx-swap="outerMorph"``. Where ``confirm`` is given it says
that, as nothing is played there. A heading with ``id="next"`` and ``tabindex="-1"`` names what is to be chosen. A
button that stands outside of the form, on the board, has ``form="compose"``. A turn has at most 200 characters.

**A spot** is a place on the board: column and row, whole numbers of one or two digits joined by a comma, ``3,11``. What
they count from is the game's own. A press of one to which a single turn leads takes that turn; else the page is
shown again with ``composition.spot`` set, and the game offers the steps that lead there. A game without such places
draws no spots.

**The site's script** scrolls the part of ``board`` that has the class ``board-scroll`` to what has the class
``look-here``. A game's own `Presenter.scripts` may play the log: the buttons with the ids ``play`` (one entry) and
``play-all`` (all that follow ``data-from``) have all they need, and are hidden until one shows them; the choice with
the id ``speed`` says how fast. A script that plays all says ``position:passed`` to the document with each entry's
number, and ``position:reached`` where it stops: then the page goes to that position.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.contract import Event, Json, JsonObject
from engine.errors import RulesError
from games.log.positions import Snapshot
from games.presenters.composition import Composition
from games.presenters.lesson import Hint, Lesson
from games.presenters.sheets import Scheme
from games.queries.game_page import GamePage
from games.queries.history import PastPosition
from games.queries.moves import Move

if TYPE_CHECKING:
    from django.http import QueryDict
    from django.utils.functional import _StrPromise


TEMPLATES: Final[Mapping[str, str]] = {
    "board": "the board as a part of a game's page, with the spots",
    "compose": "the buttons with which a turn is composed, inside of the form",
    "seats": "what each seat has",
    "facts": "what else there is to know of the game: when it ends, what is left",
    "result": "what a finished game shows first, below its headline; ``result`` is what `Presenter.result` returned",
    "options": "the game's own questions on the page of a new game; ``form`` is its form",
    "rules": "a page, which extends base.html: the rules; ``sprite`` and ``guide`` are what `Presenter` returns",
    "reference": "a page with the partial ``reference``: the rules on one screen, from `Presenter.reference`",
    "notation": "a page, which extends base.html: how turns are written",
}
"""The templates that every game has in its directory, without ``.html``, and what each is. A check sees to it."""


class OptionsForm(Protocol):
    """A form for a board game's own options. Its ``options.html`` shows it, and its errors."""

    def is_valid(self) -> bool:
        """Return whether what was sent makes options."""
        ...

    def options(self) -> JsonObject:
        """Return the options that were chosen, of a valid form: as `Rules.check_options` takes them."""
        ...


class Shown(Protocol):
    """What the templates of a game show of one position, composed turn included.

    A frozen dataclass of the game's own, of which the site reads what is named here and nothing else. Finished words
    and drawings, in the active language: templates ask no rules. It holds no state, and nothing that is hidden from
    the page's reader, however deep: `tests/flows/test_page_contexts.py` looks.
    """

    @property
    def round(self) -> int:
        """The round of the position, from 1."""
        ...

    @property
    def said(self) -> str:
        """What the steps of a turn in progress do, in words, for those who listen; empty without steps."""
        ...

    @property
    def can_turn(self) -> bool:
        """Whether the board can be looked at from several sides: ``page.viewer.user.board_view`` says which."""
        ...


class Result(Protocol):
    """What the template ``result`` shows of a finished game: a frozen dataclass of the game's own, as `Shown` is.

    Everything is open by then, and it is kept for all who call the seats alike: it holds nothing of one reader.
    """

    @property
    def headline(self) -> str:
        """Who won and by what, in a sentence without a full stop."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTurn:
    """An entry of the log that others made since the reader's last turn, as the reader may see it."""

    seq: int
    seat: int
    turn: str
    events: tuple[Event, ...]
    before: Sequence[int]
    """Points by seat before it."""
    after: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecapLine:
    """What an entry did, in a sentence; ``grave`` where it did it to the reader."""

    seq: int
    seat: int
    words: str
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One entry of the log as a game's own script plays it on the board of its page.

    ``captions`` are the sentences of `Presenter.narrate`, ``board`` the position before the entry as HTML, and ``acts``
    what is seen to happen. The site hands them on as they are.
    """

    captions: Sequence[str]
    board: str
    acts: Sequence[JsonObject]


@dataclass(frozen=True, slots=True)
class BotKind:
    """A kind of computer player: the characters that stand for how well it plays.

    ``names`` are what its seats are called, the first one, the second; a game with more of them has the first name
    again, with a number. ``word`` says how well it plays, ``manner`` in a sentence how. Where the kinds are a ladder,
    ``level`` is its rung, from 1. ``picture`` is the path of a static file, a square drawing, or
    empty.
    """

    names: Sequence[str]
    word: "str | _StrPromise"
    level: int | None = None
    manner: "str | _StrPromise" = ""
    picture: str = ""

    @property
    def strength(self) -> str:
        """How well it plays, beside its name."""
        return (
            _("level %(level)d, %(word)s") % {"level": self.level, "word": self.word} if self.level else str(self.word)
        )

    @property
    def choice(self) -> str:
        """What it is called where it is chosen: its first name, with how well it plays."""
        return _("%(name)s (%(strength)s)") % {"name": self.names[0], "strength": self.strength}


class Presenter(Protocol):
    """What a board game adds to the pages of the site. Its sentences are in the active language.

    ``names`` are what the seats are called for the reader, in seat order; ``view`` is what `Rules.view` returned.
    """

    @property
    def title(self) -> "str | _StrPromise":
        """What the game is called where there are several."""
        ...

    @property
    def pitch(self) -> "str | _StrPromise":
        """What the game is, in a sentence for who has never heard of it."""
        ...

    @property
    def lobby_options(self) -> "Mapping[str, tuple[str | _StrPromise, Json]]":
        """By name, the options by which open games are told apart: what each is called, and a value that is not plain.

        They are ones of `Rules.check_options`.
        """
        ...

    @property
    def usual_length(self) -> "str | _StrPromise":
        """How long a game lasts, in a sentence."""
        ...

    @property
    def templates(self) -> str:
        """The directory of its `TEMPLATES`, without a slash at its end."""
        ...

    @property
    def board_sheets(self) -> Sequence[str]:
        """The style sheets of a drawn board, as paths of static files."""
        ...

    @property
    def table_sheets(self) -> Sequence[str]:
        """Those of the page of a game, beside the board's."""
        ...

    @property
    def contrast_sheets(self) -> Sequence[str]:
        """Those that are added, after the others, where more contrast is wanted."""
        ...

    @property
    def scripts(self) -> Sequence[str]:
        """Its scripts on the page of a game, as paths of static files."""
        ...

    @property
    def options_form(self) -> "Callable[[QueryDict | None], OptionsForm]":
        """Make the part of the create form that asks for the game's own options, from what was sent or None.

        It stands in one form with the site's own fields: ``size``, ``against``, ``visibility``, and names that begin
        with ``bot`` or ``time-`` are taken.
        """
        ...

    @property
    def bot_kinds(self) -> Mapping[str, BotKind]:
        """What is told of each computer player, by its name in `Rules.bots` and `Rules.former_bots`."""
        ...

    def describe_options(self, options: Mapping[str, Json]) -> list[str]:
        """Return a few words for each option that is not the plain game, for lists and invitations."""
        ...

    def show(self, page: GamePage, position: Snapshot, moves: Sequence[Move], composition: Composition | None) -> Shown:
        """Return what its templates show of a started game at ``page.seq``.

        ``page.view`` is the position as the reader may see it, ``page.events`` what led to it. ``position`` is the same
        position as the server has it: for the rules, never for a template. ``moves`` are the last ones that led to it,
        oldest first, from which they can be drawn; none after set-up, and where steps are composed.

        ``composition`` is the turn that the reader composes, empty at first, None where the reader may not move. With
        one, the answer shows the position after its steps (`Rules.play_steps`, seen through `Rules.view` for the
        reader), a button a legal step (`Rules.legal_steps`), and one to confirm where `END` is among these. Raises
        `RulesError` for steps that are not legal; the site then shows `refuse` of it above the last legal ones.
        """
        ...

    def result(self, past: Sequence[PastPosition], names: Sequence[str]) -> Result:
        """Return how a finished game ended, and what in it was remarkable, from all of its positions."""
        ...

    @property
    def mark_names(self) -> "Mapping[str, str | _StrPromise]":
        """What each of `Rules.marks` is called where somebody looks for a game in which it was so."""
        ...

    def describe_counts(self, counts: Mapping[str, int]) -> Sequence[tuple[str, str]]:
        """Return what a person did over many games, as lines of a name and words: of `Tally.counts`, added up."""
        ...

    @property
    def countdown_name(self) -> "str | _StrPromise":
        """What `countdown` counts, for the chart of a game; empty where nothing runs out."""
        ...

    def countdown(self, view: JsonObject) -> int | None:
        """Return how much is left of what ends the game when it runs out, None where there is no such thing."""
        ...

    def turns_to(self, page: GamePage, position: Snapshot, composition: Composition) -> Sequence[tuple[str, ...]]:
        """Return the turns, as their steps, that lead to the spot of a composition (never empty here).

        They go on after its steps, or replace the last of them. None for a spot to which nothing leads, and in a game
        without spots. Raises `RulesError` for illegal steps.
        """
        ...

    def choices(self, page: GamePage, position: Snapshot, composition: Composition) -> Mapping[str, str]:
        """Return what each choice would do, drawn for the game's own script, by a name that its buttons have.

        None in a game without such a script. Raises `RulesError` for illegal steps.
        """
        ...

    def narrate(self, events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:
        """Return what happened in an entry of the log, as sentences, for log lines, previews and mails.

        Events and the turn's text are as the reader may see them: what is hidden is replaced, as `Rules.view_events`
        and `Rules.view_turn` have it. Every kind of event has words or is left out on purpose.
        """
        ...

    def describe_turn(self, turn: str, names: Sequence[str]) -> str:
        """Return what a turn consists of, in a few words for lists; ``turn`` is its text as others may read it."""
        ...

    def describe_condition(self, condition: str, view: JsonObject, names: Sequence[str]) -> str:
        """Return something that a planned turn relies on, of `Rules.conditions`, as a sentence to whose plan it is.

        ``view`` is a position of the game as they may see it, for what stays where it is and has a name there.
        """
        ...

    def recap(self, turns: Sequence[PastTurn], reader: int, names: Sequence[str]) -> list[RecapLine]:
        """Return what happened since the turn of seat ``reader``: what was done to it, and what others gained.

        A sentence or two for a turn, each short enough to be read at a glance; in the order of ``turns``, the log's.
        """
        ...

    def play(
        self, events: Sequence[Event], turn: str, names: Sequence[str], before: JsonObject, after: JsonObject
    ) -> Played:
        """Return an entry of the log to be played by the game's script, from all that `narrate` takes and two views.

        ``before`` and ``after`` are what the reader may see of the positions between which it happened. A game without
        such a script gives the captions, and nothing else.
        """
        ...

    def explain(self, reason: str, params: Mapping[str, Json], seat: int, names: Sequence[str]) -> str:
        """Return why a reviewed turn of ``seat`` was good or not, in a sentence or two, of `Reviewed.reason`.

        An ended game: nothing is hidden. Empty for a reason that it does not know, of another version.
        """
        ...

    @property
    def theme_names(self) -> "Mapping[str, tuple[str | _StrPromise, str | _StrPromise]]":
        """What each of `Rules.themes` is called, and what the best turn of a puzzle about it does, in a sentence."""
        ...

    @property
    def refusals(self) -> "Mapping[str, str | _StrPromise]":
        """The sentence of each code that is the game's own, with its parameters as placeholders."""
        ...

    def refuse(self, error: RulesError, names: Sequence[str]) -> str:
        """Return why the rules refuse something, as a sentence.

        The game's own codes; those of `engine.errors.RulesCode` have sentences in `games.words.refusals`.
        """
        ...

    def draw(self, view: JsonObject, names: Sequence[str]) -> SafeString:
        """Return the board alone, as HTML that needs ``board_sheets`` only: a running game on the home page."""
        ...

    def draw_example(self) -> SafeString:
        """Return the board of a fixed game, to be shown where none is running; it asks neither chance nor database."""
        ...

    def picture(self, view: JsonObject | None, moves: Sequence[Move], scheme: Scheme) -> str:
        """Return the board as an SVG document that needs nothing beside it: for lists, mails and previews of links.

        ``view`` and ``moves``, the entry that led to it, are what anybody may see; without a view it is the board of
        `draw_example`. The same for everyone: it names no player and has no letters but those of the board, as
        outlines, since who draws it may know no font. Its ``<svg>`` has ``xmlns`` first, then a ``viewBox``, and no
        size; a title and a description follow.
        """
        ...

    @property
    def lessons(self) -> Sequence[Lesson]:
        """The lessons that teach the game, each on a small position of its own, in order; none where it has none."""
        ...

    def hint(self, table: Shown, page: GamePage) -> Hint | None:
        """Return what may help a newcomer who composes a turn, from what `show` made of the page; None for nothing."""
        ...

    def guide(self) -> object:
        """Return the pictures that its template ``rules`` shows beside the text, None where there are none."""
        ...

    def reference(self, size: int | None, options: Mapping[str, Json]) -> object:
        """Return what its template ``reference`` shows of a game of so many seats, or of all with ``size`` None."""
        ...

    def sprite(self) -> SafeString:
        """Return the symbols that drawings on its pages of rules refer to, as HTML; empty if there are none."""
        ...
