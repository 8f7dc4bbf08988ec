"""Decisions about drafts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("searches", "0006_model_usage"),
    ]

    operations = [
        migrations.CreateModel(
            name="KeptDraft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(max_length=40)),
                ("draft", models.CharField(help_text="The hash of its sentences.", max_length=16)),
                ("sentences", models.JSONField(default=list)),
                ("decisions", models.JSONField(default=dict, help_text="By finding: right, fixed or leave.")),
                ("at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ("-at", "-id"),
                "constraints": [models.UniqueConstraint(fields=("owner", "draft"), name="searches_one_row_a_draft")],
            },
        ),
    ]
