"""The site's addresses with those of the REST API, for requests to it: it is loaded when somebody asks it first."""

from django.urls import path

from papersite import urls
from papersite.pages.rest import api

urlpatterns = [*urls.urlpatterns, path("api/", api.urls)]
