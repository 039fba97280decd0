"""The library ``texts`` of templates: Django's ``i18n``, but a constant text is translated once a language.

The page of a game has some forty such texts, and looking them up took a tenth of its making. Its templates load this
library; others need not.
"""

from typing import Any

from django.template import Library, Node
from django.template.base import FilterExpression, Parser, Token, Variable
from django.template.context import Context
from django.templatetags import i18n
from django.utils.translation import get_language

register = Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


class ConstantNode(Node):
    """A constant text in the active language; what Django's node makes of it is kept."""

    child_nodelists = ()

    def __init__(self, node: i18n.TranslateNode) -> None:
        self.asvar = node.asvar
        self.node = node
        self.node.asvar = None
        self.kept: dict[str | None, str] = {}

    def render(self, context: Context) -> str:
        """Return the text, or set the variable that the tag names."""
        language = get_language()
        text = self.kept.get(language)
        if text is None:
            text = self.kept[language] = self.node.render(context)
        if self.asvar:
            context[self.asvar] = text
            return ""
        return text


@register.tag("translate")
@register.tag("trans")
def translate(parser: Parser, token: Token) -> Node:
    """Return the node of ``{% translate %}``."""
    node = i18n.do_translate(parser, token)
    constant = _is_constant(node.filter_expression) and _is_constant(node.message_context)
    return ConstantNode(node) if constant else node


def _is_constant(expression: FilterExpression | None) -> bool:
    if expression is None:
        return True
    var: Any = expression.var
    return not expression.filters and isinstance(var, Variable) and var.lookups is None
