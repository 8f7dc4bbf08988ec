"""A small server of its own for the protocol's tests: tools that answer, object and break, and two notes."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from mcpapi.listing.servers import Server
from mcpapi.listing.tool import read_tool, write_tool
from papercore.errors import InvalidInput, NotFound, Unavailable
from papercore.resource import Resource, ResourcePage, ResourceTemplate, ResourceText
from papercore.tool import tool

NOTES = {"1": "first", "2": "second"}


class Echo(BaseModel):
    word: Annotated[str, Field(description="The word, as often as asked.")]
    title: str | None = None


class NoteMissing(NotFound):
    code = "note_not_found"


@tool
def echo(
    word: Annotated[str, Field(max_length=5, description="What to say.")],
    times: Annotated[int, Field(ge=1, le=3)] = 1,
    title: Literal["Mr", "Ms"] | None = None,
) -> Echo:
    """Say a word.

    Use it when something must be said.
    """
    return Echo(word=word * times, title=title)


@tool
def get_note(note_id: str) -> Echo:
    """Return a note. Use it when you know the note's id."""
    if note_id not in NOTES:
        raise NoteMissing(f"There is no note {note_id}.", note_id=note_id, notes=sorted(NOTES))
    return Echo(word=NOTES[note_id])


@tool
def crash() -> Echo:
    """Break in an unforeseen way. Use it never."""
    raise RuntimeError("the secret reason")


@tool
def add_note(text: str) -> Echo:
    """Say that a note was added. Use it to try a tool that writes."""
    return Echo(word=text)


class Notes:
    """Two notes, one to a page."""

    templates = (ResourceTemplate("note://{note_id}", "note", "A note", "One note, by its id.", "text/plain"),)

    def page(self, cursor: str | None) -> ResourcePage:
        if cursor not in (None, "2"):
            raise InvalidInput("Unknown cursor.")
        note = cursor or "1"
        found = Resource(f"note://{note}", f"note-{note}", f"Note {note}", "text/plain")
        return ResourcePage((found,), "2" if note == "1" else None)

    def read(self, uri: str) -> ResourceText:
        if uri == "note://crash":
            raise RuntimeError("the secret reason")
        if uri == "note://away":
            raise Unavailable("The notes are away.")
        note = uri.removeprefix("note://")
        if note not in NOTES:
            raise NoteMissing("There is no such note.", note_id=note)
        return ResourceText(uri, "text/plain", NOTES[note])


SAMPLE = Server(
    name="sample",
    title="A sample",
    instructions="Say something.",
    tools=(
        read_tool(echo, "Say a word"),
        read_tool(get_note, "Read a note"),
        read_tool(crash, "Break"),
        write_tool(add_note, "Add a note", "write_note"),
    ),
    resources=Notes(),
)
TOOLS_ONLY = Server(name="tools-only", title="No resources", instructions="", tools=SAMPLE.tools)
