"""What each game must bring, looked at when the site starts: a game that lacks something is refused then, by name."""

from collections.abc import Iterator
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage, Error, Tags, register
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template

from engine.rulesets import RULESETS
from games.presenters.protocol import TEMPLATES, Presenter
from games.presenters.registry import PRESENTERS

NO_PRESENTER: Final = "games.E001"
NO_RULES: Final = "games.E002"
NO_TEMPLATE: Final = "games.E003"
BROKEN_TEMPLATE: Final = "games.E004"
NO_SHEET: Final = "games.E005"
NO_SCRIPT: Final = "games.E006"
NO_PICTURE: Final = "games.E007"
NO_KIND: Final = "games.E008"


@register(Tags.templates)
def check_games(**_options: Any) -> list[CheckMessage]:
    """Return what any game lacks that the site would miss on some page: an error each."""
    return [*_unpaired(), *(error for name, presenter in PRESENTERS.items() for error in _lacking(name, presenter))]


def _unpaired() -> Iterator[Error]:
    for name in RULESETS.keys() - PRESENTERS.keys():
        hint = "Add a line to games/presenters/registry.py."
        yield Error(f"Nothing says how games of {name} are shown.", hint=hint, id=NO_PRESENTER)
    for name in PRESENTERS.keys() - RULESETS.keys():
        hint = "Add a line to engine/rulesets.py."
        yield Error(f"Games of {name} can be shown, but have no rules.", hint=hint, id=NO_RULES)


def _lacking(name: str, presenter: Presenter) -> Iterator[Error]:
    for short, use in TEMPLATES.items():
        path = f"{presenter.templates}/{short}.html"
        try:
            get_template(path)
        except TemplateDoesNotExist:
            yield Error(f"Games of {name} lack the template {path}.", hint=f"It is {use}.", id=NO_TEMPLATE)
        except TemplateSyntaxError as error:
            yield Error(f"The template {path} of {name} is broken: {error}", id=BROKEN_TEMPLATE)
    for sheet in (*presenter.board_sheets, *presenter.table_sheets, *presenter.contrast_sheets):
        if finders.find(sheet) is None:
            yield Error(f"Games of {name} lack the style sheet {sheet}.", id=NO_SHEET)
    for script in presenter.scripts:
        if finders.find(script) is None:
            yield Error(f"Games of {name} lack the script {script}.", id=NO_SCRIPT)
    yield from _lacking_bots(name, presenter)


def _lacking_bots(name: str, presenter: Presenter) -> Iterator[Error]:
    if rules := RULESETS.get(name):
        for bot in sorted({*rules.bots, *rules.former_bots} - presenter.bot_kinds.keys()):
            yield Error(f"Nothing says what the computer player {bot} of {name} is called.", id=NO_KIND)
    for kind in presenter.bot_kinds.values():
        if kind.picture and finders.find(kind.picture) is None:
            yield Error(f"Games of {name} lack the picture {kind.picture}.", id=NO_PICTURE)
