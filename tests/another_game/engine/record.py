"""The set-up of Acorns, drawn or read from a record of the format ``acorns/1``."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.contract import Json, JsonObject, Seat
from engine.errors import RecordError, RulesCode, RulesError
from tests.another_game.engine.state import HAND, NUTS, WINTERS, Setup, hands_known_to, hide

FORMAT: Final = "acorns/1"
SEATS: Final = range(2, 5)


def check_options(options: Mapping[str, Json], seats: int) -> JsonObject:
    """Return normalised options: ``winter``, mild or hard. Raises `RulesError` (``bad-options``)."""
    if seats not in SEATS:
        raise RulesError(RulesCode.BAD_OPTIONS, option="seats")
    if unknown := options.keys() - {"winter"}:
        raise RulesError(RulesCode.BAD_OPTIONS, option=min(unknown))
    winter = options.get("winter", WINTERS[0])
    if winter not in WINTERS:
        raise RulesError(RulesCode.BAD_OPTIONS, option="winter")
    return {"winter": winter}


def draw_setup(players: Sequence[str], options: Mapping[str, Json], rng: Random) -> Setup:
    """Shuffle the deck and deal the hands. Raises `RulesError` for bad options."""
    winter = str(check_options(options, len(players))["winter"])
    nuts = "".join(rng.sample(NUTS, len(NUTS)))
    dealt = HAND * len(players)
    hands = tuple(nuts[start : start + HAND] for start in range(0, dealt, HAND))
    return Setup(tuple(players), winter, nuts[dealt:], hands)


def write_record(setup: Setup, log: Sequence[Mapping[str, Json]]) -> JsonObject:
    """Return the record of a set-up with a log; the inverse of `read_setup`."""
    return {
        "format": FORMAT,
        "players": list(setup.players),
        "options": {"winter": setup.winter},
        "deck": setup.deck,
        "hands": list(setup.hands),
        "log": [dict(entry) for entry in log],
    }


def read_setup(record: Mapping[str, Json]) -> Setup:
    """Read and check everything but the log. Raises `RecordError`."""
    if record.get("format") != FORMAT:
        raise RecordError(f"the format is not {FORMAT}")
    if record.get("redacted"):
        raise RecordError("the record is redacted: hidden nuts are missing, so it is for reading and can't be replayed")
    players, hands = _texts(record, "players"), _texts(record, "hands")
    options, deck = record.get("options"), record.get("deck")
    if len(players) not in SEATS:
        raise RecordError("players must be a list of 2 to 4 names")
    if not isinstance(options, Mapping) or options.get("winter") not in WINTERS:
        raise RecordError(f"options.winter must be one of {', '.join(WINTERS)}")
    if not isinstance(deck, str) or [len(hand) for hand in hands] != [HAND] * len(players):
        raise RecordError(f"deck must be text, and hands {HAND} nuts for each player")
    if sorted(deck + "".join(hands)) != sorted(NUTS):
        raise RecordError("deck and hands must be all nuts there are, each once")
    return Setup(players, str(options["winter"]), deck, hands)


def view_setup(setup: Mapping[str, Json], seat: Seat | None) -> JsonObject:
    """Return the set-up as a seat or a guest may see it: the deck and the others' hands hidden."""
    hands = hands_known_to(_texts(setup, "hands"), seat)
    return {**setup, "deck": hide(str(setup["deck"])), "hands": list(hands)}


def _texts(record: Mapping[str, Json], key: str) -> tuple[str, ...]:
    value = record.get(key)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{key} must be a list of texts")
    return tuple(value)
