"""The forms that change games, checked before any rule is asked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.names import MAX_LENGTH
from engine.contract import Rules
from games.composition import Composition
from games.message_text import tidy_message
from games.models import MESSAGE_LENGTH, TURN_LENGTH

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

LONGEST_STEP: Final = 12
PUBLIC: Final = "public"
LINK: Final = "link"


class TurnForm(forms.Form):
    """A turn as the game page sends it: what the page showed (``seq``) and the steps so far."""

    seq = forms.IntegerField(min_value=0, max_value=10**6)
    steps = forms.CharField(max_length=TURN_LENGTH, required=False)

    def clean_steps(self) -> tuple[str, ...]:
        """Split the steps at blanks."""
        return tuple(self.cleaned_data["steps"].split())


class ComposeForm(TurnForm):
    """A turn and the pressed button: one step more, one back (``last``) or all back (``all``), or a place."""

    step = forms.CharField(max_length=LONGEST_STEP, required=False)
    undo = forms.ChoiceField(choices=(("last", ""), ("all", "")), required=False)
    spot = forms.RegexField(regex=r"^\d{1,2},\d{1,2}$", required=False)

    def composition(self) -> Composition:
        """Return the turn after the pressed button."""
        data: dict[str, Any] = self.cleaned_data
        steps: tuple[str, ...] = data["steps"]
        match data["undo"]:
            case "last":
                return Composition(steps[:-1])
            case "all":
                return Composition()
            case _:
                return Composition((*steps, data["step"]) if data["step"] else steps, data["spot"])


class MessageField(forms.CharField):
    """What a player writes to the others, as it will be stored."""

    def to_python(self, value: Any) -> str:
        """Return the text tidied."""
        return tidy_message(super().to_python(value) or "")


class MessageForm(forms.Form):
    """Asks for a message."""

    use_required_attribute = False

    text = MessageField(
        label=_("Your message"),
        max_length=MESSAGE_LENGTH,
        strip=False,
        error_messages={"required": _("Write something first.")},
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class InviteForm(forms.Form):
    """Asks for the display name of a person."""

    use_required_attribute = False

    name = forms.CharField(
        label=_("Name of the person"),
        help_text=_("As it stands on their page here."),
        max_length=MAX_LENGTH,
        error_messages={"required": _("Say whom you want to invite.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )


class CreateGameForm(forms.Form):
    """Asks how many people and computer players play, and who may find the game.

    The options of the board game itself are asked for by its presenter's form.
    """

    use_required_attribute = False

    size = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        initial=PUBLIC,
        choices=[
            (PUBLIC, _("Anyone: the game stands in the lobby")),
            (LINK, _("Only people to whom you give the link")),
        ],
        widget=forms.RadioSelect,
    )

    def __init__(self, sent: QueryDict | None, *, rules: Rules[Any], bot_names: Mapping[str, "_StrPromise"]) -> None:
        super().__init__(sent, label_suffix="")
        self._bots: tuple[str, ...] = rules.bots
        size = self.fields["size"]
        assert isinstance(size, forms.TypedChoiceField)
        size.choices = [(seats, str(seats)) for seats in rules.seats]
        size.initial = rules.seats.start
        for bot in rules.bots:
            self.fields[_bot_field(bot)] = forms.TypedChoiceField(
                label=bot_names.get(bot, bot),
                coerce=int,
                initial=0,
                choices=[(count, str(count)) for count in range(rules.seats.stop - 1)],
            )

    @property
    def bot_fields(self) -> list[forms.BoundField]:
        """The fields that ask how many computer players of each strength take part, weakest first."""
        return [self[_bot_field(bot)] for bot in self._bots]

    @property
    def bots(self) -> list[str]:
        """The computer players that were chosen, of a valid form."""
        return [bot for bot in self._bots for _seat in range(self.cleaned_data[_bot_field(bot)])]

    @property
    def is_public(self) -> bool:
        """Whether the game stands in the lobby, of a valid form."""
        return bool(self.cleaned_data["visibility"] == PUBLIC)

    def clean(self) -> dict[str, Any]:
        """Refuse more computer players than there are seats beside one's own."""
        values = self.cleaned_data
        most = values.get("size", 0) - 1
        if self._bots and most > 0 and sum(values.get(_bot_field(bot), 0) for bot in self._bots) > most:
            words = ngettext(
                "There is room for %(most)d computer player in this game.",
                "There is room for %(most)d computer players in this game.",
                most,
            )
            self.add_error(_bot_field(self._bots[-1]), ValidationError(words % {"most": most}, code="too-many-bots"))
        return values


def _bot_field(bot: str) -> str:
    return f"bots_{bot}"
