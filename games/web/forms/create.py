"""The form of a new game."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.forms import NameField
from accounts.models import User
from accounts.names import validate_title
from engine.contract import Rules
from games.commands.create_game import MOST_IN_SERIES, free_seats
from games.log.gates import PUNCTUAL, Gates
from games.models.game import NAME_LENGTH
from games.presenters.protocol import BotKind
from games.web.forms.ratings import RatingField

PUBLIC: Final = "public"
LINK: Final = "link"
PEOPLE: Final = "people"
GATES: Final = ("rating_from", "rating_to", "punctual_from")
COMPUTERS: Final = "bots"
MIX: Final = "mix"
"""Whom one plays against: people, computer players of one kind, or a mix."""


class CreateGameForm(forms.Form):
    """Asks how many people and computer players play, and who may find the game.

    The options of the board game itself are asked for by its presenter's form. Where a mix is wanted, or nothing was
    said of the opponents, each computer player is chosen by itself; those that have no seat in a game of that size
    count for nothing. ``token`` is the same however often
    the form is sent, so that one form makes one game. A ``guest`` is not asked who may find it, as nobody may, nor
    for its name, nor of ratings.
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
    takes_bots = forms.BooleanField(
        label=_("Bots may join"),
        help_text=_("Bots are programs of other people. The game is not rated then."),
        required=False,
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        help_text=_(
            "The result changes the players' ratings. Games with computer players, bots or guests are not rated."
        ),
        initial=True,
        required=False,
    )
    rating_from = RatingField(label=_("Rating from"))
    rating_to = RatingField(label=_("Rating up to"))
    punctual_from = forms.TypedChoiceField(
        label=_("Turns played in time"),
        choices=[
            ("", _("any share")),
            *((share, format_lazy(_("at least {share}%"), share=share)) for share in PUNCTUAL),
        ],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def __init__(
        self,
        sent: QueryDict | None,
        *,
        rules: Rules[Any],
        bot_kinds: Mapping[str, BotKind],
        guest: bool = False,
        people: Sequence[User] = (),
        chosen: Collection[int] = (),
    ) -> None:
        super().__init__(sent, label_suffix="")
        self.token = read_token(sent) or uuid4()
        self._kinds = {bot: bot_kinds[bot] for bot in rules.bots}
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
        only_people = [] if guest else [(PEOPLE, _("People"))]
        mix = _("A mix of computer players") if guest else _("A mix of people and computers")
        against.choices = [*only_people, (COMPUTERS, _("The computer")), (MIX, mix)]
        against.initial = COMPUTERS if guest else PEOPLE
        self._ask_for_bots(rules, guest=guest)
        if guest:
            for name in ("visibility", "name", "games", "players_only", "takes_bots", "rated", *GATES):
                del self.fields[name]

    def _ask_for_bots(self, rules: Rules[Any], *, guest: bool) -> None:
        kinds = [(bot, kind.choice) for bot, kind in self._kinds.items()]
        self.fields["bot"] = forms.ChoiceField(
            label=_("How strong"),
            required=False,
            choices=kinds,
            initial=rules.first_bot,
            widget=forms.RadioSelect({"id": "id_character"}),  # of their own: bot_1 is a field, too
        )
        self._mixed = [f"bot_{number}" for number in range(1, rules.seats.stop - 1)]
        nobody = [] if guest else [("", _("a person"))]
        for number, name in enumerate(self._mixed, start=1):
            self.fields[name] = forms.ChoiceField(
                label=format_lazy(_("Opponent {number}"), number=number),
                required=False,
                choices=[*nobody, *kinds],
                initial=rules.first_bot if guest or number == 1 else "",
            )

    @property
    def characters(self) -> list[tuple[forms.boundfield.BoundWidget, BotKind]]:
        """The radio buttons of the kinds of computer players with what is told of each, weakest first."""
        return list(zip(self["bot"], self._kinds.values(), strict=True))

    @property
    def mixed(self) -> list[forms.BoundField]:
        """The fields that ask who plays on each of the other seats of a mixed game."""
        return [self[name] for name in self._mixed]

    @property
    def bots(self) -> list[str]:
        """The computer players that were chosen, of a valid form."""
        against, seats = self.cleaned_data.get("against"), self.cleaned_data["size"] - 1
        if against == PEOPLE:
            return []
        if against == COMPUTERS:
            return [self.cleaned_data.get("bot") or self.fields["bot"].initial] * seats
        return [bot for name in self._mixed[:seats] if (bot := self.cleaned_data.get(name))]

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
    def is_for_bots(self) -> bool:
        """Whether bots may join the game, of a valid form."""
        return bool(self.cleaned_data.get("takes_bots"))

    @property
    def is_public(self) -> bool:
        """Whether the game stands in the lobby, of a valid form."""
        return self.cleaned_data.get("visibility") == PUBLIC

    @property
    def is_rated(self) -> bool:
        """Whether the game is to be rated, of a valid form."""
        return bool(self.cleaned_data.get("rated")) and not self.bots and not self.is_for_bots

    @property
    def gates(self) -> Gates:
        """Whom the game takes, of a valid form."""
        return Gates(**{name: self.cleaned_data.get(name) for name in GATES})

    def clean(self) -> dict[str, Any]:
        """Refuse more people to be asked than there are seats for, and bounds that nobody is between."""
        values = self.cleaned_data
        if "size" in values:
            self._limit_invited(free_seats(values["size"], self.bots))
        lowest, highest = values.get("rating_from"), values.get("rating_to")
        if lowest is not None and highest is not None and lowest > highest:
            self.add_error("rating_to", ValidationError(_("This is below the lowest rating."), code="backwards"))
        return values

    def _limit_invited(self, free: int) -> None:
        """Refuse more people to be asked than there are seats for them."""
        if len(self.invited) > free:
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
