"""What was asked of language models on each day."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("searches", "0005_shown_checkpoint_id"),
    ]

    operations = [
        migrations.CreateModel(
            name="ModelUsage",
            fields=[
                ("day", models.DateField(primary_key=True, serialize=False)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("tokens", models.PositiveBigIntegerField(default=0)),
            ],
        ),
    ]
