"""The passage that a link to a text names: the page marks it, and says so if the text no longer has it."""

from django.http import HttpRequest
from msgspec import Struct

from papercore import limits
from papercore.errors import ToolError
from papers.catalogue.schemas import PaperMetadata
from papers.pages.find_in_paper import FoundInPaper
from papers.passages.addresses import find_passage
from papers.passages.marked import plain_passage
from papers.texts.named import ABSTRACT


class OpenedPassage(Struct, frozen=True):
    """Where it is on the page, and its words as they are read there; without an anchor it is nowhere."""

    anchor: str = ""
    words: str = ""
    in_abstract: bool = False


def opened_passage(
    request: HttpRequest, paper: PaperMetadata, text: str, found: FoundInPaper | None
) -> OpenedPassage | None:
    """The passage that is opened in a text: by the link's `passage`, or as a place that was found."""
    if found and found.current:
        place = found.places[found.current - 1]
        return OpenedPassage(place.anchor, place.words)
    named = request.GET.get("passage", "")
    if not named or len(named) > limits.ID_CHARS:
        return None
    try:
        located = find_passage(f"{paper.paper_id}/{text}/{named}").located
    except ToolError:
        return OpenedPassage()
    words = plain_passage(located.quote)
    if located.text == ABSTRACT:
        return OpenedPassage("abstract", words, in_abstract=True)
    return OpenedPassage(f"p-{located.block}", words)
