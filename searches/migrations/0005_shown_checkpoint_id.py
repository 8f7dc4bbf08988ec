"""Which checkpoint somebody was shown gets a column: it was a mark in `progress`."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import F

MARK = {"checkpoint": "shown"}


def mark_to_column(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    shown = apps.get_model("searches", "SearchSession").objects.filter(status="waiting", progress=MARK)
    shown.update(shown_checkpoint_id=F("checkpoint_id"), progress={})


def column_to_mark(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    shown = apps.get_model("searches", "SearchSession").objects.filter(
        status="waiting", shown_checkpoint_id=F("checkpoint_id")
    )
    shown.update(progress=MARK)


class Migration(migrations.Migration):
    dependencies = [
        ("searches", "0004_model_answer"),
    ]

    operations = [
        migrations.AddField(
            model_name="searchsession",
            name="shown_checkpoint_id",
            field=models.CharField(
                blank=True, default="", help_text="The latest checkpoint that somebody was shown.", max_length=128
            ),
        ),
        migrations.RunPython(mark_to_column, column_to_mark),
    ]
