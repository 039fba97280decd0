"""Every kind of mail in a real browser, light and dark, on a narrow phone: accessible, nothing beside the screen."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize

from accounts.models import User
from games.delivery.render import html_of
from games.delivery.samples import sample, sample_names
from tests.flows.play import NOW

pytestmark = [pytest.mark.browser, pytest.mark.slow]

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text("utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PHONE: ViewportSize = {"width": 320, "height": 640}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mail_is_accessible_and_fits_a_narrow_phone(browser: Browser, scheme: str) -> None:
    reader = User(pk=1, email="ada@example.org", display_name="Ada of the Longest Name of Alls")
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for name in sample_names():
        page.set_content(html_of(sample(name, reader, NOW)))
        page.evaluate(AXE)
        found = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
        assert found["passes"], "axe looked at nothing"
        faults = [f"{fault['id']}: {node['html'][:150]}" for fault in found["violations"] for node in fault["nodes"]]
        assert faults == [], name
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, name
    context.close()
