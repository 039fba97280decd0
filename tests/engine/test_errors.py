"""What every refusal has in common: a code, parameters, and one line of text."""

from enum import StrEnum

import pytest

from engine.errors import RecordError, Refusal, RulesError


class Shop(StrEnum):
    """Codes of a caller of one's own."""

    CLOSED = "closed"
    SOLD_OUT = "sold-out"


class ShopError(Refusal):
    """A refusal by someone else than the rules."""


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (ShopError(Shop.CLOSED), "closed"),
        (ShopError(Shop.SOLD_OUT, item="tea", left=0), "sold-out (item=tea, left=0)"),
        (ShopError(Shop.SOLD_OUT, items=("tea", "milk")), "sold-out (items=tea milk)"),
        (ShopError(Shop.SOLD_OUT, item="tea\nmilk"), "sold-out (item=tea\\nmilk)"),
        (RulesError(Shop.CLOSED, step=3, hour=9), "closed (hour=9)"),
    ],
)
def test_a_refusal_reads_as_its_code_and_parameters_on_one_line(refusal: Refusal, text: str) -> None:
    assert str(refusal) == text


def test_a_refusal_keeps_its_code_and_its_parameters() -> None:
    refusal = ShopError(Shop.SOLD_OUT, item="tea")
    assert (refusal.code, refusal.params) == (Shop.SOLD_OUT, {"item": "tea"})


def test_only_a_refusal_by_the_rules_has_a_step_and_it_can_be_named_later() -> None:
    refusal = RulesError(Shop.SOLD_OUT, item="tea")
    named = refusal.at_step(2)
    assert (refusal.step, named.step) == (None, 2)
    assert (named.code, named.params) == (refusal.code, refusal.params)
    assert not hasattr(ShopError(Shop.CLOSED), "step")


def test_catching_refusals_catches_those_of_the_rules_but_not_a_broken_record() -> None:
    with pytest.raises(Refusal):
        raise RulesError(Shop.CLOSED)
    assert not issubclass(RecordError, Refusal)
