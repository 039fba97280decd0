"""Constant texts of templates are translated once a language, and come out as Django's own tag makes them."""

import pytest
from django.template import Context, Engine
from django.utils import translation

from gravitysite.texts import ConstantNode

ENGINE = Engine.get_default()
OURS, DJANGO = "{% load texts %}", "{% load i18n %}"
PLAIN = Engine(libraries={"i18n": "django.templatetags.i18n"})
LANGUAGES = ("en", "nl", "fr", "de")
SOURCES = (
    '{% translate "Players" %}',
    '{% trans "Your turn" %}',
    '{% translate "Board" as label %}<{{ label }}>',
    '{% translate "100% <b>sure</b>" %}',
    '{% translate "Players" noop %}',
    '{% translate "May" context "month name" %}',
    "{% translate words %}",
    '{% translate words|default:"Players" %}',
    '{% translate "Players" context words %}',
    '{% autoescape off %}{% translate "Players" %}{% translate words %}{% endautoescape %}',
    "{% blocktranslate with a=words %}Hello {{ a }}{% endblocktranslate %}{% get_current_language as l %}{{ l }}",
)


@pytest.mark.parametrize("source", SOURCES)
def test_texts_are_those_of_the_tag_of_django_in_every_language(source: str) -> None:
    ours, plain = ENGINE.from_string(OURS + source), PLAIN.from_string(DJANGO + source)
    for words in ("Board", "<i>", ""):
        for language in (*LANGUAGES, *LANGUAGES):
            with translation.override(language):
                context = {"words": words}
                assert ours.render(Context(context)) == plain.render(Context(context)), (words, language)


def test_a_constant_text_is_looked_up_once_a_language() -> None:
    template = ENGINE.from_string(OURS + '{% translate "Players" as a %}{{ a }}')
    (_load, node, _variable) = template.nodelist
    assert isinstance(node, ConstantNode)
    for language in LANGUAGES * 2:
        with translation.override(language):
            template.render(Context())
    with translation.override(None):
        template.render(Context())
    assert set(node.kept) == {*LANGUAGES, None}
    assert len(set(node.kept.values())) == 4, "English and none are the same"
