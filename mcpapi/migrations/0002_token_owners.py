"""Tokens have an owner, a scope, an expiry and a last use."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mcpapi", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="mcptoken",
            name="expires_at",
            field=models.DateTimeField(blank=True, help_text="Empty: it does not expire.", null=True),
        ),
        migrations.AddField(
            model_name="mcptoken",
            name="last_used_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="mcptoken",
            name="owner",
            field=models.ForeignKey(
                blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="mcptoken",
            name="scope",
            field=models.CharField(
                choices=[("read", "read"), ("decide", "read, and run searches"), ("write", "also change the library")],
                default="decide",
                max_length=10,
            ),
        ),
    ]
