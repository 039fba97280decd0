"""A game that lacks something which a page would miss is refused when the site starts, by the name of what it lacks."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from shutil import copytree

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from engine.rulesets import RULESETS
from games.presenters.protocol import TEMPLATES, BotKind
from games.presenters.registry import PRESENTERS
from tests.another_game.conftest import FOLDER
from tests.another_game.presenter import AcornsPresenter

type Spoil = Callable[[str, str | None], None]


@pytest.fixture
def spoil(tmp_path: Path, settings: Settings) -> Spoil:
    """Give the site a copy of the game's templates; a call drops one of them, or writes it anew."""
    copytree(FOLDER / "templates", tmp_path / "templates")
    templates = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"][:-1], tmp_path / "templates"]}]

    def change(name: str, text: str | None) -> None:
        file = tmp_path / "templates" / "acorns" / f"{name}.html"
        if text is None:
            file.unlink()
        else:
            file.write_text(text, "utf-8")
        settings.TEMPLATES = templates

    return change


def found() -> list[tuple[str | None, str]]:
    """Return what the check of every start says of the games."""
    errors = run_checks(tags=[Tags.templates])
    return [(error.id, error.msg) for error in errors if (error.id or "").startswith("games.")]


def test_a_complete_game_is_taken() -> None:
    assert found() == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_game_without_one_of_its_templates_is_refused_at_start(name: str, spoil: Spoil) -> None:
    spoil(name, None)
    assert found() == [("games.E003", f"Games of acorns-1 lack the template acorns/{name}.html.")]
    with pytest.raises(SystemCheckError, match=f"acorns/{name}.html"):
        call_command("check", tags=[Tags.templates], stdout=StringIO(), stderr=StringIO())


def test_a_template_that_can_not_be_read_is_refused(spoil: Spoil) -> None:
    spoil("rules", "{% if %}")
    assert [error for error, _message in found()] == ["games.E004"]


def test_a_game_without_a_presenter_or_without_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(PRESENTERS, "acorns-1")
    assert found() == [("games.E001", "Nothing says how games of acorns-1 are shown.")]
    monkeypatch.setitem(PRESENTERS, "acorns-1", AcornsPresenter())
    monkeypatch.delitem(RULESETS, "acorns-1")
    assert found() == [("games.E002", "Games of acorns-1 can be shown, but have no rules.")]


def test_a_computer_player_without_a_name_or_its_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {"random": BotKind(("Squirrel",), "wild", picture="acorns/none.svg"), "careful": BotKind(("Nut",), "tame")}
    monkeypatch.setattr(AcornsPresenter, "bot_kinds", kinds)
    assert found() == [
        ("games.E008", "Nothing says what the computer player hasty of acorns-1 is called."),
        ("games.E007", "Games of acorns-1 lack the picture acorns/none.svg."),
    ]


def test_a_game_without_its_sheet_is_refused(settings: Settings) -> None:
    settings.STATICFILES_DIRS = settings.STATICFILES_DIRS[:-1]
    assert found() == [("games.E005", "Games of acorns-1 lack the style sheet acorns/acorns.css.")]
