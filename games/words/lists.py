"""Several things in one phrase, as the reader's language puts them together."""

from collections.abc import Iterable

from django.utils.translation import pgettext


def list_words(items: Iterable[object]) -> str:
    """Return things as one list in the active language, “Ada, Bo and Cleo”; nothing for none."""
    *others, last = [str(item) for item in items] or [""]
    if not others:
        return last
    text = others.pop(0)
    for item in others:
        text = pgettext("list", "%(items)s, %(item)s") % {"items": text, "item": item}
    return pgettext("list", "%(items)s and %(item)s") % {"items": text, "item": last}
