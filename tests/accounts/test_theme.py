"""Light or dark colours, more contrast or not: chosen in a browser and kept there, else as the device asks."""

import re

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def root_of(client: Client) -> str:
    found = re.search(r"<html[^>]*>", client.get(reverse("about")).content.decode())
    assert found is not None
    return found[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_theme_is_kept_until_the_device_is_to_choose_again(client: Client, theme: str) -> None:
    assert "theme-" not in root_of(client)
    answer = client.post(reverse("set_theme"), {"theme": theme, "next": reverse("lobby")})
    assert answer["Location"] == reverse("lobby")
    assert f'class="theme-{theme}"' in root_of(client)
    client.post(reverse("set_theme"), {"theme": "system"})
    assert "theme-" not in root_of(client)


def test_more_contrast_is_kept_beside_a_theme(client: Client) -> None:
    def told() -> list[str]:
        content = client.get(reverse("home")).content.decode()
        return re.findall(r'contrast(?:\.\w+)?\.css"([^>]*)>', content)

    asked = [' media="(prefers-contrast: more)"'] * 2
    assert told() == asked  # of the site and of the board, where the device asks for it
    client.post(reverse("set_theme"), {"theme": "dark"})
    client.post(reverse("set_theme"), {"contrast": "more"})
    assert told() == ["", ""]
    assert 'class="theme-dark"' in root_of(client)
    client.post(reverse("set_theme"), {"contrast": "system"})
    assert told() == asked
    assert 'class="theme-dark"' in root_of(client)


def test_nonsense_is_no_theme_and_leads_nowhere_else(client: Client) -> None:
    client.cookies["theme"] = '"><script>'
    answer = client.post(reverse("set_theme"), {"theme": "purple", "next": "https://example.com/"})
    assert answer["Location"] == reverse("home")
    assert "theme-" not in root_of(client)
    client.cookies["theme"] = "purple"
    assert "purple" not in root_of(client)
