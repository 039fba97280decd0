"""The shapes of answers, for the description of the API: `games.api.documents` makes them, and tests compare."""

from typing import Any

from rest_framework import serializers

from games.models import PlanState
from games.models.choices import Actor, EntryEvent, GameKind, Pool, Reason, RemarkKind, Status


class Answer(serializers.Serializer[Any]):
    """Something that the API answers with: it has no other fields than these."""


class EventAnswer(Answer):
    """One thing that happened, in order; its kinds are the game's own."""

    kind = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    params = serializers.DictField(help_text="What there is to know of it, hidden things replaced.")


class EntryAnswer(Answer):
    """An entry of the log: a turn, or a seat's leaving (`event`), with what happened in it."""

    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    turn = serializers.CharField(required=False, help_text="A card that is hidden from the reader is a `?`.")
    event = serializers.ChoiceField(choices=EntryEvent.values, required=False)
    reason = serializers.ChoiceField(choices=Reason.values, required=False)
    at = serializers.DateTimeField()
    by = serializers.ChoiceField(choices=Actor.values)
    planned = serializers.BooleanField(help_text="Whether the turn was planned ahead.")
    events = EventAnswer(many=True)


class RemarkAnswer(Answer):
    """Something that happened beside the entries: a proposal, time given back."""

    after = serializers.IntegerField(help_text="The number of the entry after which it happened.")
    at = serializers.DateTimeField()
    kind = serializers.ChoiceField(choices=RemarkKind.values)
    text = serializers.CharField(help_text="In the reader's language.")


class LogAnswer(Answer):
    """Entries of a log, oldest first."""

    entries = EntryAnswer(many=True)
    remarks = RemarkAnswer(many=True)
    next = serializers.CharField(
        allow_null=True, help_text="The address of the entries that follow; null on the last page."
    )


class OwnerAnswer(Answer):
    """Whose program a bot is."""

    number = serializers.IntegerField()
    name = serializers.CharField()


class SeatAnswer(Answer):
    """A seat. Before the start seats have no numbers."""

    number = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    player = serializers.IntegerField(allow_null=True, help_text="The person's number; null for computer players.")
    bot = serializers.CharField(allow_null=True, help_text="The kind of computer player; null for people.")
    owner = OwnerAnswer(allow_null=True, help_text="The person whose bot sits there; null where none does.")
    points = serializers.IntegerField()
    place = serializers.IntegerField(allow_null=True)
    retired = serializers.BooleanField()


class SummaryAnswer(Answer):
    """A game as lists have it."""

    key = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    ruleset = serializers.CharField()
    status = serializers.ChoiceField(choices=Status.values)
    size = serializers.IntegerField()
    options = serializers.DictField()
    public = serializers.BooleanField()
    players_only = serializers.BooleanField()
    takes_bots = serializers.BooleanField(help_text="Whether bots, programs of people, may join.")
    rated = serializers.BooleanField()
    series_length = serializers.IntegerField()
    series_number = serializers.IntegerField()
    seats = SeatAnswer(many=True)
    viewer = serializers.IntegerField(
        allow_null=True,
        help_text="The number of the reader's seat; null where they have none, and before the start.",
    )
    seq = serializers.IntegerField(help_text="The number of the last entry.")
    round = serializers.IntegerField()
    turns = serializers.IntegerField()
    to_move = serializers.IntegerField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class GamesAnswer(Answer):
    """A page of games."""

    games = SummaryAnswer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The address of the next page; null on the last one.")


class SeatTimeAnswer(Answer):
    """A seat's time, in seconds."""

    number = serializers.IntegerField(allow_null=True)
    left = serializers.IntegerField(allow_null=True)
    reserve = serializers.IntegerField()
    runs = serializers.BooleanField()


class TimeControlAnswer(Answer):
    """A time control, in seconds."""

    allowance = serializers.IntegerField()
    reserve_start = serializers.IntegerField()
    reserve_increment = serializers.IntegerField()
    reserve_cap = serializers.IntegerField()
    weekends = serializers.BooleanField()
    holidays = serializers.BooleanField()
    on_timeout = serializers.CharField()


class TimeAnswer(Answer):
    """A game's time control, and its clocks at an instant."""

    contract = TimeControlAnswer()
    sentence = serializers.CharField(help_text="The same in words, in the reader's language.")
    now = serializers.DateTimeField()
    deadline = serializers.DateTimeField(allow_null=True)
    paused = serializers.ListField(child=serializers.CharField())
    seats = SeatTimeAnswer(many=True)


class GatesAnswer(Answer):
    """Whom an open game takes uninvited."""

    rating_from = serializers.IntegerField(allow_null=True)
    rating_to = serializers.IntegerField(allow_null=True)
    punctual_from = serializers.IntegerField(allow_null=True)


class RatingChangeAnswer(Answer):
    """What a game did to a rating."""

    seat = serializers.IntegerField()
    place = serializers.IntegerField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    provisional = serializers.BooleanField()


class GameAnswer(SummaryAnswer):
    """A game as its reader may see it."""

    creator = serializers.IntegerField(allow_null=True, help_text="The number of who created it.")
    expires_at = serializers.DateTimeField(allow_null=True, help_text="Until when it waits for players.")
    gates = GatesAnswer()
    time = TimeAnswer()
    rating_changes = RatingChangeAnswer(many=True)
    board = serializers.DictField(allow_null=True, help_text="What draws the board at its last position.")


