"""The addresses of answers. They belong to the page of questions, and are there without literature searches."""

from django.urls import path, re_path

from searches.answers import views

urlpatterns = [
    path("ask/answers/", views.ask_for_answer, name="ask-answers"),
    re_path(r"^ask/answers/(?P<key>[0-9a-f]{32})/$", views.answer, name="ask-answer"),
]
