"""Every generic code has words, and its words use its parameters only."""

from string import Formatter

import pytest
from django.utils import translation

from engine.errors import RulesCode
from games.errors import HTTP_STATUS, GameCode, GameError, Stale
from games.models.choices import Actor, EntryEvent, Reason, Status
from games.words.refusals import REFUSALS, refusal_words

PARAMS = {
    "seq": 3,
    "seat": 2,
    "text": "Q",
    "option": "expert",
    "ruleset": "chess-1",
    "least": 2,
    "most": 6,
    "bot": "hal",
    "name": "Ada",
}


@pytest.mark.parametrize("code", [*GameCode, *RulesCode])
@pytest.mark.parametrize("language", ["en", "nl", "fr", "de"])
def test_every_refusal_has_a_sentence(code: GameCode | RulesCode, language: str) -> None:
    with translation.override(language):
        words = refusal_words(code, PARAMS)
    assert words is not None
    assert words.endswith((".", "!", "?"))
    assert "%(" not in words


def test_a_board_games_own_code_has_no_generic_words() -> None:
    assert not [field for field in Formatter().parse("blocked") if field[1]]
    assert "blocked" not in REFUSALS


@pytest.mark.parametrize("code", GameCode)
def test_every_refusal_of_the_site_has_a_status(code: GameCode) -> None:
    assert 400 <= GameError(code).http_status < 500
    assert set(HTTP_STATUS) == set(GameCode)


def test_a_stale_request_is_a_conflict_without_parameters() -> None:
    assert (Stale().http_status, Stale().params) == (409, {})


@pytest.mark.parametrize("stored", [*Status, *EntryEvent, *Actor, *Reason])
def test_every_stored_code_has_words_of_its_own(stored: Status | EntryEvent | Actor | Reason) -> None:
    assert str(stored.label)
    assert str(stored.label) == stored.label