class PositionAnswer(Answer):
    """A position of a record as its reader may see it, with these beside it. Its other keys are the game's own."""

    seq = serializers.IntegerField(help_text="The number of the entry that led to it.")
    to_move = serializers.IntegerField(allow_null=True, help_text="The seat that is to move; null where none is.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="Of the last position: when time runs out.")


class PreviewAnswer(Answer):
    """Where steps would lead."""

    position = serializers.DictField()
    events = EventAnswer(many=True)


class LegalAnswer(Answer):
    """What may follow the beginning of a turn."""

    seq = serializers.IntegerField()
    steps = serializers.ListField(child=serializers.CharField())
    legal = serializers.ListField(child=serializers.CharField(), help_text="The legal next steps; `.` ends the turn.")
    preview = PreviewAnswer()


class ConditionAnswer(Answer):
    """Something that a planned turn relies on."""

    text = serializers.CharField(help_text="What a plan calls it; of the game's own.")
    necessary = serializers.BooleanField(help_text="Whether the turn can't do without it.")
    unlikely = serializers.BooleanField(help_text="Whether it will hardly be so by one's turn.")
    words = serializers.CharField(help_text="In the reader's language.")


class PlannableAnswer(LegalAnswer):
    """What may follow the beginning of a turn, were it one's turn now, and what it relies on."""

    conditions = ConditionAnswer(many=True)


class PlanAnswer(Answer):
    """A turn that is planned ahead."""

    place = serializers.IntegerField(help_text="They are tried in the order of their places.")
    turn = serializers.CharField()
    conditions = serializers.ListField(child=serializers.CharField())
    seq = serializers.IntegerField(help_text="The number of the last entry when it was made.")
    made_at = serializers.DateTimeField()
    state = serializers.ChoiceField(
        choices=PlanState.values,
        help_text="`unmet` and `illegal`: one's turn has begun, and it was not played.",
    )
    unmet = serializers.CharField(allow_null=True, help_text="The first condition that did not hold.")


class PlansAnswer(Answer):
    """One's plans in a game."""

    seq = serializers.IntegerField()
    plans = PlanAnswer(many=True)


class WhyNotAnswer(Answer):
    """Why a step is not legal, or that it is."""

    seq = serializers.IntegerField()
    steps = serializers.ListField(child=serializers.CharField())
    step = serializers.CharField()
    is_legal = serializers.BooleanField()
    code = serializers.CharField(allow_null=True, help_text="One of the codes of problems.")
    params = serializers.DictField()
    words = serializers.CharField(allow_null=True, help_text="The reason in the reader's language.")


class RatingAnswer(Answer):
    """How good a person is in games of a size."""

    pool = serializers.ChoiceField(choices=Pool.values)
    rating = serializers.IntegerField()
    provisional = serializers.BooleanField()
    games = serializers.IntegerField()


class RecordAnswer(Answer):
    """What finished games of a kind came to."""

    kind = serializers.ChoiceField(choices=GameKind.values)
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    left = serializers.IntegerField()
    points = serializers.IntegerField()
    turns = serializers.IntegerField()
    in_time = serializers.IntegerField()


class PlayerAnswer(Answer):
    """A person, or a bot, as others see them; who hides results has none here."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    guest = serializers.BooleanField()
    bot = serializers.BooleanField(help_text="Whether it is a person's program.")
    owner = OwnerAnswer(allow_null=True, help_text="The person whose program it is; null for people.")
    results_shown = serializers.BooleanField()
    ratings = RatingAnswer(many=True)
    records = RecordAnswer(many=True)


class CountsAnswer(Answer):
    """How long one's lists of games are."""

    to_move = serializers.IntegerField()
    waiting = serializers.IntegerField()
    open = serializers.IntegerField()
    invited = serializers.IntegerField()


class MeAnswer(Answer):
    """Whose requests these are."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    guest = serializers.BooleanField()
    bot = serializers.BooleanField(help_text="Whether it is a person's program.")
    owner = OwnerAnswer(allow_null=True, help_text="The person whose program it is; null for people.")
    language = serializers.CharField()
    time_zone = serializers.CharField()
    games = CountsAnswer()


class GameRecordAnswer(serializers.Serializer[Any]):
    """A game's record, complete in itself: its keys are those of its format."""

    format = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField())
    log = serializers.ListField(child=serializers.DictField())
    redacted = serializers.BooleanField(required=False, help_text="Of a running game: hidden things are replaced.")
    chain = serializers.ListField(child=serializers.CharField(), required=False)


class SandboxAnswer(Answer):
    """A record played through."""

    positions = serializers.ListField(child=serializers.DictField(), help_text="After set-up, and after each entry.")
    events = serializers.ListField(child=EventAnswer(many=True), help_text="What led to each position.")
    steps = serializers.ListField(child=serializers.CharField())
    legal = serializers.ListField(child=serializers.CharField())
    preview = PreviewAnswer()


class ProblemAnswer(Answer):
    """Why a request is refused (RFC 9457). What follows `detail` is there where it says something."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="In the reader's language.")
    code = serializers.CharField(help_text="The same for ever; see the list of codes.")
    params = serializers.DictField(required=False)
    fields = serializers.DictField(  # type: ignore[assignment] # a field of that name
        required=False, help_text="What is wrong, by field."
    )
    step = serializers.IntegerField(required=False, help_text="The index of the refused step, from 0.")
    legal = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="What was legal in its place."
    )
    position = PositionAnswer(required=False, help_text="With `stale`: the position as it is now.")
    retry_after = serializers.IntegerField(required=False, help_text="With `unavailable`: seconds.")
