"""Which page an address belongs to: where its reader gets back by GET, also from what takes a sent form alone."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import Resolver404, resolve

_SAFE: Final = frozenset({"GET", "HEAD"})


def this_page(request: HttpRequest) -> dict[str, Callable[[], str]]:
    """Offer ``this_page``, the address at which the page that is shown can be asked for (a context processor)."""
    return {"this_page": lambda: address_of_page(request)}


def address_of_page(request: HttpRequest) -> str:
    """Return the address of the page that a request asks for, or that a sent form belongs to; pages end in a slash."""
    if request.method in _SAFE or request.path.endswith("/"):
        return request.get_full_path()
    return address_above(request)


def address_above(request: HttpRequest) -> str:
    """Return the nearest address above that of a request which is a page's, with the same query."""
    above = request.path
    while above != "/":
        above = f"{above.rstrip('/').rpartition('/')[0]}/"
        try:
            resolve(above)
        except Resolver404:
            continue
        break
    query = request.META.get("QUERY_STRING", "")
    return f"{above}?{query}" if query else above


class MethodMiddleware:
    """Says in a page, with a way back, that an address does not take a method: else the answer would be empty.

    Somebody comes to such an address by reloading what a form led to, after its browser has forgotten the form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer one request."""
        refused = self.get_response(request)
        if not isinstance(refused, HttpResponseNotAllowed) or request.headers.get("HX-Request") == "true":
            return refused
        back = address_above(request) if request.method in _SAFE else address_of_page(request)
        response = render(request, "405.html", {"this_page": back}, status=refused.status_code)
        response["Allow"] = refused["Allow"]
        return response
