"""What requests hold: bodies and queries, checked for their form before any rule is asked."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.settings import api_settings

from accounts.names import normalise_name, validate_title
from engine.rulesets import RULESETS
from games.clock import DEFAULT_PRESET, PRESETS, OnTimeout, TimeControl, custom
from games.commands.create_game import MOST_IN_SERIES
from games.log.gates import PUNCTUAL, RATINGS, Gates
from games.models import TURN_LENGTH
from games.models.choices import Status
from games.models.game import NAME_LENGTH
from games.models.plan import CONDITION_LENGTH, MOST_CONDITIONS
from games.presenters.registry import new_games
from games.presenters.sheets import Scheme

LONGEST_STEP: Final = 12
MOST_STEPS: Final = TURN_LENGTH // 2
"""A step has a character at least, and a blank before the next one."""
LAST_NUMBER: Final = 10**9
LARGEST_PERSON: Final = 2**63 - 1
BOTS: Final = [f"`{bot}`" for ruleset, _presenter in new_games().values() for bot in RULESETS[ruleset].bots]
"""The computer players that new games can have, as code."""


class Body(serializers.Serializer[Any]):
    """A body that names no field which is not asked for: whoever misspells one reads so."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the checked fields. Raises `ValidationError`, for unknown ones too."""
        unknown = [name for name in data if name not in self.fields] if isinstance(data, Mapping) else []
        if unknown:
            raise serializers.ValidationError({name: ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)


class UnknownParameterError(APIException):
    """A query has a parameter that the address does not know."""

    status_code = HTTPStatus.BAD_REQUEST
    default_code = "unknown-parameter"

    def __init__(self, name: str) -> None:
        super().__init__(_("There is no parameter “%(name)s” here.") % {"name": name})
        self.params = {"name": name}


class Query(serializers.Serializer[Any]):
    """The parameters of an address: none is passed over, as the answer would mislead whoever misspells one."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the checked parameters. Raises `UnknownParameterError`, or `ValidationError`."""
        for name in data:
            if name not in self.fields and name != api_settings.URL_FORMAT_OVERRIDE:
                raise UnknownParameterError(name)
        return super().to_internal_value(data)


class Nothing(Body):
    """A body without any field."""


class GamesQuery(Query):
    """Which games are wanted."""

    status = serializers.ChoiceField(
        choices=[status.value for status in Status], default=Status.ACTIVE.value, help_text="How far the games are."
    )
    mine = serializers.BooleanField(default=False, help_text="Those in which one has a seat, in place of public ones.")
    waiting = serializers.BooleanField(
        default=False, help_text="Running ones in which one is to move, the most urgent first, whatever else is asked."
    )
    invited = serializers.BooleanField(
        default=False, help_text="Open ones to which one is invited, the newest first, whatever else is asked."
    )
    takes_bots = serializers.BooleanField(
        default=False, help_text="Open public ones that bots may join, the newest first, whatever status is asked for."
    )
    after = serializers.CharField(required=False, default="", help_text="Where the page begins, as `next` says it.")


class PlaceQuery(Query):
    """Where a page of a list begins."""

    after = serializers.CharField(required=False, default="", help_text="Where the page begins, as `next` says it.")


class PositionQuery(Query):
    """Which position is wanted."""

    at = serializers.IntegerField(
        min_value=0, max_value=LAST_NUMBER, required=False, help_text="The number of an entry; 0 is the set-up."
    )


class LogQuery(Query):
    """Which part of a log is wanted."""

    after = serializers.IntegerField(
        min_value=0, max_value=LAST_NUMBER, default=0, help_text="The number of the entry before the first one wanted."
    )


class PictureQuery(PositionQuery):
    """Which picture of a board is wanted."""

    scheme = serializers.ChoiceField(
        choices=[scheme.value for scheme in Scheme], default=Scheme.LIGHT.value, help_text="The colours."
    )


class Seen(Body):
    """The entry after which somebody saw the game."""

    seq = serializers.IntegerField(
        min_value=0, max_value=LAST_NUMBER, help_text="The number of the last entry that was seen."
    )


class Turn(Seen):
    """A turn, and the entry after which its player saw the game."""

    turn = serializers.CharField(max_length=TURN_LENGTH, help_text="The steps of the turn, separated by blanks.")


class Steps(Seen):
    """The beginning of a turn."""

    steps = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_STEP), max_length=MOST_STEPS, help_text="The steps so far."
    )


class Step(Steps):
    """A step that may follow the beginning of a turn."""

    step = serializers.CharField(max_length=LONGEST_STEP, help_text="The step asked about; `.` ends the turn.")


