"""What a board game adds to the pages of the site."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from django.utils.safestring import SafeString

from engine.contract import Event, Json, JsonObject
from engine.errors import RulesError
from games.log.positions import Snapshot
from games.presenters.composition import Composition
from games.queries.game_page import GamePage

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class OptionsForm(Protocol):
    """A form for a board game's own options. Its ``options.html`` shows it."""

    def is_valid(self) -> bool:
        """Return whether what was sent makes options."""
        ...

    def options(self) -> JsonObject:
        """Return the options that were chosen, of a valid form."""
        ...


class Presenter(Protocol):
    """What a board game adds to the pages of the site. Its sentences are in the active language."""

    @property
    def title(self) -> "str | _StrPromise":
        """What the game is called where there are several."""
        ...

    @property
    def templates(self) -> str:
        """The directory of its templates: ``board``, ``compose``, ``seats``, ``facts`` and ``options``.

        ``rules`` and ``notation`` are its pages of rules. The site's script scrolls the part of ``board`` that has the
        class ``board-scroll`` to what has the class ``look-here``.
        """
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
    def options_form(self) -> Callable[[Any], OptionsForm]:
        """Make the part of the create form that asks for the game's own options, from what was sent or None."""
        ...

    @property
    def bot_names(self) -> Mapping[str, "_StrPromise"]:
        """What each computer player is called where one is chosen."""
        ...

    def describe_options(self, options: Mapping[str, Json]) -> list[str]:
        """Return a few words for each option that is not the plain game."""
        ...

    def show(
        self, page: GamePage, position: Snapshot, before: JsonObject | None, composition: Composition | None
    ) -> object:
        """Return what its templates show, which may hold nothing that is hidden from the page's reader.

        ``position`` is the shown position as the server has it: for the rules, never for a template. ``before`` is the
        view of the position before it, if there was one; ``composition`` is the turn that the reader composes, None
        where the reader may not move. Raises `RulesError` for an illegal composition.
        """
        ...

    def steps_to(self, page: GamePage, position: Snapshot, composition: Composition) -> tuple[str, ...]:
        """Return the legal next steps that lead to the composition's place on the board."""
        ...

    def narrate(self, events: Sequence[Event], turn: str, names: Sequence[str]) -> list[str]:
        """Return what happened in a turn, as sentences."""
        ...

    def refuse(self, error: RulesError, names: Sequence[str]) -> str:
        """Return why the rules refuse something, as a sentence."""
        ...

    def draw(self, view: JsonObject, names: Sequence[str]) -> SafeString:
        """Return the board alone, as an example."""
        ...

    def draw_example(self) -> SafeString:
        """Return the board of a fixed game, to be shown where none is running."""
        ...

    def sprite(self) -> SafeString:
        """Return the symbols that drawings on its pages of rules refer to."""
        ...
