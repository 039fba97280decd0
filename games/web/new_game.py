"""A game that is about to be created: its forms together, and what they make, in a sentence."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.names import isolate
from engine.rulesets import RULESETS
from games.models import Game
from games.presenters.protocol import OptionsForm, Presenter
from games.presenters.registry import new_games
from games.queries.friends import people_to_invite
from games.web.answers import parse_number, reader_of
from games.web.forms.create import CreateGameForm
from games.web.forms.time import TimeControlForm
from games.words.errors import errors_of
from games.words.lists import list_parts, list_words
from games.words.ratings import gate_words
from games.words.seats import bot_name
from games.words.time import summarise_time_control


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """The forms that ask for a new game of a ruleset."""

    ruleset: str
    presenter: Presenter
    form: CreateGameForm
    options_form: OptionsForm
    time_form: TimeControlForm
    query: str
    """What is asked for beside what is typed: which game, with whom; starts with its question mark, or is empty."""

    @property
    def address(self) -> str:
        """Where the form is sent."""
        return reverse("create_game") + self.query

    @property
    def preview_address(self) -> str:
        """Where the form is sent to be read back in a sentence."""
        return reverse("create_preview") + self.query

    @classmethod
    def read(cls, request: HttpRequest, sent: QueryDict | None) -> "NewGame":
        """Return the forms with what was sent, or as they stand at first. Raises `Http404` for a game not offered."""
        offered = new_games()
        family = request.GET.get("game", next(iter(offered)))
        if family not in offered:
            raise Http404
        ruleset, presenter = offered[family]
        user, number = reader_of(request), parse_number(request.GET.get("with", ""))
        people = [] if user.is_guest else people_to_invite(user, number)
        form = CreateGameForm(
            sent,
            rules=RULESETS[ruleset],
            bot_kinds=presenter.bot_kinds,
            guest=user.is_guest,
            people=people,
            chosen=() if number is None else (number,),
        )
        return cls(
            ruleset=ruleset,
            presenter=presenter,
            form=form,
            options_form=presenter.options_form(sent),
            time_form=TimeControlForm(sent),
            query=_query(family, number),
        )

    def first_choices(self) -> QueryDict:
        """Return what would be sent by who changes nothing: the first choices of fields of one part each."""
        sent = QueryDict(mutable=True)
        for form in (self.form, self.options_form, self.time_form):
            if isinstance(form, forms.BaseForm):
                for name, value in _first_choices(form):
                    sent.appendlist(name, value)
        return sent

    def is_valid(self) -> bool:
        """Return whether a game can be made of what was sent."""
        # All are asked, so that all errors are shown at once.
        return all([self.form.is_valid(), self.options_form.is_valid(), self.time_form.is_valid()])

    def summary(self) -> str:
        """Return what will be made of what was sent, as a sentence; what is wrong where none will."""
        if not self.is_valid():
            errors = errors_of(self.form, self.options_form, self.time_form)
            told = (f"{error.label}: {error.message}" if error.label else error.message for error in errors)
            return _("These choices don't fit together yet. %(errors)s") % {"errors": " ".join(told)}
        return pgettext("summary", "%(parts)s.") % {"parts": list_parts(self._parts())}

    def _parts(self) -> Iterator[str]:
        form, size = self.form, self.form.cleaned_data["size"]
        names = {"name": isolate(form.game_name), "players": list_words(self._players()), "size": size}
        if form.game_name:
            words = ngettext(
                "“%(name)s”, a game for %(size)s: %(players)s", "“%(name)s”, a game for %(size)s: %(players)s", size
            )
        else:
            words = ngettext("A game for %(size)s: %(players)s", "A game for %(size)s: %(players)s", size)
        yield words % names
        if form.series > 1:
            yield _("%(number)d games in a row") % {"number": form.series}
        yield summarise_time_control(self.time_form.time_control())
        yield from self.presenter.describe_options(self.options_form.options())
        if form.invited:
            words = ngettext("%(names)s will be invited", "%(names)s will be invited", len(form.invited))
            yield words % {"names": list_words(form.invited_names)}
        if form.bots and len(form.bots) + 1 == size:
            yield _("it starts at once")
        elif form.is_public:
            yield _("listed in the lobby")
        else:
            yield _("by link only")
        if form.is_for_players:
            yield _("for its players’ eyes only")
        if form.is_for_bots:
            yield _("bots may join")
        if not form.bots:
            yield _("rated") if form.is_rated else _("not rated")
        if len(form.bots) + 1 < size:
            yield from gate_words(Game(**asdict(form.gates)))

    def _players(self) -> Iterator[str]:
        yield _("you")
        number = Counter[str]()
        for bot in self.form.bots:
            number[bot] += 1
            name, kind = bot_name(self.ruleset, bot, number[bot]), self.presenter.bot_kinds[bot]
            yield _("%(name)s (%(strength)s)") % {"name": name, "strength": kind.strength}
        others = self.form.cleaned_data["size"] - 1 - len(self.form.bots)
        if others:
            yield ngettext("%(count)s other person", "%(count)s other people", others) % {"count": others}


def _query(family: str, number: int | None) -> str:
    asked: dict[str, str | int] = {"game": family} if len(new_games()) > 1 else {}
    if number is not None:
        asked["with"] = number
    return f"?{urlencode(asked)}" if asked else ""


def _first_choices(form: forms.BaseForm) -> Iterator[tuple[str, str]]:
    for name, field in form.fields.items():
        if isinstance(field, forms.MultiValueField):
            continue
        initial = form.get_initial_for_field(field, name)
        for value in initial if isinstance(initial, list) else [initial]:
            if value is not None and value != "" and value is not False:
                yield form.add_prefix(name), "on" if value is True else str(value)
