import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.names import fold_name, normalise_name, validate_name


@pytest.mark.parametrize(
    "name",
    ["Ada\u202eevil", "Ada\u0007", "Ada\u200bLovelace", "\ufeffAda", "A\u2028B", "A\u2066B", "—", "  ", "\U000e0041A"],
)
def test_a_name_with_invisible_characters_or_no_letter_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        validate_name(name)


@pytest.mark.parametrize("blank", "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0\U000e0100")
def test_a_letter_or_mark_that_shows_nothing_is_refused(blank: str) -> None:
    for name in (blank, f"Ada{blank}", f"A{blank}da"):
        with pytest.raises(ValidationError):
            validate_name(name)


@pytest.mark.parametrize("name", ["Greedy bot", "RANDOM BOT 2", "Bot", "Former player 1", "former  player", "Ｂot"])
def test_nobody_takes_the_name_of_a_seat_without_a_person(name: str) -> None:
    with pytest.raises(ValidationError, match="reserved"):
        validate_name(name)


@pytest.mark.parametrize("name", ["Abbot", "Bottom", "Botanist 2", "Former players"])
def test_a_name_that_only_resembles_one_of_those_is_accepted(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize("name", ["Ada", "Éloïse 2", "渡辺", "O'Brien", "Zoë-Ann", "7"])
def test_a_name_of_letters_of_any_script_is_accepted(name: str) -> None:
    validate_name(name)


def test_a_name_is_stored_composed_and_with_single_blanks() -> None:
    assert normalise_name("  E\u0301va   Nagy ") == "Éva Nagy"


def test_names_fold_alike_whatever_their_case_and_width() -> None:
    assert fold_name("ÉVA Straße") == fold_name("éva STRASSE")
    assert fold_name("\uff21\uff44\uff41") == fold_name("ada")


@pytest.mark.anydb
@pytest.mark.django_db
def test_the_database_refuses_a_second_user_whose_name_differs_in_case_only() -> None:
    User.objects.create_user("eva@example.org", "pw", display_name="Éva")
    with pytest.raises(ValidationError, match="That name is already taken"):
        User.objects.create_user("other@example.org", "pw", display_name="éVA")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="other@example.org", display_name="éVA", password="x")])


@pytest.mark.anydb
@pytest.mark.django_db
def test_the_database_refuses_a_second_user_whose_address_differs_in_case_only() -> None:
    User.objects.create_user("Ada@Example.org", "pw", display_name="Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="ADA@example.org", display_name="Bo", password="x")])


@pytest.mark.django_db
def test_a_renamed_user_frees_the_old_name_and_holds_the_new_one() -> None:
    user = User.objects.create_user("ada@example.org", "pw", display_name="Ada")
    user.display_name = "Countess"
    user.save()
    assert not User.objects.name_taken("ada")
    assert User.objects.name_taken("COUNTESS")
    assert not User.objects.name_taken("countess", besides=user)
