"""System checks of the site itself."""

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register


@register(Tags.security, deploy=True)
def check_secret_key(**_: object) -> list[CheckMessage]:
    if settings.SECRET_KEY_GIVEN:
        return []
    return [
        Error(
            "PAPERSITE_SECRET_KEY is not set: logins end when the process does, and do not hold across workers.",
            hint="Set it to 50 or more random characters, and keep it secret.",
            id="papersite.E001",
        )
    ]
