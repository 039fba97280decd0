"""The options of Gravity: the part of the create form that asks for them, and their words."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.contract import Json, JsonObject
from engine.gravity.setup import GOODIE_CARDS
from games.presenters.gravity.sentences import CARD_NAMES
from games.presenters.gravity.view import GravityOptions
from games.presenters.protocol import BotKind

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

GOODIES: Final[Mapping[str, "_StrPromise"]] = {card: CARD_NAMES[card] for card in GOODIE_CARDS}
_PEBBLES: Final = ("Pebble", "Wobble", "Tumble", "Drift", "Dusty")
_NOVAS: Final = ("Nova", "Pulsar", "Quasar", "Vega", "Rigel")
_PICTURES: Final = "games/gravity/characters"
# Names are the same in every language: one for each computer player that can sit at one table.
BOT_KINDS: Final[Mapping[str, BotKind]] = {
    "random": BotKind(_PEBBLES, _("easy")),
    "greedy": BotKind(_NOVAS, _("skilled")),
    "nova:1": BotKind(
        _PEBBLES,
        _("beginner"),
        level=1,
        manner=_("Takes what lies right before it, and overlooks the rest."),
        picture=f"{_PICTURES}/pebble.svg",
    ),
    "nova:2": BotKind(
        ("Cobble", "Gravel", "Basalt", "Slate", "Granite"),
        _("easy"),
        level=2,
        manner=_("Sees a little further, and still overlooks a lot."),
        picture=f"{_PICTURES}/cobble.svg",
    ),
    "nova:3": BotKind(
        ("Comet", "Encke", "Biela", "Tempel", "Borrelly"),
        _("relaxed"),
        level=3,
        manner=_("Minds its pairs, and overlooks what is far."),
        picture=f"{_PICTURES}/comet.svg",
    ),
    "nova:4": BotKind(
        ("Ceres", "Vesta", "Pallas", "Bennu", "Apophis"),
        _("solid"),
        level=4,
        manner=_("Sees long falls, and overlooks many a second action."),
        picture=f"{_PICTURES}/ceres.svg",
    ),
    "nova:5": BotKind(
        ("Titan", "Triton", "Phobos", "Mimas", "Hyperion"),
        _("skilled"),
        level=5,
        manner=_("Minds its cards, and overlooks little."),
        picture=f"{_PICTURES}/titan.svg",
    ),
    "nova:6": BotKind(
        ("Jupiter", "Mars", "Osiris", "Sedna", "Haumea"),
        _("strong"),
        level=6,
        manner=_("Overlooks nothing, and minds what you could do next."),
        picture=f"{_PICTURES}/jupiter.svg",
    ),
    "nova:7": BotKind(
        ("Sirius", "Altair", "Antares", "Deneb", "Spica"),
        _("expert"),
        level=7,
        manner=_("Thinks through what you could answer."),
        picture=f"{_PICTURES}/sirius.svg",
    ),
    "nova:8": BotKind(
        _NOVAS,
        _("master"),
        level=8,
        manner=_("Thinks far ahead."),
        picture=f"{_PICTURES}/nova.svg",
    ),
}


LOBBY_OPTIONS: Final[Mapping[str, "tuple[str | _StrPromise, Json]"]] = {
    "expert": (_("Expert game"), True),
    "goodies": (_("Goodie cards"), GOODIE_CARDS),
}
GOODIE_WORDS: Final[Mapping[str, "_StrPromise"]] = {
    "P": _("The tile under your pawn turns, with everything on it."),
    "J": _("Two simple moves in one action."),
    "T": _("Straight to the open door, from anywhere."),
}


class OptionsForm(forms.Form):
    """Asks for what `Rules.check_options` takes."""

    use_required_attribute = False

    expert = forms.BooleanField(
        label=_("Expert game"),
        required=False,
        help_text=_("The game ends when somebody has enough points, not when few stars are left."),
    )
    goodies = forms.MultipleChoiceField(
        label=_("Goodie cards"),
        required=False,
        choices=list(GOODIES.items()),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Each card is dealt to a random player and is passed to the left when it is played."),
    )

    @property
    def goodie_boxes(self) -> list[tuple[forms.boundfield.BoundWidget, str, str]]:
        """The boxes of the goodie cards, each with its letter and what the card does."""
        boxes = self["goodies"]
        return [(box, card, str(GOODIE_WORDS[card])) for box, card in zip(boxes, GOODIES, strict=True)]

    def options(self) -> JsonObject:
        """Return the options that were chosen, of a valid form."""
        chosen = self.cleaned_data
        return {"expert": chosen["expert"], "goodies": "".join(card for card in GOODIES if card in chosen["goodies"])}


def describe_options(options: GravityOptions) -> list[str]:
    """Return a few words for each option that is not the plain game."""
    words = [gettext("Expert game")] if options.get("expert") else []
    return words + [str(GOODIES[card]) for card in options.get("goodies", "")]
