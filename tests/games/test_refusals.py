"""Every code of a refusal has a sentence in every language, made of the parameters that the code is documented with."""

import ast
import re
from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from engine.errors import Refusal, RulesCode, RulesError
from engine.gravity.codes import GravityCode
from games.clock import ClockCode, ClockError, HolidaySpan, check_holidays, custom
from games.errors import HTTP_STATUS, GameCode, GameError, Stale
from games.words.refusals import REFUSALS, explain

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ("en", "nl", "fr", "de")
CODES: tuple[StrEnum, ...] = (*GameCode, *RulesCode, *ClockCode)
SOURCES = {GameCode: "games/errors.py", RulesCode: "engine/errors.py", ClockCode: "games/clock/errors.py"}
ERRORS = {"GameError": GameCode, "RulesError": RulesCode, "ClockError": ClockCode}
EXAMPLES: Mapping[str, str | int] = {
    "seq": 3,
    "seat": 2,
    "text": "Q",
    "option": "expert",
    "ruleset": "chess-1",
    "least": 2,
    "most": 6,
    "bot": "hal",
    "name": "Ada",
    "field": "colour",
    "minimum": 0,
    "maximum": 90,
    "first": "2026-07-02",
    "last": "2026-07-31",
    "day": "2026-07-01",
    "year": 2026,
    "days": 31,
    "games": 10,
    "rating": 1480,
    "share": 85,
    "free": 2,
}


def documented() -> Iterator[tuple[StrEnum, frozenset[str]]]:
    """Yield each code with the parameters that the text below it names."""
    for codes, path in SOURCES.items():
        tree = ast.parse((ROOT / path).read_text())
        body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == codes.__name__).body
        for line, text in pairwise(body):
            match line, text:
                case ast.Assign(targets=[ast.Name(id=name)]), ast.Expr(value=ast.Constant(value=str(words))):
                    yield codes[name], frozenset(re.findall(r"``(\w+)``", words.partition("Parameters:")[2]))


PARAMS = dict(documented())


def refusal_with(code: StrEnum) -> Refusal:
    return Refusal(code, **{name: EXAMPLES[name] for name in PARAMS[code]})


def test_every_code_documents_its_parameters() -> None:
    assert set(PARAMS) == set(CODES)


def test_no_two_codes_of_the_families_have_the_same_value() -> None:
    values = [code.value for code in (*CODES, *GravityCode)]
    assert len(set(values)) == len(values)


def test_the_table_has_the_codes_of_the_three_families_and_no_others() -> None:
    assert set(REFUSALS) == set(CODES)
    assert {type(code) for code in REFUSALS} == set(SOURCES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_a_sentence_has_the_parameters_of_its_code_as_placeholders(code: StrEnum, language: str) -> None:
    with translation.override(language):
        words = str(REFUSALS[code])
    assert set(re.findall(r"%\((\w+)\)s", words)) == PARAMS[code]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", CODES)
def test_every_refusal_has_a_sentence(code: StrEnum, language: str) -> None:
    with translation.override(language):
        words = explain(refusal_with(code))
    assert words != str(refusal_with(code))
    assert words.endswith((".", "!", "?"))
    assert "%(" not in words


def test_who_raises_a_code_gives_it_the_parameters_that_it_documents() -> None:
    raised = set()
    for path in [*(ROOT / "engine").rglob("*.py"), *(ROOT / "games").rglob("*.py")]:
        for call in ast.walk(ast.parse(path.read_text())):
            match call:
                case ast.Call(
                    func=ast.Name(id=error) | ast.Attribute(attr=error),
                    args=[ast.Attribute(attr=name, value=ast.Name(id=codes) | ast.Attribute(attr=codes))],
                    keywords=keywords,
                ) if error in ERRORS and codes == ERRORS[error].__name__:
                    code = ERRORS[error][name]
                    names = {keyword.arg for keyword in keywords if keyword.arg is not None}
                    spread = any(keyword.arg is None for keyword in keywords)
                    assert names <= PARAMS[code] if spread else names == PARAMS[code], f"{path}: {name}"
                    raised.add(code)
    assert len(raised) > len(CODES) / 2


def test_a_refusal_of_the_clock_spells_out_amounts_of_time_and_dates() -> None:
    with pytest.raises(ClockError) as error:
        custom(59)
    assert explain(error.value) == "The time per turn must be from 1 minute to 14 days."
    with pytest.raises(ClockError) as error:
        check_holidays([HolidaySpan(date(2026, 7, 1), date(2026, 7, 31), ZoneInfo("UTC"))])
    assert explain(error.value) == "The holiday from 1 July 2026 to 31 July 2026 is longer than 14 days."


def test_numbers_of_other_refusals_stay_numbers() -> None:
    assert explain(GameError(GameCode.BAD_SIZE, least=2, most=6)) == "This game is for 2 to 6 players."


def test_a_board_games_own_code_has_no_generic_words() -> None:
    assert not set(GravityCode) & set(REFUSALS)
    assert explain(RulesError(GravityCode.BLOCKED, x=1, y=2, side="N")) == "blocked (x=1, y=2, side=N)"


@pytest.mark.parametrize("error", [GameError, RulesError, ClockError])
def test_whoever_catches_refusals_catches_those_of_every_family(error: type[Refusal]) -> None:
    assert issubclass(error, Refusal)


@pytest.mark.parametrize("code", GameCode)
def test_every_refusal_of_the_site_has_a_status(code: GameCode) -> None:
    assert 400 <= GameError(code).http_status < 500
    assert set(HTTP_STATUS) == set(GameCode)


def test_a_stale_request_is_a_conflict_without_parameters() -> None:
    assert (Stale().http_status, Stale().params) == (409, {})
