"""Lists, dates and ages as each language writes them, and that what a library says is said in our words."""

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from games.words.lists import list_words
from games.words.time import format_ago, format_date, format_instant

DAY = 86_400
LANGUAGES = ("en", "nl", "fr", "de")
AND = {"en": "Ada, Bo and Cy", "nl": "Ada, Bo en Cy", "fr": "Ada, Bo et Cy", "de": "Ada, Bo und Cy"}
NB = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_list_ends_with_the_word_of_its_language(language: str) -> None:
    with translation.override(language):
        assert list_words(["Ada", "Bo", "Cy"]) == AND[language]
        assert list_words(name for name in ("Ada", "Bo")) == AND[language].replace(", Bo", "").replace("Cy", "Bo")
        assert [list_words(["Ada"]), list_words([])] == ["Ada", ""]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "1 December 2026", "2 December 2026"),
        ("nl", "1 december 2026", "2 december 2026"),
        ("fr", "1er décembre 2026", "2 décembre 2026"),
        ("de", "1. Dezember 2026", "2. Dezember 2026"),
    ],
)
def test_the_first_of_a_month_is_written_as_its_language_does(language: str, first: str, second: str) -> None:
    with translation.override(language):
        assert [format_date(date(2026, 12, 1)), format_date(date(2026, 12, 2))] == [first, second]


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "Tuesday 1 December 2026, 00:00 UTC"),
        ("nl", "dinsdag 1 december 2026 om 00:00 (UTC)"),
        ("fr", f"mardi 1er décembre 2026 à 00{NB}h{NB}00 (UTC)"),
        ("de", "Dienstag, 1. Dezember 2026, 00:00 Uhr (UTC)"),
    ],
)
def test_midnight_is_an_hour_like_any_other(language: str, written: str) -> None:
    with translation.override(language), timezone.override(UTC):
        assert format_instant(datetime(2026, 12, 1, tzinfo=UTC)) == written


@pytest.mark.parametrize(
    ("language", "one", "three"),
    [
        ("en", "1 day ago", "3 days ago"),
        ("nl", "1 dag geleden", "3 dagen geleden"),
        ("fr", "il y a 1 jour", "il y a 3 jours"),
        ("de", "vor 1 Tag", "vor 3 Tagen"),
    ],
)
def test_an_age_is_in_the_case_that_its_language_asks_for(language: str, one: str, three: str) -> None:
    with translation.override(language):
        assert [format_ago(DAY + 7), format_ago(3 * DAY + 7)] == [one, three]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", "Dit wachtwoord is te kort. Het moet minstens 8 tekens hebben."),
        ("fr", "Ce mot de passe est trop court. Il doit avoir au moins 8 caractères."),
        ("de", "Dieses Passwort ist zu kurz. Es muss mindestens 8 Zeichen lang sein."),
    ],
)
def test_a_refusal_of_djangos_is_in_our_words(language: str, said: str) -> None:
    with translation.override(language), pytest.raises(ValidationError) as refused:
        MinimumLengthValidator().validate("short")
    with translation.override(language):
        assert refused.value.messages == [said]
