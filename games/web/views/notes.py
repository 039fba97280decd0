"""A player's own note on a game: for nobody else."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from games import commands, queries
from games.errors import GameError
from games.web.answers import Request, reader_of
from games.web.forms.messages import NoteForm


@login_required
@never_cache
@vary_on_headers("HX-Request")
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: Request, key: str) -> HttpResponse:
    """Show a player's note on a game, and keep what they write; 404 to who has no seat in it. htmx gets a part."""
    user = reader_of(request)
    form = NoteForm(request.POST if request.method == "POST" else None)
    saved = False
    try:
        written = queries.note_on(key, user)
        if form.is_valid():
            commands.write_note(game_key=key, user=user, text=form.cleaned_data["text"], now=timezone.now())
            saved = True
    except GameError as error:
        raise Http404 from error
    if saved and not request.htmx:
        return redirect("game", key)
    if not form.is_bound:
        form = NoteForm(initial={"text": written})
    context = {"key": key, "form": form, "said": gettext("Your note was saved.") if saved else ""}
    template = f"games/note.html{'#note' if request.htmx else ''}"
    refused = form.is_bound and not form.is_valid()
    return render(request, template, context, status=HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK)
