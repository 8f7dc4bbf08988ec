"""Which address of an account's feed counts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("searches", "0007_kept_draft"),
    ]

    operations = [
        migrations.CreateModel(
            name="FeedAddress",
            fields=[
                ("account", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("version", models.PositiveIntegerField(default=1)),
            ],
        ),
    ]
