"""Whether the site is alive."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answers as soon as the site serves; asks nothing of the snapshot or the database."""
    return JsonResponse({"status": "ok"})
