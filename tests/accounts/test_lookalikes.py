"""Names that can be taken for another's, for the site's, or for anything but a name; and those that are kept."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.names import is_reserved, normalise_name, skeleton, validate_name, validate_person
from games.presenters.registry import PRESENTERS

BOTS = [name for one in PRESENTERS.values() for kind in one.bot_kinds.values() for name in kind.names]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "Bоb"),
        ("Alice", "Αlice"),
        ("scope", "ѕсоре"),
        ("Bill", "BiIl"),
        ("Bob0", "BobO"),
        ("Bern", "Bem"),
        ("Ann Bob", "Ann\u2009\u2009Bob"),
        ("Ada", "ADA"),
        ("Ada", "\uff21\uff44\uff41"),
        ("admin", "ɑԁmіn"),
        ("x1", "x|"),
        ("é", "e\u0301"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ali", "All"), ("Ada", "Ida"), ("Иван", "Ivan"), ("Bo", "Bó"), ("渡", "辺")]
)
def test_names_that_look_different_have_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Admin",
            "ADMIN",
            "admin 2",
            "A d m i n",
            "The Admin",
            "аdmin",
            "Moderator",
            "Moderat0r",
            "STAFF",
            "staff-Bo",
        ),
        *("Gravity Superstar", "GravitySuperstar", "Autopilot", "AUTOPILOT", "you", "You", "Je", "jij", "vous", "DU"),
        *("Grееdy bоt", "Greedy bot", "GREEDY  BOT 3", "Random bot", "Bot", "Former player 2", "nobody", "Gast"),
    ],
)
def test_a_name_that_passes_for_the_site_or_its_staff_is_reserved(name: str) -> None:
    assert is_reserved(name)
    with pytest.raises(ValidationError):
        validate_person(normalise_name(name))


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Gùest 1234",
            "Guést 1234",
            "Invite 1234",
            "Ïnvité 1234",
            "lnvite 1234",
            "Inv1te 1234",
            "Gäst 7",
            "G a s t 1234",
        ),
        *(
            "Gᴜest l234",
            "Gues† 1234",
            "Gu3st 1234",
            "GUE5T 1234",
            "Guest Z234",
            "Guest B234x",
            "Guest-I0O0",
            "Guest ①234",
        ),
        *("The Guest 1234", "Der Gast 12345", "L'invité 1234", "Real Gúest l234", "Guést", "Invite"),
        *(
            "Adm1n",
            "Admín",
            "ADMÍN 2",
            "Admln",
            "Adm!n",
            "Àdm1n Bo",
            "Môderator",
            "M0dérateur",
            "M0d",
            "St4ff",
            "$taff",
        ),
        *("Suppört", "Roo†", "5ystem", "Adrnìn", "S y s t è m e", "The Adm1n"),
    ],
)
def test_marks_and_signs_that_are_read_as_letters_make_no_guest_and_no_staff(name: str) -> None:
    assert is_reserved(normalise_name(name))


@pytest.mark.parametrize(
    "name",
    [
        *("Guestrin", "Guestrin 1234", "Guesting", "Gaston", "Gastón 1234", "Gastone 3", "Gastel 5", "August 1234"),
        *(
            "Peter Gast",
            "Peter Gast 2",
            "Guest O'Brien",
            "Bo Guest",
            "Gasthof 1234",
            "Invitée",
            "Invitée 1234",
            "Vite 1234",
        ),
        *(
            "Admiral",
            "Admira 1",
            "Modesta",
            "Modesto 1",
            "Modé",
            "Modrić",
            "Moderna",
            "Staffan",
            "Stäf",
            "Rootje",
            "Rót",
        ),
        *("Systemi", "Héloïse 1", "Émile", "Øystein", "Łukasz", "Nguyễn", "Ángel 1234", "Ali", "Lili 11", "M. Oddo"),
    ],
)
def test_ordinary_names_with_marks_and_numbers_are_free(name: str) -> None:
    validate_person(name)


@pytest.mark.parametrize("name", BOTS)
def test_what_computer_players_are_called_is_reserved(name: str) -> None:
    assert is_reserved(name)
    assert is_reserved(f"{name.upper()} 2")
    assert is_reserved(name.replace("o", "о").replace("a", "а")), "with Cyrillic letters"


@pytest.mark.parametrize(
    "name", ["Adminah", "Dudu", "Youri", "Modern", "Staffan", "Abbot", "Jet", "Vousden", "Gravitas"]
)
def test_a_name_that_only_begins_like_one_of_those_is_free(name: str) -> None:
    validate_person(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Ann, Bob", "parting"),
        ("Ann、Bob", "parting"),
        ("../rules", "parting"),
        ("a∕b", "parting"),
        ("Claim prize: now", "parting"),
        ("Claim prize꞉ now", "parting"),
        ("bo@home", "parting"),
        ("evil.example", "address"),
        ("www evil", "address"),
        ("a" + "\u0301" * 29, "marks"),
        ("x\u0301\u0302\u0303", "marks"),
        ("\u0301x", "marks"),
        ("Bоb", "scripts"),
        ("Αlice", "scripts"),
        ("Ann\u20dd", "invisible"),
        ("Ada\u2067", "invisible"),
    ],
)
def test_a_name_that_is_more_than_a_name_is_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(normalise_name(name))
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name",
    [
        "Иван",
        "Nguyễn Thị Ế",
        "ザクさん 渡辺",
        "김 Kim",
        "प्रिया",
        "ไทยที่",
        "أحمد",
        "דוד",
        "J.R.R. Tolkien",
        "St. John",
        "Bo ❤",
    ],
)
def test_a_name_in_any_one_script_is_accepted(name: str) -> None:
    validate_name(normalise_name(name))
    validate_person(name)


@pytest.mark.anydb
@pytest.mark.django_db
def test_nobody_takes_a_name_that_looks_like_another_persons() -> None:
    User.objects.create_user("bill@example.org", "pw", display_name="Bill")
    assert User.objects.name_taken("BiIl")
    with pytest.raises(ValidationError):
        User.objects.create_user("other@example.org", "pw", display_name="BiIl")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.bulk_create([User(email="other@example.org", display_name="BiIl", password="x")])


def kept(email: str, name: str, skeleton: str, *, asked: bool = True) -> User:
    """Return a person with a name from before the rules."""
    user = User.objects.create_user(email, "pw", display_name=email.split("@", maxsplit=1)[0])
    User.objects.filter(pk=user.pk).update(
        display_name=name, name_key=name.casefold(), name_skeleton=skeleton, name_asked=asked
    )
    user.refresh_from_db()
    return user


@pytest.mark.anydb
@pytest.mark.django_db
def test_a_name_from_before_is_kept_and_its_owner_asked_until_it_is_another(client: Client) -> None:
    User.objects.create_user("bob@example.org", "pw", display_name="Bob")
    user = kept("old@example.org", "Bоb, the first", f"{skeleton('Bob')}\n7")
    client.force_login(user)
    page = client.get(reverse("home")).content.decode()
    assert "please choose a new one" in page
    form = {"display_name": user.display_name, "language": "nl", "time_zone": "UTC"}
    assert client.post(reverse("profile"), form).status_code == 302, "the rest of the profile can be changed"
    user.refresh_from_db()
    user.save()
    assert (user.display_name, user.language, user.name_asked) == ("Bоb, the first", "nl", True)
    assert client.post(reverse("profile"), {**form, "display_name": "Bоb"}).status_code == 422
    assert client.post(reverse("profile"), {**form, "display_name": "Rob"}).status_code == 302
    user.refresh_from_db()
    assert (user.display_name, user.name_skeleton, user.name_asked) == ("Rob", "rob", False)


@pytest.mark.anydb
@pytest.mark.django_db
def test_skeletons_are_written_anew_and_every_name_is_kept() -> None:
    first = User.objects.create_user("a@example.org", "pw", display_name="Bob")
    second = kept("b@example.org", "Bоb", "stale", asked=False)
    User.objects.filter(pk=first.pk).update(name_skeleton="bob of old")
    call_command("fold_names")
    rows = User.objects.order_by("pk").values_list("display_name", "name_skeleton", "name_asked")
    assert list(rows) == [("Bob", "bob", False), ("Bоb", f"bob\n{second.pk}", True)]


@pytest.mark.django_db
def test_the_staff_may_be_called_what_nobody_else_may() -> None:
    User.objects.create_superuser("root@example.org", "pw", display_name="Moderator Ann")
    with pytest.raises(ValidationError):
        User.objects.create_user("bo@example.org", "pw", display_name="Moderator Bo")
