"""The floor's one address, and those of the site, so that every middleware finds what it knows."""

from django.urls import include, path

from benchmarks.floor.views import turn
from gravitysite.urls import urlpatterns as site

urlpatterns = [path("floor/<int:pk>", turn), path("", include((site, "site")))]
