"""The form of a new game."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.forms import NameField
from accounts.models import User
from accounts.names import validate_title
from engine.contract import Rules
from games.commands.create_game import MOST_IN_SERIES
from games.models.game import NAME_LENGTH

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


PUBLIC: Final = "public"
LINK: Final = "link"
PEOPLE: Final = "people"
MIX: Final = "mix"
"""Whom one plays against, beside the computer players of one kind alone."""


class CreateGameForm(forms.Form):
    """Asks how many people and computer players play, and who may find the game.

    The options of the board game itself are asked for by its presenter's form. How many computer players of each kind
    there are is read where a mix is wanted, or nothing was said of the opponents. ``token`` is the same however often
    the form is sent, so that one form makes one game. A ``guest`` is not asked who may find it, as nobody may, nor
    for its name.
    """

    use_required_attribute = False

    size = forms.TypedChoiceField(label=_("Players"), coerce=int, widget=forms.RadioSelect)
    against = forms.ChoiceField(label=_("Opponents"), required=False, widget=forms.RadioSelect)
    name = NameField(
        label=_("Name of the game"),
        help_text=_("Optional, up to 40 characters."),
        max_length=NAME_LENGTH,
        required=False,
        validators=[validate_title],
        widget=forms.TextInput(attrs={"autocomplete": "off", "dir": "auto"}),
    )
    games = forms.TypedChoiceField(
        label=_("Games in a row"),
        help_text=_("The next one begins by itself, with the same people, and everyone sits one seat further on."),
        coerce=int,
        required=False,
        initial=1,
        choices=[(number, str(number)) for number in (1, 3, MOST_IN_SERIES)],
        widget=forms.RadioSelect,
    )
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        initial=PUBLIC,
        choices=[
            (PUBLIC, _("Anyone: the game is listed in the lobby")),
            (LINK, _("Only people you give the link to")),
        ],
        widget=forms.RadioSelect,
    )

    invite = forms.TypedMultipleChoiceField(
        label=_("Invite"),
        coerce=int,
        required=False,
        error_messages={"invalid_choice": _("One of the people you want to invite can't be invited any more.")},
        widget=forms.CheckboxSelectMultiple,
    )
    players_only = forms.BooleanField(
        label=_("Only its players can watch"),
        help_text=_("Nobody else sees the game once it has started, not even with its link."),
        required=False,
    )

    def __init__(
        self,
        sent: QueryDict | None,
        *,
        rules: Rules[Any],
        bot_choices: "Mapping[str, str | _StrPromise]",
        guest: bool = False,
        people: Sequence[User] = (),
        chosen: Collection[int] = (),
    ) -> None:
        super().__init__(sent, label_suffix="")
        self.token = read_token(sent) or uuid4()
        self._bots: tuple[str, ...] = rules.bots
        size = self.fields["size"]
        assert isinstance(size, forms.TypedChoiceField)
        size.choices = [(seats, str(seats)) for seats in rules.seats]
        size.initial = rules.seats.start
        self._people = {person.pk: person.shown_name for person in people}
        invite = self.fields["invite"]
        assert isinstance(invite, forms.TypedMultipleChoiceField)
        invite.choices = list(self._people.items())
        invite.initial = [number for number in self._people if number in chosen]
        if not people:
            del self.fields["invite"]
        if invite.initial:
            self.fields["visibility"].initial = LINK
        against = self.fields["against"]
        assert isinstance(against, forms.ChoiceField)
        kinds = [(bot, bot_choices.get(bot, bot)) for bot in rules.bots]
        only_people = [] if guest else [(PEOPLE, _("People"))]
        mix = _("A mix of computer players") if guest else _("A mix of people and computers")
        against.choices = [*only_people, *kinds, (MIX, mix)]
        against.initial = rules.bots[-1] if guest and rules.bots else PEOPLE
        for bot in rules.bots:
            self.fields[_bot_field(bot)] = forms.TypedChoiceField(
                label=bot_choices.get(bot, bot),
                coerce=int,
                initial=0,
                choices=[(count, str(count)) for count in range(rules.seats.stop - 1)],
            )
        if guest:
            for one in ("visibility", "name", "games", "players_only"):
                del self.fields[one]
            for bot in rules.bots[-1:]:
                self.fields[_bot_field(bot)].initial = rules.seats.start - 1

    @property
    def bot_fields(self) -> list[forms.BoundField]:
        """The fields that ask how many computer players of each strength take part, weakest first."""
        return [self[_bot_field(bot)] for bot in self._bots]

    @property
    def bots(self) -> list[str]:
        """The computer players that were chosen, of a valid form."""
        against = self.cleaned_data.get("against")
        if against in self._bots:
            return [against] * (self.cleaned_data["size"] - 1)
        if against == PEOPLE:
            return []
        return [bot for bot in self._bots for _seat in range(self.cleaned_data[_bot_field(bot)])]

    @property
    def invited(self) -> list[int]:
        """The numbers of the people who will be asked to play, of a valid form."""
        return list(self.cleaned_data.get("invite", []))

    @property
    def invited_names(self) -> list[str]:
        """What these people are called."""
        return [self._people[number] for number in self.invited]

    @property
    def game_name(self) -> str:
        """What the game is called, of a valid form; empty for nothing."""
        return str(self.cleaned_data.get("name", ""))

    @property
    def series(self) -> int:
        """How many games follow one another, of a valid form."""
        return self.cleaned_data.get("games") or 1

    @property
    def is_for_players(self) -> bool:
        """Whether nobody but its players may watch the game, of a valid form."""
        return bool(self.cleaned_data.get("players_only"))

    @property
    def is_public(self) -> bool:
        """Whether the game stands in the lobby, of a valid form."""
        return self.cleaned_data.get("visibility") == PUBLIC

    def clean(self) -> dict[str, Any]:
        """Refuse more computer players than there are seats beside one's own."""
        values = self.cleaned_data
        most = values.get("size", 0) - 1
        self._limit_invited(most)
        if values.get("against") not in (MIX, ""):
            return values
        if self._bots and most > 0 and sum(values.get(_bot_field(bot), 0) for bot in self._bots) > most:
            words = ngettext(
                "There is room for %(most)d computer player in this game.",
                "There is room for %(most)d computer players in this game.",
                most,
            )
            self.add_error(_bot_field(self._bots[-1]), ValidationError(words % {"most": most}, code="too-many-bots"))
        return values

    def _limit_invited(self, seats: int) -> None:
        """Refuse more people to be asked than there are ``seats`` for them."""
        against = self.cleaned_data.get("against")
        bots = sum(self.cleaned_data.get(_bot_field(bot), 0) for bot in self._bots) if against in (MIX, "") else 0
        free = 0 if against in self._bots else max(seats - bots, 0)
        if seats > 0 and len(self.invited) > free:
            words = ngettext(
                "There is room for %(free)d other person in this game.",
                "There is room for %(free)d other people in this game.",
                free,
            )
            self.add_error("invite", ValidationError(words % {"free": free}, code="too-many-invited"))


def read_token(sent: QueryDict | None) -> UUID | None:
    """Return the token of a form that was sent; None for anything else, since nobody typed it."""
    try:
        return UUID(sent.get("token", "")) if sent else None
    except ValueError:
        return None


def _bot_field(bot: str) -> str:
    return f"bots_{bot}"
