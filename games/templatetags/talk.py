"""What people write, and how others react to it."""

from django import template
from django.utils.safestring import SafeString

from games.words.links import link_up
from games.words.reactions import reaction_label

register = template.Library()


@register.filter
def linked(text: str) -> SafeString:
    """Return a message as HTML, with links."""
    return link_up(text)


@register.filter
def reaction(kind: str) -> str:
    """Return what a reaction is called."""
    return reaction_label(kind)
