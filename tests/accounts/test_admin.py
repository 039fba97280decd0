import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("root@example.org", "pw", display_name="Root"))
    return client


def test_the_list_of_users_finds_one_by_name(staff: Client, ada: User) -> None:
    text = staff.get(reverse("admin:accounts_user_changelist"), {"q": "ada"}).content.decode()
    assert "ada@example.org" in text
    assert "root@example.org" not in text


def test_a_user_is_added_in_the_admin(staff: Client) -> None:
    form = {
        "email": "bo@example.org",
        "display_name": "Bo",
        "usable_password": "true",
        "password1": "a fine long password",
        "password2": "a fine long password",
        "why": "a friend without mail",
    }
    assert staff.post(reverse("admin:accounts_user_add"), form).status_code == 302
    assert User.objects.get(email="bo@example.org").check_password("a fine long password")


@pytest.mark.contexts
@pytest.mark.parametrize("name", ["ROOT", "Ada\u202e"])
def test_the_admin_refuses_a_name_that_is_taken_or_invisible(staff: Client, ada: User, name: str) -> None:
    page = reverse("admin:accounts_user_change", args=[ada.pk])
    answer = staff.post(page, {"email": ada.email, "display_name": name, "language": "en", "time_zone": "UTC"})
    assert answer.status_code == 200
    assert "display_name" in answer.context["errors"].as_text() or answer.context["adminform"].errors["display_name"]


def test_someone_without_rights_does_not_enter_the_admin(client: Client, ada: User) -> None:
    client.force_login(ada)
    assert client.get(reverse("admin:index")).status_code == 302
