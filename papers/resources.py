"""Papers by address: paper://{paper_id}/metadata, summary, source, outline and so on, as templates, list and text."""

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote

from papercore import limits
from papercore.errors import InvalidInput
from papercore.resource import Resource, ResourceBytes, ResourcePage, ResourceTemplate, ResourceText
from papers import tools
from papers.snapshot.errors import ResourceNotFound
from papers.snapshot.models import Paper
from papers.snapshot.queries import links_of_papers
from papers.snapshot.served import connection, reading
from papers.texts.page_pictures import page_picture

# Papers on a page of resources/list: each has about three resources, and hosts read page after page.
RESOURCE_PAPERS = 50
JSON, MARKDOWN, PNG = "application/json", "text/markdown", "image/png"

_URI = re.compile(r"paper://(?P<paper_id>[^/]+)/(?P<kind>[a-z]+)(?:/(?P<part>[^/]+))?")
_NUMBER = re.compile(r"[1-9][0-9]{0,4}")
_CURSOR = re.compile(rf"after=(?P<paper_id>[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}})")


class PaperResources:
    """The texts of the library's papers, cut where a tool would cut them by default."""

    templates = (
        ResourceTemplate(
            "paper://{paper_id}/metadata",
            "paper-metadata",
            "Paper metadata",
            "Authors, venue, year, DOI, keywords, and which summaries, translations and source a paper has.",
            JSON,
        ),
        ResourceTemplate(
            "paper://{paper_id}/summary",
            "paper-summary",
            "Preferred summary",
            "The paper's preferred summary, a JSON document; enough for most questions about the paper.",
            JSON,
        ),
        ResourceTemplate(
            "paper://{paper_id}/summary/{template}",
            "paper-summary-by-template",
            "Summary by template",
            "One summary, a JSON document; the metadata lists the templates in available_summary_templates.",
            JSON,
        ),
        ResourceTemplate(
            "paper://{paper_id}/source",
            "paper-source",
            "Full text",
            "The paper's full text as markdown, cut after 50,000 characters; get_paper_source takes another limit.",
            MARKDOWN,
        ),
        ResourceTemplate(
            "paper://{paper_id}/translation/{lang}",
            "paper-translation",
            "Translated full text",
            "A translation of the full text as markdown; the metadata lists the languages in available_translations.",
            MARKDOWN,
        ),
        ResourceTemplate(
            "paper://{paper_id}/outline",
            "paper-outline",
            "Outline",
            "The sections of the paper's main text with the addresses of their passages.",
            JSON,
        ),
        ResourceTemplate(
            "paper://{paper_id}/passage/{n}",
            "paper-passage",
            "Passage",
            "Passage n of the paper's main text with its neighbours; n as at the end of its address.",
            JSON,
        ),
        ResourceTemplate(
            "paper://{paper_id}/page/{n}",
            "paper-page",
            "Page as a picture",
            "Page n of the paper's PDF as a picture: for formulas, tables and figures that its text garbles.",
            PNG,
        ),
        ResourceTemplate(
            "paper://{paper_id}/references",
            "paper-references",
            "References",
            "What the paper cites, with the papers of this library among it, and which papers here cite it.",
            JSON,
        ),
    )

    def page(self, cursor: str | None) -> ResourcePage:
        """The resources of the next papers, by id: no page costs more than the first."""
        with reading():
            papers = list(Paper.objects.filter(pk__gt=_after(cursor)).order_by("pk")[: RESOURCE_PAPERS + 1])
            shown = papers[:RESOURCE_PAPERS]
            resources = tuple(_resources_of(shown))
        if len(papers) == len(shown):
            return ResourcePage(resources, None)
        return ResourcePage(resources, base64.urlsafe_b64encode(f"after={shown[-1].pk}".encode()).decode())

    def read(self, uri: str) -> ResourceText | ResourceBytes:
        match = _URI.fullmatch(uri)
        if match is None:
            raise _no_such_resource()
        paper_id, part = unquote(match["paper_id"]), unquote(match["part"] or "")
        mime_type = JSON
        match match["kind"], bool(part):
            case "metadata", False:
                text = tools.get_paper_metadata(paper_id).model_dump_json()
            case "summary", _:
                text = tools.get_paper_summary(paper_id, template=part or None).content
            case "source", False:
                mime_type, text = MARKDOWN, tools.get_paper_source(paper_id).markdown
            case "translation", True:
                mime_type, text = MARKDOWN, tools.get_paper_translation(paper_id, lang=part).markdown
            case "outline", False:
                text = tools.get_paper_outline(paper_id).model_dump_json()
            case "references", False:
                text = tools.get_paper_references(paper_id).model_dump_json()
            case "passage", True:
                main_text = tools.get_paper_outline(paper_id).text
                text = tools.get_passage(f"{paper_id}/{main_text}/{part}").model_dump_json()
            case "page", True if _NUMBER.fullmatch(part):
                return ResourceBytes(uri, PNG, page_picture(paper_id, int(part)))
            case _:
                raise _no_such_resource()
        return ResourceText(uri, mime_type, text)


def _no_such_resource() -> ResourceNotFound:
    return ResourceNotFound("There is no such resource; resources/templates/list shows the forms of address.")


def _resources_of(papers: list[Paper]) -> Iterator[Resource]:
    links = links_of_papers(connection(), [paper.pk for paper in papers], ("template", "language"))
    for paper in papers:
        found = [("metadata", JSON)]
        if links[paper.pk]["template"]:
            found.append(("summary", JSON))
        if paper.source_md_content_hash:
            found.append(("source", MARKDOWN))
        found += [(f"translation/{lang}", MARKDOWN) for lang in links[paper.pk]["language"]]
        for path, kind in found:
            yield Resource(f"paper://{paper.pk}/{path}", f"{paper.pk}/{path}", f"{paper.title} ({path})", kind)


def _after(cursor: str | None) -> str:
    """The id the cursor points to; every id comes after the empty one."""
    if cursor is None:
        return ""
    try:
        match = _CURSOR.fullmatch(base64.urlsafe_b64decode(cursor).decode("ascii"))
    except (binascii.Error, ValueError):
        match = None
    if match is None:
        raise InvalidInput("Unknown cursor; pass nextCursor of the page before, or none.")
    return match["paper_id"]
