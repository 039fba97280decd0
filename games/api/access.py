"""Who asks the API, and what they may ask: access tokens, their scopes, and how often.

Every view of the API (`games.api.base.ApiView`) takes tokens and sessions, and names a scope for each of its methods.
"""

from collections.abc import Mapping
from typing import Final, Protocol, cast

from allauth.core.internal.ratelimit import get_ip
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables
from redis.exceptions import RedisError
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from accounts import tokens
from accounts.models import AccessToken, Scope, User
from accounts.zones import zone

SCHEME: Final = "bearer"
REALM: Final = 'Bearer realm="api"'
AS: Final[Mapping[str, str]] = {"HEAD": "GET"}
"""Methods that need what another one needs."""


class InvalidTokenError(AuthenticationFailed):
    """The token is wrong, was revoked or has expired, or its person may not use it: which of these, nobody is told."""

    default_code = "invalid-token"
    default_detail = _("This access token is not valid.")


class ScopeError(PermissionDenied):
    """The token does not have the scope that is asked for."""

    default_code = "scope"

    def __init__(self, scope: str) -> None:
        super().__init__(_("This access token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.params = {"scope": scope}


class TokenAuthentication(BaseAuthentication):
    """Signs in by ``Authorization: Bearer …``; ``request.auth`` is the `AccessToken`.

    A request with such a header is its token's or nobody's, whatever cookies come with it. The answer is in the
    language and the time zone of the token's person, as pages are. Other schemes are left to others.
    """

    @sensitive_variables("text")
    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        """Return the person and the token.

        Raises `InvalidTokenError`, the same whatever is wrong with it, or `Throttled` where many were wrong.
        """
        text = bearer(request)
        if text is None:
            return None
        now = timezone.now()
        token = tokens.find(text, now=now)
        if token is None:
            if (seconds := wait_after_wrong(request)) is not None:
                raise Throttled(seconds)
            raise InvalidTokenError
        tokens.note_used(token, now)
        # Both are of this request: the middleware puts them back.
        translation.activate(token.user.language)
        request._request.LANGUAGE_CODE = token.user.language
        timezone.activate(zone(token.user.time_zone))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return what ``WWW-Authenticate`` says in a 401 (RFC 6750)."""
        return REALM if bearer(request) is None else f'{REALM}, error="invalid_token"'


class _ScopedView(Protocol):
    scopes: Mapping[str, str]


class Scoped(BasePermission):
    """Lets a token do what its scopes allow: ``view.scopes`` names one for each method.

    Who is signed in by a session, or not at all, is none of its concern. A method that the view has, but for which it
    names no scope, is open to no token.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether the request is in order. Raises `ScopeError`, which names the scope that is lacking."""
        token = request.auth
        if not isinstance(token, AccessToken):
            return True
        method = request.method or ""
        scope = cast("_ScopedView", view).scopes.get(AS.get(method, method))
        if scope is None:
            return method == "OPTIONS" or not hasattr(view, method.lower())  # the view says that it has none
        if not token.allows(Scope(scope)):
            raise ScopeError(scope)
        return True


class TokenThrottle(SimpleRateThrottle):
    """A limit a token; else a person, or the network of one who is not signed in. Without the cache all pass.

    A limit is a class of it with a ``scope``, by which it counts apart from others, and a ``rate``.
    """

    def allow_request(self, request: Request | HttpRequest, view: object) -> bool:
        """Return whether the request is within the limit."""
        try:
            return super().allow_request(request, view)  # type: ignore[arg-type] # which only hands them on
        except RedisError:
            return True

    def get_cache_key(self, request: Request, view: object) -> str:  # noqa: ARG002 - the framework's signature
        """Return under what the request is counted."""
        if isinstance(request.auth, AccessToken):
            who = f"token-{request.auth.pk}"
        elif request.user.is_authenticated:
            who = f"person-{request.user.pk}"
        else:
            who = get_ip(request._request)
        return self.cache_format % {"scope": self.scope, "ident": who}


class WrongTokenThrottle(TokenThrottle):
    """The limit of wrong tokens from one network."""

    scope = "api-wrong-token"
    rate = "30/min"

    def get_cache_key(self, request: Request | HttpRequest, view: object) -> str:  # noqa: ARG002 - as above
        """Return under what the request is counted, whose user nobody knows."""
        return self.cache_format % {"scope": self.scope, "ident": get_ip(getattr(request, "_request", request))}


def wait_after_wrong(request: Request | HttpRequest) -> float | None:
    """Count a token that turned out to be wrong; return the seconds to wait where its network sends too many.

    Good ones are counted nowhere here, so whoever shares the network with a guesser, or a program that goes on with a
    token that was taken back, comes in as ever.
    """
    throttle = WrongTokenThrottle()
    return None if throttle.allow_request(request, None) else throttle.wait() or 1.0


def bearer(request: HttpRequest | Request) -> str | None:
    """Return what follows ``Bearer`` in the request's header, empty for nothing; None where there is no such header."""
    kind, _blank, text = request.headers.get("Authorization", "").strip().partition(" ")
    return text.strip() if kind.lower() == SCHEME else None
