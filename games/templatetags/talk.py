"""What people write, and how others react to it."""

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.queries.reactions import Tally
from games.words.links import link_up
from games.words.lists import list_words
from games.words.reactions import SIGNS, reaction_label

register = template.Library()


@register.filter
def linked(text: str) -> SafeString:
    """Return a message as HTML, with links."""
    return link_up(text)


@register.filter
def sign(kind: str) -> str:
    """Return the sign of a reaction."""
    return SIGNS.get(kind, "")


@register.filter
def reaction(kind: str) -> str:
    """Return what a reaction is called."""
    return reaction_label(kind)


@register.filter
def told(tally: Tally) -> str:
    """Return who reacted, and how, in a few words."""
    names = list_words(tally.names) if len(tally.names) >= tally.count else f"{', '.join(tally.names)} …"
    return _("%(reaction)s from %(names)s") % {"reaction": reaction_label(tally.kind), "names": names}