class NewPlan(Turn):
    """A turn that is planned ahead, and on what it is to depend."""

    conditions = serializers.ListField(
        child=serializers.CharField(max_length=CONDITION_LENGTH),
        max_length=MOST_CONDITIONS,
        allow_null=True,
        default=None,
        help_text="Those that are chosen of `plannable`; all if null or not given.",
    )


class TimeControlBody(Body):
    """A time control: a preset by its name, or amounts of one's own, in seconds."""

    preset = serializers.ChoiceField(
        choices=list(PRESETS), required=False, help_text="If given, it is all that counts."
    )
    allowance = serializers.IntegerField(min_value=0, max_value=LAST_NUMBER, required=False, help_text="For each turn.")
    reserve_start = serializers.IntegerField(min_value=0, max_value=LAST_NUMBER, default=0)
    reserve_increment = serializers.IntegerField(min_value=0, max_value=LAST_NUMBER, default=0)
    reserve_cap = serializers.IntegerField(
        min_value=0,
        max_value=LAST_NUMBER,
        required=False,
        help_text="As much as the reserve at the start, if not given.",
    )
    weekends = serializers.BooleanField(default=False, help_text="Saturdays and Sundays do not count.")
    holidays = serializers.BooleanField(
        allow_null=True,
        default=None,
        help_text="Holidays set in advance do not count; by default from a day a turn on.",
    )
    on_timeout = serializers.ChoiceField(choices=[each.value for each in OnTimeout], default=OnTimeout.AUTOPILOT.value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse what is neither a preset nor amounts."""
        if "preset" not in attrs and "allowance" not in attrs:
            raise serializers.ValidationError({"preset": ["Give a preset, or an allowance."]})
        return attrs


class GatesBody(Body):
    """Whom a game takes uninvited; what is null or not given takes anybody."""

    rating_from = serializers.IntegerField(
        min_value=RATINGS.start, max_value=RATINGS.stop - 1, allow_null=True, default=None
    )
    rating_to = serializers.IntegerField(
        min_value=RATINGS.start, max_value=RATINGS.stop - 1, allow_null=True, default=None
    )
    punctual_from = serializers.ChoiceField(choices=PUNCTUAL, allow_null=True, default=None)


class NewGame(Body):
    """A new game. What is not given is as on the form at its plainest."""

    game = serializers.CharField(max_length=32, required=False, help_text="The family; the site's own if not given.")
    size = serializers.IntegerField(min_value=1, max_value=20, help_text="How many seats it has.")
    options = serializers.DictField(default=dict, help_text="The game's own options, by name.")
    public = serializers.BooleanField(default=False, help_text="Listed in the lobby, for anyone to join.")
    players_only = serializers.BooleanField(default=False, help_text="Nobody else sees it once it has started.")
    takes_bots = serializers.BooleanField(
        default=False, help_text="Bots, programs of people, may join; it is not rated then. Games of bots always do."
    )
    bots = serializers.ListField(
        child=serializers.CharField(max_length=32),
        max_length=20,
        default=list,
        help_text=f"Computer players, by kind; from the weakest to the strongest: {' '.join(BOTS)}",
    )
    invited = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_PERSON),
        max_length=20,
        default=list,
        help_text="People to invite, by their number; who is gone or kept apart is left out without a word.",
    )
    name = serializers.CharField(max_length=NAME_LENGTH, allow_blank=True, default="", help_text="What it is called.")
    series = serializers.IntegerField(
        min_value=1, max_value=MOST_IN_SERIES, default=1, help_text="So many games follow one another."
    )
    rated = serializers.BooleanField(default=False, help_text="Between people with an account alone.")
    time_control = TimeControlBody(required=False, help_text=f"`{DEFAULT_PRESET}` if not given.")
    gates = GatesBody(required=False, help_text="Whom it takes uninvited.")

    def validate_name(self, name: str) -> str:
        """Return the name as it is stored. Raises what pages refuse a name for."""
        name = normalise_name(name)
        if name:
            validate_title(name)
        return name


class SandboxBody(Body):
    """A record, and steps of a turn that follows it."""

    record = serializers.DictField(help_text="A whole record, nothing hidden, as the site writes of an ended game.")
    steps = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_STEP), max_length=MOST_STEPS, default=list
    )


def time_control_of(asked: Mapping[str, Any]) -> TimeControl:
    """Return the time control that was asked for. Raises `ClockError`."""
    if "preset" in asked:
        return PRESETS[asked["preset"]]
    terms = {name: value for name, value in asked.items() if name != "on_timeout"}
    return custom(**terms, on_timeout=OnTimeout(asked["on_timeout"]))


def gates_of(asked: Mapping[str, Any]) -> Gates:
    """Return whom a new game takes."""
    return Gates(**asked)
