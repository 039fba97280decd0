"""The description of the API (OpenAPI 3.1), made once of the views and their serializers, the same for everyone."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.utils import translation
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator

from games.api import answered
from games.api.described import GROUPS

PREFIX: Final = "api/v1/"
OPEN: Final = {"PositionAnswer", "GameRecordAnswer"}
"""The shapes that have keys of the game's own beside those that are named."""


class AccessTokens(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # it has no types
    """Says how programs sign in."""

    target_class = "games.api.access.TokenAuthentication"
    name = "accessToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:  # noqa: ARG002 - its signature
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer", "description": "An access token, made in the settings of the site."}


@cache
def description() -> dict[str, Any]:
    """Return the whole description."""
    here: Sequence[URLPattern | URLResolver] = [path(PREFIX, include("games.api.urls"))]
    with translation.override("en"):
        generator = SchemaGenerator(patterns=here)  # type: ignore[no-untyped-call] # it has no types
        made: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    made["servers"] = [{"url": settings.SITE_URL}]
    made["tags"] = [{"name": name, "description": words} for name, words in GROUPS.items()]
    return made


def close_shapes(result: dict[str, Any], **_terms: Any) -> dict[str, Any]:
    """Say of each shape of an answer that it has no other fields than these (a hook of drf-spectacular)."""
    for name, shape in result["components"]["schemas"].items():
        if hasattr(answered, name):
            shape["additionalProperties"] = name in OPEN
    return result
