"""The whole record of a paper survives: read from one format, stored as BibTeX, exported in the same format."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ingest.entries.entry import LocatedEntry, PaperEntry
from ingest.matching.corrections import generated_bibtex
from ingest.matching.records import merge
from ingest.reading.inputs import reader_of
from papercore.bibliography.bibtex import bibtex_entry
from papercore.bibliography.citation import Citation, csl_item, ris_record
from papercore.bibliography.fields import PersonName
from papercore.text import one_line
from papers.catalogue.citations import citation_of
from papers.catalogue.schemas import PaperMetadata
from papers.snapshot.models import PaperBibtex

# What TeX and the formats treat as special, without what exports use for markup: tags and entities.
LETTERS = st.one_of(st.sampled_from(list("abcXYZ éüß量 -:.()%_#${}\\~^'\"?!/")), st.characters(categories=["Lu", "Ll"]))
TEXT = st.text(LETTERS, max_size=25).map(one_line)
SHORT = st.text(st.sampled_from("ABC123. "), max_size=6).map(one_line)
WORD = (
    st.text(st.characters(categories=["Ll"]), min_size=1, max_size=8)
    .map(str.title)
    .filter(
        lambda word: (
            word.lower() not in ("jr", "sr", "ii", "iii", "iv", "phd", "md", "and", "others", "unknown")
            and not word.islower()
        )
    )
)
PARTICLE = st.sampled_from(["", "van der ", "de la "])
PEOPLE = st.builds(
    lambda particle, family, given, dropped, suffix: PersonName(
        particle + " ".join(family), " ".join(given) + dropped, suffix
    ),
    PARTICLE,
    st.lists(WORD, min_size=1, max_size=2),
    st.lists(WORD, min_size=1, max_size=2),
    st.sampled_from(["", " de"]),
    st.sampled_from(["", "Jr.", "III"]),
)
# `Aa A` is a person, as PubMed writes names.
GROUPS = (
    st.lists(WORD, min_size=1, max_size=3)
    .filter(lambda words: len(words[-1]) > 1)
    .map(lambda words: PersonName(" ".join(words)))
)
NAMES = st.lists(st.one_of(PEOPLE, GROUPS), max_size=3, unique_by=lambda name: name.natural).map(tuple)
DATES = st.sampled_from(["", "1999", "2012-04", "2020-12-31"])
PAGES = st.sampled_from(["", "7", "12-20", "e104", "S1-S5, S9-S10"])
KINDS = st.sampled_from(
    ["article-journal", "article-magazine", "paper-conference", "chapter", "book", "thesis", "report"]
)
KEYWORDS = st.lists(st.text(st.sampled_from("abC XYz-%_"), min_size=1, max_size=8).map(one_line), max_size=3)


@st.composite
def citations(draw: st.DrawFn) -> Citation:
    date = draw(DATES)
    keywords = {word.lower(): word for word in draw(KEYWORDS) if word}
    texts = {name: draw(TEXT) for name in ("venue", "publisher", "place", "series", "edition", "note", "abstract")}
    short = {name: draw(SHORT) for name in ("volume", "issue", "language")}
    return Citation(
        title=draw(TEXT.filter(bool)),
        authors=draw(NAMES.filter(bool)),
        editors=draw(NAMES),
        kind=draw(KINDS),
        year=date[:4],
        date=date,
        pages=draw(PAGES),
        doi=draw(st.sampled_from(["", "10.1000/a_b(1)x"])),
        url=draw(st.sampled_from(["https://example.org/a_b?c=%20#d", "https://example.org/x"])),
        issn=draw(st.sampled_from(["", "0028-0836"])),
        keywords=tuple(keywords.values()),
        **texts,
        **short,
    )


def read_one(name: str, content: str) -> PaperEntry:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(content, encoding="utf-8", newline="")
        reader = reader_of(path)
        assert reader is not None
        (found,) = list(reader(path))
    assert isinstance(found, LocatedEntry), found
    return found.entry


def served(entry: PaperEntry) -> Citation:
    """The citation that the site makes of what the snapshot keeps of an entry."""
    record = merge([entry])
    bibtex = record.bibtex or generated_bibtex(record, set())
    paper = PaperMetadata(
        paper_id="p",
        title=record.title,
        authors=list(record.authors),
        year=int(record.year) if record.year.isdecimal() else None,
        month=int(record.month) if record.month.isdecimal() else None,
        publication_date=record.date,
        venue=record.venue,
        doi=record.doi,
        arxiv_id=record.arxiv,
        keywords=list(record.keywords),
        tags=[],
        institutions=[],
        abstract=record.abstract,
        abstract_authors_words=True,
        preferred_summary_template=record.preferred_template,
        available_summary_templates=[],
        available_translations=[],
        has_source=False,
        has_pdf=False,
        has_bibtex=True,
        summary_preview="",
        output_language=None,
        provider=None,
        model=None,
        extracted_at=None,
    )
    return citation_of(paper, PaperBibtex(bibtex_raw=bibtex.raw))


@settings(max_examples=60, deadline=None)
@given(citation=citations())
def test_a_csl_item_comes_back_whole(citation: Citation) -> None:
    item = csl_item(citation, "k")
    assert csl_item(served(read_one("a.json", json.dumps([item]))), "k") == item


@settings(max_examples=60, deadline=None)
@given(citation=citations())
def test_a_ris_record_comes_back_whole(citation: Citation) -> None:
    record = ris_record(citation)
    assert ris_record(served(read_one("a.ris", record))) == record


@settings(max_examples=60, deadline=None)
@given(citation=citations())
def test_a_bibtex_entry_comes_back_whole_and_unchanged(citation: Citation) -> None:
    # An abstract is not part of entries that we write.
    text = bibtex_entry(citation, "key")
    entry = read_one("a.bib", text)
    assert entry.bibtex is not None
    assert entry.bibtex.raw == text
    assert served(entry) == replace(citation, abstract="")
