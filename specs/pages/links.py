"""The addresses of the pages of specs and changes."""

from django.urls import reverse

from specs.reading.catalogue import Spec
from specs.reading.changes import Change


def spec_url(spec: Spec) -> str:
    return reverse("spec", kwargs={"project": spec.project, "local_id": spec.local_id})


def change_url(change: Change) -> str:
    return reverse("spec-change", kwargs={"project": change.project, "local_id": change.local_id})
