"""Answers about a practice board: a position on which turns are composed and played, and of which nothing is kept.

What was played travels in the form. A page that has such a board says where it begins and what stands beside it
(`Board`); composing, playing and showing are the same for all.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from engine.contract import END
from engine.errors import RulesError
from engine.rulesets import RULESETS
from games.presenters.composition import Composition
from games.presenters.registry import PRESENTERS
from games.queries.moves import MOST_MOVES
from games.queries.practice import MOST_TURNS, Practice, Start, practise
from games.web.addresses import TurnAddresses
from games.web.answers import Request, style_sheets
from games.web.forms.turn import PracticeForm
from games.web.game_answers import BLANKS, Note, go_to_spot, template_names
from games.web.played import document_of

type Then = Callable[[Practice], Mapping[str, Any]]
type About = Callable[[str], Mapping[str, Any]]
"""Returns what a template says of a turn. Raises `RulesError` if it is not legal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A practice board and the page that it stands on."""

    start: Start
    page: str
    """The address of the page, where everything begins again."""
    addresses: TurnAddresses
    title: str
    head: str
    """The template of what stands above the board."""
    foot: str
    """The template of what stands in place of the panel where no turn is composed."""
    most_turns: int = MOST_TURNS
    context: Mapping[str, Any] = field(default_factory=dict)
    """What these two templates need besides the page's own."""


def show_board(
    request: Request,
    board: Board,
    practice: Practice | None = None,
    *,
    composition: Composition | None = None,
    note: Note | None = None,
    status: int = HTTPStatus.OK,
    more: Mapping[str, Any] | None = None,
    is_composed: bool = False,
) -> HttpResponse:
    """Return the whole page, or for htmx the part of it that changes. Raises `RulesError` for illegal steps.

    Of a turn that ``is_composed`` the board shows where it leads, and the board's foot stands in place of the panel.
    """
    practice = practice or practise(board.start)
    page, presenter = practice.page, PRESENTERS[board.start.ruleset]
    may_move = page.may_move and len(practice.turns) < board.most_turns
    composition = (composition or Composition()) if may_move else None
    recent = () if composition is not None and composition.steps else practice.moves(page.seq, page.seq)
    told = [presenter.narrate(move.line.events, move.line.turn, page.table.names) for move in recent]
    table = presenter.show(page, practice.position, recent, composition)
    context: dict[str, Any] = {
        **board.context,
        "page": page,
        "game": page.game,
        "table": table,
        "composition": None if is_composed else composition,
        "note": note,
        "story": [sentence for sentences in told for sentence in sentences],
        "played": practice.turns,
        "addresses": board.addresses,
        "here": board.page,
        "undo_turns": board.most_turns > 1,
        "title": board.title,
        "head": board.head,
        "foot": board.foot,
        "templates": template_names(presenter),
        **style_sheets(presenter),
        "scripts": presenter.scripts,
        **(more or {}),
    }
    template = "games/practice.html#board" if request.htmx else "games/practice.html"
    response = render(request, template, context, status=status)
    response.content = BLANKS.sub(b"> <", response.content)
    return response


def answer_preview(request: Request, board: Board) -> HttpResponse:
    """Return the board as the steps so far make it, or with a turn less."""
    asked = _read(request, board)
    if asked is None:
        return _begin_again(request, board)
    form, practice = asked
    composition = form.composition()
    try:
        if practice.page.may_move:
            composition = go_to_spot(practice.page, practice.position, composition)
        return show_board(request, board, practice, composition=composition)
    except RulesError as error:
        return _refuse(request, board, practice, composition, error)


def answer_turn(request: Request, board: Board, then: Then | None = None) -> HttpResponse:
    """Return the board after the composed turn; ``then`` is told of it, and gives what the templates get besides."""
    asked = _read(request, board)
    if asked is None:
        return _begin_again(request, board)
    form, practice = asked
    composition = form.composition()
    if not practice.page.may_move or len(practice.turns) >= board.most_turns:
        note = Note(_("No more turns can be played here. Start over, or go back."), "error")
        return show_board(request, board, practice, note=note, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        further = practise(board.start, (*practice.turns, composition.text))
    except RulesError as error:
        return _refuse(request, board, practice, composition, error)
    return show_board(request, board, further, more=then(further) if then else None)


def answer_composed(request: Request, board: Board, about: About) -> HttpResponse:
    """Return the board as the composed turn would leave it, unplayed, with what is to be said ``about`` that turn."""
    asked = _read(request, board)
    if asked is None:
        return _begin_again(request, board)
    form, practice = asked
    composition, rules = form.composition(), RULESETS[board.start.ruleset]
    try:
        if refusal := rules.why_not(practice.position.state, END, composition.steps):
            raise refusal
        told = rules.play_steps(practice.position.state, composition.steps).events
        story = PRESENTERS[board.start.ruleset].narrate(told, composition.text, practice.page.table.names)
        more = {"turn": composition.text, "story": story, **about(composition.text)}
        return show_board(request, board, practice, composition=composition, more=more, is_composed=True)
    except RulesError as error:
        return _refuse(request, board, practice, composition, error)


def answer_choices(request: Request, board: Board) -> HttpResponse:
    """Return what each choice of the turn would do, as drawings for the script that shows them."""
    asked = _read(request, board)
    drawn: Mapping[str, str] | None = None
    if asked is not None and asked[1].page.may_move:
        form, practice = asked
        presenter = PRESENTERS[board.start.ruleset]
        with suppress(RulesError):
            drawn = presenter.choices(practice.page, practice.position, form.composition())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if drawn is None else HTTPStatus.OK
    return JsonResponse({"choices": drawn or {}}, status=status, json_dumps_params={"ensure_ascii": False})


def answer_moves(request: Request, board: Board) -> HttpResponse:
    """Return turns that were played here for the script that plays them on the board: a dozen at most."""
    asked = _read(request, board)
    first, last = (asked[0].cleaned_data[name] for name in ("first", "last")) if asked else (None, None)
    if asked is None or first is None or last is None or not first <= last < first + MOST_MOVES:
        return JsonResponse({"moves": []}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    practice = asked[1]
    return document_of(PRESENTERS[board.start.ruleset], practice.moves(first, last), practice.page.table.names)


def _read(request: Request, board: Board) -> tuple[PracticeForm, Practice] | None:
    """Return what was sent and the position that it is about, None where that is not one of ours."""
    form = PracticeForm(request.POST)
    if not form.is_valid():
        return None
    try:
        return form, practise(board.start, form.cleaned_data["played"][: board.most_turns])
    except RulesError:
        return None


def _begin_again(request: Request, board: Board) -> HttpResponse:
    note = Note(_("The site could not read these turns. Here is where it begins."), "error")
    return show_board(request, board, note=note, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _refuse(
    request: Request, board: Board, practice: Practice, composition: Composition, error: RulesError
) -> HttpResponse:
    """Return the board with the rules' reason, and the steps up to the refused one."""
    words = PRESENTERS[board.start.ruleset].refuse(error, practice.page.table.names)
    note, status = Note(words, "error"), HTTPStatus.UNPROCESSABLE_ENTITY
    kept = Composition(composition.steps if error.step is None else composition.steps[: error.step])
    try:
        return show_board(request, board, practice, composition=kept, note=note, status=status)
    except RulesError:
        return show_board(request, board, practice, note=note, status=status)
