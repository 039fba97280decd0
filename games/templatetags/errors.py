"""What is wrong with forms that were sent, at the head of their page."""

from django import template

from games.words.errors import FormError, errors_of

register = template.Library()


@register.inclusion_tag("_errors.html")
def error_summary(*forms: object) -> dict[str, list[FormError]]:
    """List what is wrong with forms, each with a link to its field; nothing where nothing is."""
    return {"errors": list(errors_of(*forms))}
