"""What is wrong with forms that were sent, for the head of their page: a long one shows its errors far below."""

from collections.abc import Iterator
from typing import NamedTuple

from django import forms


class FormError(NamedTuple):
    """One thing that is wrong: what the field is called and its id on the page, both empty for no field's."""

    label: str
    message: str
    target: str


def errors_of(*asked: object) -> Iterator[FormError]:
    """Yield what is wrong with forms, in the order of their fields. What is no form has nothing wrong with it."""
    for form in asked:
        if not isinstance(form, forms.BaseForm):
            continue
        for message in form.non_field_errors():
            yield FormError("", str(message), "")
        for field in form:
            for message in field.errors:
                yield FormError(str(field.label), str(message), _id_of_first_input(field))


def _id_of_first_input(field: forms.BoundField) -> str:
    widget = field.field.widget
    parted = isinstance(widget, forms.MultiWidget | forms.RadioSelect | forms.CheckboxSelectMultiple)
    return f"{field.auto_id}_0" if parted else field.auto_id
