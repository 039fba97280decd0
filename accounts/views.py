"""Pages of an account that are not about signing in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, override
from django.views.decorators.http import require_http_methods, require_POST
from django.views.i18n import set_language as set_language_cookie

from accounts.forms import ProfileForm
from accounts.models import User


@login_required
@require_http_methods(["GET", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """Show and change one's own name, language and time zone."""
    user = get_object_or_404(User, pk=request.user.pk or 0)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        with override(user.language):
            messages.success(request, gettext("Your account was saved."))
        return redirect("profile")
    return render(request, "account/profile.html", {"form": form}, status=422 if form.is_bound else 200)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch the language: a cookie for guests, a preference for users."""
    response = set_language_cookie(request)
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in dict(User._meta.get_field("language").flatchoices):
        request.user.set_language(language)
    return response
