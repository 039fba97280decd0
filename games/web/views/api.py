"""The page for who writes programs that play."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.web.api_page import api_page


@require_safe
def api(request: HttpRequest) -> HttpResponse:
    """Show all that the API can be asked, with examples, codes and limits."""
    return render(request, "api.html", {"api": api_page()})
