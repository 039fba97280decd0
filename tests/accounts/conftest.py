import re

import pytest

from accounts.models import User

PASSWORD = "a fine long password"


def link_in(mail: str) -> str:
    """Return the path of the first link in a mail."""
    found = re.search(r"https?://[^/]+(/\S+)", mail)
    assert found
    return found[1]


def code_in(mail: str) -> str:
    """Return the code in a mail, or the empty text."""
    found = re.search(r"^([B-Z]{4}-[B-Z]{4})\r?$", mail, re.MULTILINE)
    return found[1] if found else ""


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada@example.org", PASSWORD, display_name="Ada")
