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


def list_parts(items: Iterable[str]) -> str:
    """Return things that have commas or an “and” of their own as one list, parted by semicolons; nothing for none."""
    first, *rest = list(items) or [""]
    for item in rest:
        first = pgettext("list", "%(items)s; %(item)s") % {"items": first, "item": item}
    return first
