"""The addresses of papers, of their views and of facet values."""

from urllib.parse import quote, urlencode

from django.urls import reverse


def paper_url(paper_id: str, view: str = "paper", part: str = "") -> str:
    """The address of a paper, or of one of its views; `part` names the translation or summary.

    An id that no route takes makes a link that leads nowhere, and not an error: a snapshot may hold any id.
    """
    ending = "" if view == "paper" else f"{view}/{quote(part)}/" if part else f"{view}/"
    return f"{reverse('search')}{quote(paper_id, safe=':')}/{ending}"


def value_url(category: str, value: str) -> str:
    """A slash in the value is quoted, so that it stays one part of the address."""
    return f"{reverse('values', args=[category])}{quote(value, safe='')}/"


def in_list(address: str, query_string: str, position: int | None) -> str:
    """The address of a paper, or of a place in it, that leads on to its neighbours in a list, where it is in one."""
    if not position:
        return address
    page, _, anchor = address.partition("#")
    parameters = urlencode({**({"list": query_string} if query_string else {}), "at": position})
    return f"{page}{'&' if '?' in page else '?'}{parameters}{'#' if anchor else ''}{anchor}"
