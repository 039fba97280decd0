import pytest

from accounts.models import User

PASSWORD = "a fine long password"


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada@example.org", PASSWORD, display_name="Ada")
