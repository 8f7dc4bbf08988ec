"""Rows of earlier versions after `migrate`."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from papercore.caller import Caller
from searches import tools
from searches.models import SearchSession
from searches.sessions import store

pytestmark = pytest.mark.usefixtures("database")


def test_a_checkpoint_that_was_shown_before_the_column_came_still_counts_as_shown() -> None:
    state = tools.start_search("attention")
    unseen = store.create("attention", "general", 100, Caller())
    MigrationExecutor(connection).migrate([("searches", "0004_model_answer")])
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, progress FROM searches_searchsession")
        assert dict(cursor.fetchall()) == {state.session_id: '{"checkpoint": "shown"}', unseen.pk: "{}"}
    call_command("migrate", "searches", verbosity=0)
    shown, other = SearchSession.objects.get(pk=state.session_id), SearchSession.objects.get(pk=unseen.pk)
    assert (shown.shown_checkpoint_id, shown.progress) == (shown.checkpoint_id, {})
    assert other.shown_checkpoint_id == ""
    assert tools.decide(state.session_id, "approve").current_checkpoint_kind == "result_review"
