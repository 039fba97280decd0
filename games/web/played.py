"""Entries of a log as the script of a game plays them on its board."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import JsonResponse

from games.presenters.protocol import Presenter
from games.queries.moves import Move


def document_of(presenter: Presenter, moves: Iterable[Move], names: Sequence[str]) -> JsonResponse:
    """Return the document that the script reads, of entries as their reader may see them."""
    return JsonResponse(
        {"moves": [_document(presenter, move, names) for move in moves]}, json_dumps_params={"ensure_ascii": False}
    )


def _document(presenter: Presenter, move: Move, names: Sequence[str]) -> dict[str, Any]:
    line = move.line
    played = presenter.play(line.events, line.turn, names, move.before, move.after)
    return {
        "seq": line.seq,
        "seat": line.seat,
        "name": names[line.seat - 1],
        "captions": played.captions,
        "board": played.board,
        "acts": played.acts,
    }
