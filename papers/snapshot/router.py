"""Routes the models of papers to the snapshot, and keeps migrations away from it."""

from typing import Any

from django.db.models import Model

ALIAS = "snapshot"


class SnapshotRouter:
    """The app `papers` is in the snapshot, everything else in the default database."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:  # Any: Django's signature
        return ALIAS if model._meta.app_label == "papers" else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:  # Any: Django's signature
        return self.db_for_read(model)

    def allow_relation(self, first: Model, second: Model, **hints: Any) -> bool | None:  # Any: Django's signature
        return (first._meta.app_label == "papers") == (second._meta.app_label == "papers")

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:  # Any: Django's signature
        return False if db == ALIAS or app_label == "papers" else None
