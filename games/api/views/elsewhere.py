"""The description of the API, and addresses of the API at which there is nothing, or nothing any more."""

from django.http.response import HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import READ, ApiView
from games.api.openapi import description


@extend_schema(exclude=True)
class DescriptionView(ApiView):
    """The description of the API for programs (OpenAPI 3.1)."""

    scopes = {"GET": READ}

    def get(self, _request: Request) -> Response:
        """Return it, the same for everyone."""
        return Response(description())


class MovedView(ApiView):
    """An address of the API as it was before it had versions."""

    def get(self, request: Request, key: str, name: str) -> HttpResponseBase:
        """Lead to where that is now, for good, with the same method and body."""
        query = request.META.get("QUERY_STRING", "")
        address = reverse(name, args=[key])
        return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address, preserve_request=True)


class MovedTurnView(MovedView):
    """The address at which turns were played before there were versions."""

    http_method_names = ("post",)

    def post(self, request: Request, key: str, name: str) -> HttpResponseBase:
        """Lead to where turns are played now."""
        return self.get(request, key, name)


@extend_schema(exclude=True)
class NothingView(ApiView):
    """Any other address below the API's."""

    scopes = dict.fromkeys(("GET", "POST", "PUT", "PATCH", "DELETE"), READ)

    def get(self, _request: Request, **_rest: str) -> Response:
        """Say that there is nothing. Raises `NotFound`."""
        raise NotFound

    post = put = patch = delete = get
