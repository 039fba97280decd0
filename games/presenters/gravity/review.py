"""Why a turn was good or not, in a sentence or two, of codes that the engine gives."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.contract import Json
from engine.gravity.reasons import Reason
from games.presenters.gravity.sentences import CARD_NAMES, ITEM_NAMES

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

_PLAIN: Final[Mapping[str, "_StrPromise"]] = {
    Reason.ENDED_BEHIND: gettext_lazy("This turn ends the game, and %(player)s has not won."),
    Reason.MISSED_STEAL: gettext_lazy("Something else of %(victim)s was worth more: %(item)s."),
    Reason.GAVE_GOODIE: gettext_lazy("This turn hands the goodie %(card)s to %(heir)s; the better one keeps it."),
    Reason.EXPOSED: gettext_lazy("This leaves %(player)s within reach of %(by)s, the better turn does not."),
    Reason.LAID_WILD: gettext_lazy("This turn lays the wild card; the better one keeps it in the hand."),
    Reason.OTHER_CARD: gettext_lazy("The better turn does the same with another card, and keeps this one: %(card)s."),
    Reason.WASTED_TOKEN: gettext_lazy("The replay token gained nothing: the better turn brings as much without it."),
    Reason.LET_END: gettext_lazy("%(by)s ends the game on the next turn, before %(player)s has won."),
    Reason.WORSE_PLACE: gettext_lazy(
        "The game ends with this round: %(player)s comes out in place %(place)s, after the better turn in place "
        "%(better)s."
    ),
    Reason.OUTLOOK: gettext_lazy("The better turn leads to better chances later on."),
    Reason.PLAYED_ON: gettext_lazy("The next best turn would have ended the game too early."),
    Reason.ESCAPED: gettext_lazy("After the next best turn %(by)s could have ejected %(player)s."),
    Reason.SHELTERED: gettext_lazy("The next best turn would have left %(player)s within reach of %(by)s."),
    Reason.STOLE: gettext_lazy("Nothing else of %(victim)s was worth as much: %(item)s."),
    Reason.KEPT_GOODIE: gettext_lazy("The goodie %(card)s stays; the next best turn hands it to %(heir)s."),
    Reason.CARDS: gettext_lazy("This leaves more cards in the hand: %(better)s, not %(cards)s."),
    Reason.KEPT_WILD: gettext_lazy("The wild card stays in the hand; the next best turn lays it."),
    Reason.KEPT_CARD: gettext_lazy("The next best turn does the same, but does not keep this card: %(card)s."),
    Reason.SAVED_TOKEN: gettext_lazy("It brings as much as the next best turn, which spends a replay token."),
    Reason.KEPT_GOING: gettext_lazy("After the next best turn %(by)s ends the game, before %(player)s has won."),
    Reason.BETTER_PLACE: gettext_lazy(
        "The game ends with this round: %(player)s comes out in place %(better)s, after the next best turn in place "
        "%(place)s."
    ),
    Reason.PROSPECTS: gettext_lazy("It leads to better chances later on than the next best turn."),
    Reason.ALONE: gettext_lazy("There was hardly a choice."),
    Reason.SAME: gettext_lazy("Another turn would have been about as good."),
    Reason.SAFE: gettext_lazy("The game is as good as won, by this turn or another."),
    Reason.HOPELESS: gettext_lazy("There is hardly a chance left, by this turn or another."),
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
        words["tenths"] = number_format(points / 10, 1)
    return words


def _missed_win(words: dict[str, Any]) -> str:
    if words.get("shared"):
        return _("The better turn ends the game, and %(player)s shares the first place.") % words
    return _("The better turn ends the game, and %(player)s wins.") % words


def _won(words: dict[str, Any]) -> str:
    if words.get("shared"):
        return _("This turn ends the game, and %(player)s shares the first place.") % words
    return _("This turn ends the game, and %(player)s wins.") % words


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
        "It lets %(by)s gain %(points)s point on the next turn; after the better turn it is %(better)s at most.",
        "It lets %(by)s gain %(points)s points on the next turn; after the better turn it is %(better)s at most.",
        words["points"],
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
        "The next best turn lets %(by)s gain %(points)s point at once; after this one it is %(better)s at most.",
        "The next best turn lets %(by)s gain %(points)s points at once; after this one it is %(better)s at most.",
        words["points"],
    )
    return told % words


def _little_in_reach(words: dict[str, Any]) -> str:
    told = ngettext(
        "The next turn then brings %(points)s point at best, after the better turn %(better)s.",
        "The next turn then brings %(points)s points at best, after the better turn %(better)s.",
        words["points"],
    )
    return told % words


def _much_in_reach(words: dict[str, Any]) -> str:
    told = ngettext(
        "The next turn can then bring %(better)s point, after the next best one only %(points)s.",
        "The next turn can then bring %(better)s points, after the next best one only %(points)s.",
        words["better"],
    )
    return told % words


def _later(words: dict[str, Any]) -> str:
    return _("It shows later: two rounds on, the better turn is worth about %(tenths)s points more.") % words


def _pays_later(words: dict[str, Any]) -> str:
    return _("It pays later: two rounds on, it is worth about %(tenths)s points more than the next best turn.") % words


def _ahead(words: dict[str, Any]) -> str:
    told = ngettext(
        "Once the others have answered, %(player)s is %(more)s point better off than after the next best turn.",
        "Once the others have answered, %(player)s is %(more)s points better off than after the next best turn.",
        words["more"],
    )
    return told % words


_TOLD: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    Reason.MISSED_WIN: _missed_win,
    Reason.ALLOWED_EJECTION: _allowed_ejection,
    Reason.MISSED_EJECTION: _missed_ejection,
    Reason.MISSED_POINTS: _missed_points,
    Reason.MISSED_SECOND: _missed_second,
    Reason.SPENT_TOKEN: _spent_token,
    Reason.FED_RIVAL: _fed_rival,
    Reason.FEW_CARDS: _few_cards,
    Reason.LITTLE_IN_REACH: _little_in_reach,
    Reason.LEAD: _lead,
    Reason.LATER: _later,
    Reason.WON: _won,
    Reason.EJECTED: _ejected,
    Reason.POINTS: _points,
    Reason.SECOND: _second,
    Reason.KEPT_TOKEN: _points,
    Reason.STARVED: _starved,
    Reason.MUCH_IN_REACH: _much_in_reach,
    Reason.AHEAD: _ahead,
    Reason.PAYS_LATER: _pays_later,
}
