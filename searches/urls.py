"""The addresses of search sessions, and of answers, which belong to the page of questions and need no sessions."""

from django.conf import settings
from django.urls import path, re_path
from django.views.decorators.cache import never_cache

from searches.answers import views as answers
from searches.pages import downloads, feed, views

ANSWERS = [
    path("ask/answers/", answers.ask_for_answer, name="ask-answers"),
    re_path(r"^ask/answers/(?P<key>[0-9a-f]{32})/$", answers.answer, name="ask-answer"),
]
SESSIONS = [
    path("searches/", never_cache(views.searches), name="searches"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/$", never_cache(views.session), name="search-session"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/decide$", never_cache(views.decide), name="search-decide"),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/again$", never_cache(views.again), name="search-again"),
    path("searches/waiting.atom", never_cache(feed.WaitingFeed()), name="searches-feed"),
    path("searches/feed-address", never_cache(feed.new_address), name="searches-new-feed"),
    re_path(
        r"^searches/waiting/(?P<address>[A-Za-z0-9_:-]{1,200})\.atom$",
        never_cache(feed.WaitingFeed()),
        name="searches-secret-feed",
    ),
    re_path(r"^searches/(?P<session_id>[0-9a-f]{32})/marks$", never_cache(views.mark), name="search-marks"),
    re_path(
        r"^searches/(?P<session_id>[0-9a-f]{32})/export\.(?P<suffix>[a-z]+)$",
        never_cache(downloads.export),
        name="search-export",
    ),
    re_path(
        r"^searches/(?P<session_id>[0-9a-f]{32})/snapshot$", never_cache(downloads.snapshot), name="search-snapshot"
    ),
]
urlpatterns = [*ANSWERS, *(SESSIONS if settings.SEARCHES else [])]
