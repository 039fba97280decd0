"""Why a turn was good or not, in a sentence or two, of codes that the engine gives."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.contract import Json
from engine.gravity.review import Reason
from games.presenters.gravity.sentences import CARD_NAMES, ITEM_NAMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_PLAIN: Final[Mapping[str, "_StrPromise"]] = {
    Reason.ENDED_BEHIND: gettext_lazy("This turn ends the game, and %(player)s has not won."),
    Reason.MISSED_WIN: gettext_lazy("The better turn ends the game, and %(player)s wins."),
    Reason.MISSED_STEAL: gettext_lazy("Something else of %(victim)s was worth more: %(item)s."),
    Reason.GAVE_GOODIE: gettext_lazy("This turn hands the goodie %(card)s to %(heir)s; the better one keeps it."),
    Reason.EXPOSED: gettext_lazy("This leaves %(player)s within reach of %(by)s, the better turn does not."),
    Reason.OUTLOOK: gettext_lazy("Nothing happens at once, but the better turn leads to a better position."),
    Reason.WON: gettext_lazy("This turn ends the game, and %(player)s wins."),
    Reason.PLAYED_ON: gettext_lazy("The next best turn would have ended the game too early."),
    Reason.ESCAPED: gettext_lazy("After the next best turn %(by)s could have ejected %(player)s."),
    Reason.SHELTERED: gettext_lazy("The next best turn would have left %(player)s within reach of %(by)s."),
    Reason.STOLE: gettext_lazy("Nothing else of %(victim)s was worth as much: %(item)s."),
    Reason.KEPT_GOODIE: gettext_lazy("The goodie %(card)s stays; the next best turn hands it to %(heir)s."),
    Reason.CARDS: gettext_lazy("This leaves more cards in the hand: %(better)s, not %(cards)s."),
    Reason.ALONE: gettext_lazy("There was hardly a choice."),
    Reason.SAME: gettext_lazy("Nothing better was found."),
}


def explain_reason(reason: str, params: Mapping[str, Json], seat: int, names: Sequence[str]) -> str:
    """Return why a turn of ``seat`` was good or not, as whole sentences; empty for a code that it does not know."""
    words = _words_of(params, seat, names)
    if reason in _PLAIN:
        return _PLAIN[reason] % words
    told = _TOLD.get(reason)
    return "" if told is None else told(words)


def _words_of(params: Mapping[str, Json], seat: int, names: Sequence[str]) -> dict[str, Any]:
    """Return the parameters with names for seats, items and cards, and by how many points two turns differ."""
    words: dict[str, Any] = {**params, "player": names[seat - 1]}
    for role, key in (("by", "by"), ("victim", "victim"), ("heir", "to")):
        number = params.get(key)
        if isinstance(number, int):
            words[role] = names[number - 1]
    item, card = params.get("item"), params.get("card")
    words["item"] = ITEM_NAMES[item] if isinstance(item, str) else ""
    words["card"] = CARD_NAMES[card] if isinstance(card, str) else ""
    points, better = params.get("points"), params.get("better")
    if isinstance(points, int):
        words["more"] = abs(better - points) if isinstance(better, int) else points
    return words


def _allowed_ejection(words: dict[str, Any]) -> str:
    if words["door"]:
        told = _("%(by)s can come in through the open door on the next turn and eject %(player)s there.") % words
    elif words["item"]:
        told = _("%(by)s can eject %(player)s on the next turn and steal from them: %(item)s.") % words
    else:
        told = _("%(by)s can eject %(player)s on the next turn.") % words
    return " ".join((told, _("After the better turn nobody can.") % words)) if words["sure"] else told


def _missed_ejection(words: dict[str, Any]) -> str:
    if words["item"]:
        return _("%(player)s could have ejected %(victim)s and stolen from them: %(item)s.") % words
    return _("%(player)s could have ejected %(victim)s.") % words


def _ejected(words: dict[str, Any]) -> str:
    if words["item"]:
        return _("%(player)s ejects %(victim)s and steals from them: %(item)s.") % words
    return _("%(player)s ejects %(victim)s.") % words


def _missed_points(words: dict[str, Any]) -> str:
    return ngettext(
        "%(more)s point more was within reach.", "%(more)s points more were within reach.", words["more"]
    ) % (words)


def _missed_second(words: dict[str, Any]) -> str:
    told = ngettext(
        "A second action, for a replay token, would have gained %(more)s point more.",
        "A second action, for a replay token, would have gained %(more)s points more.",
        words["more"],
    )
    return told % words


def _spent_token(words: dict[str, Any]) -> str:
    told = ngettext(
        "The replay token did not pay: %(more)s point more was within reach without it.",
        "The replay token did not pay: %(more)s points more were within reach without it.",
        words["more"],
    )
    return told % words


def _fed_rival(words: dict[str, Any]) -> str:
    told = ngettext(
        "It lets %(by)s gain %(more)s point more on the next turn than the better turn does.",
        "It lets %(by)s gain %(more)s points more on the next turn than the better turn does.",
        words["more"],
    )
    return told % words


def _few_cards(words: dict[str, Any]) -> str:
    told = ngettext(
        "It leaves %(cards)s card in the hand, the better turn %(better)s.",
        "It leaves %(cards)s cards in the hand, the better turn %(better)s.",
        words["cards"],
    )
    return told % words


def _lead(words: dict[str, Any]) -> str:
    told = ngettext(
        "Once the others have answered, %(player)s is %(more)s point worse off than after the better turn.",
        "Once the others have answered, %(player)s is %(more)s points worse off than after the better turn.",
        words["more"],
    )
    return told % words


def _points(words: dict[str, Any]) -> str:
    told = ngettext(
        "It gains %(more)s point more than the next best turn.",
        "It gains %(more)s points more than the next best turn.",
        words["more"],
    )
    return told % words


def _second(words: dict[str, Any]) -> str:
    told = ngettext(
        "The replay token pays: %(more)s point more than by the next best turn.",
        "The replay token pays: %(more)s points more than by the next best turn.",
        words["more"],
    )
    return told % words


def _starved(words: dict[str, Any]) -> str:
    told = ngettext(
        "It lets %(by)s gain %(more)s point less on the next turn than the next best one does.",
        "It lets %(by)s gain %(more)s points less on the next turn than the next best one does.",
        words["more"],
    )
    return told % words


def _ahead(words: dict[str, Any]) -> str:
    told = ngettext(
        "Once the others have answered, %(player)s is %(more)s point better off than after the next best turn.",
        "Once the others have answered, %(player)s is %(more)s points better off than after the next best turn.",
        words["more"],
    )
    return told % words


_TOLD: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    Reason.ALLOWED_EJECTION: _allowed_ejection,
    Reason.MISSED_EJECTION: _missed_ejection,
    Reason.MISSED_POINTS: _missed_points,
    Reason.MISSED_SECOND: _missed_second,
    Reason.SPENT_TOKEN: _spent_token,
    Reason.FED_RIVAL: _fed_rival,
    Reason.FEW_CARDS: _few_cards,
    Reason.LEAD: _lead,
    Reason.EJECTED: _ejected,
    Reason.POINTS: _points,
    Reason.SECOND: _second,
    Reason.KEPT_TOKEN: _points,
    Reason.STARVED: _starved,
    Reason.AHEAD: _ahead,
}
