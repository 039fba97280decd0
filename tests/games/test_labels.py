"""Every stored code has words."""

import pytest

from games.models.choices import Actor, EntryEvent, Reason, Status


@pytest.mark.parametrize("stored", [*Status, *EntryEvent, *Actor, *Reason])
def test_every_stored_code_has_words_of_its_own(stored: Status | EntryEvent | Actor | Reason) -> None:
    assert str(stored.label)
    assert str(stored.label) == stored.label
