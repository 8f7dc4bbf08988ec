"""What every page knows: the colour theme and the basket."""

from django.http import HttpRequest

from papers import basket

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, object]:
    theme = request.COOKIES.get("theme", "")
    return {"theme": theme if theme in THEMES else "auto", "basket_ids": basket.ids(request)}
