"""The tools for passages, called as functions."""

import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.test import Client

from papercore import limits
from papercore.errors import InvalidInput, NotFound, ToolError
from papercore.rendering import render
from papercore.retrieval import PassageRequest
from papercore.snapshot.assets import OCR_MARK
from papers import tools
from papers.passages.schemas import QuoteToVerify
from papers.snapshot import served
from papersite.command.commands import call_command
from tests.snapshot import LONG_SOURCE, SamplePaper, build

SOURCE = """\
# A Paper of Sections

## 1 Introduction

Cats weigh four kilos. Dogs weigh more. Nobody weighed birds. This is a pity.

## 2 Results

### 2.1 Cats

A cat weighed 4.2 kg.

### 2.2 Dogs

A dog weighed "20 kg".
"""


@pytest.fixture
def sections(own_library: Path) -> None:
    paper = SamplePaper(
        "p1", "A Paper of Sections", ["Ada Ames"], source=SOURCE, summaries={"simple": "Animals, weighed."}
    )
    build(own_library.parent, [paper])


@pytest.mark.usefixtures("sections")
class TestOutline:
    def test_it_lists_sections_with_lengths_openings_and_addresses(self) -> None:
        outline = tools.get_paper_outline("p1")
        assert (outline.text, outline.texts) == ("source", ["source", "summary:simple", "abstract"])
        assert [(s.number, s.level, s.heading) for s in outline.sections] == [
            (1, 1, "A Paper of Sections"),
            (2, 2, "1 Introduction"),
            (3, 2, "2 Results"),
            (4, 3, "2.1 Cats"),
            (5, 3, "2.2 Dogs"),
        ]
        assert outline.sections[1].opening == "Cats weigh four kilos. Dogs weigh more."
        assert outline.sections[2].address == outline.sections[3].address
        assert (outline.total_chars, outline.passages) == (len(SOURCE), 4)

    def test_another_text_has_an_outline_of_its_own(self) -> None:
        outline = tools.get_paper_outline("p1", "summary:simple")
        assert [(section.number, section.opening) for section in outline.sections] == [(0, "Animals, weighed.")]

    def test_a_text_that_the_paper_lacks_is_not_found(self) -> None:
        with pytest.raises(NotFound) as caught:
            tools.get_paper_outline("p1", "translation:zh")
        assert caught.value.code == "translation_not_available"

    def test_a_text_of_another_kind_is_refused(self) -> None:
        with pytest.raises(InvalidInput):
            tools.get_paper_outline("p1", "poster")


@pytest.mark.usefixtures("sections")
class TestPassage:
    def test_it_comes_with_neighbours_section_and_link(self) -> None:
        address = tools.get_paper_outline("p1").sections[3].address
        assert address is not None
        found = tools.get_passage(address, before=1, after=5)
        assert (found.markdown, found.place.section) == ("A cat weighed 4.2 kg.", "2 Results > 2.1 Cats")
        assert SOURCE[found.start : found.end] == found.markdown
        assert [near.markdown for near in found.before] == ["Nobody weighed birds. This is a pity."]
        assert [near.markdown for near in found.after] == ['A dog weighed "20 kg".']
        assert re.fullmatch(r"/papers/p1/source/\?passage=3-[0-9a-f]{6}#p-3", found.place.link)

    def test_its_link_names_the_block_that_the_page_anchors(self) -> None:
        second = tools.get_passage("p1/source/2")
        assert second.place.link.endswith("#p-1")
        assert '<p id="p-1">Cats weigh' in render(SOURCE, passages=True).html

    def test_addresses_lead_on_from_one_passage_to_the_next(self) -> None:
        first = tools.get_passage("p1/source/1")
        assert tools.get_passage(first.after[0].address).before[0].address == first.place.address

    def test_a_changed_text_never_gives_another_passage(self) -> None:
        with pytest.raises(ToolError) as caught:
            tools.get_passage("p1/source/1-abcdef")
        assert caught.value.code == "passage_not_found"

    @pytest.mark.parametrize(
        "address", ["p1", "p1/source", "p1/source/0", "p1/source/99", "p1/poster/1", "p1/source/x"]
    )
    def test_what_is_no_address_is_not_found(self, address: str) -> None:
        with pytest.raises(NotFound) as caught:
            tools.get_passage(address)
        assert caught.value.code == "passage_not_found"

    def test_a_paper_may_be_named_otherwise(self) -> None:
        with pytest.raises(NotFound) as caught:
            tools.get_passage("10.1/x/source/1")
        assert caught.value.code == "paper_not_found"


@pytest.mark.usefixtures("sections")
class TestSourceInParts:
    @pytest.mark.parametrize("name", ["3", "2 Results", "results"])
    def test_a_section_comes_with_those_below_it(self, name: str) -> None:
        part = tools.get_paper_source("p1", section=name)
        assert part.markdown == SOURCE[SOURCE.index("## 2 Results") :].strip()
        assert (part.total_chars, part.next_offset) == (len(part.markdown), None)

    def test_an_unknown_section_is_not_found(self) -> None:
        with pytest.raises(NotFound) as caught:
            tools.get_paper_source("p1", section="Discussion")
        assert caught.value.code == "section_not_found"

    def test_windows_join_to_the_whole(self) -> None:
        text, offset = "", 0
        while True:
            part = tools.get_paper_source("p1", max_chars=50, offset=offset)
            text += part.markdown.partition("\n\n[truncated:")[0]
            if part.next_offset is None:
                break
            offset = part.next_offset
        assert text == SOURCE
        assert part.total_chars == len(SOURCE)

    def test_beyond_the_end_there_is_nothing(self) -> None:
        assert tools.get_paper_source("p1", offset=10**6).markdown == ""


@pytest.mark.parametrize("indexed", [True, False])
def test_what_a_paper_cites_is_no_evidence(own_library: Path, indexed: bool) -> None:
    source = "# Weights\n\nCats weigh four kilos.\n\n## References\n\n1. A. Ames. How much cats weigh in kilos. 1999.\n"
    build(own_library.parent, [SamplePaper("p1", "Weights", ["Ada Ames"], source=source)])
    if indexed:
        call_command("build_index", own_library.parent, stdout=StringIO(), stderr=StringIO())
    found = tools.search_passages("how much cats weigh in kilos", paper_ids=("p1",)).passages
    assert [hit.quote for hit in found if "source" in hit.address] == ["Cats weigh four kilos."]


@pytest.fixture(params=["index of passages", "texts of the best papers"])
def searched_library(request: pytest.FixtureRequest, own_library: Path) -> Path:
    """A library with an index and one without: the same questions, the same answers."""
    if request.param == "index of passages":
        call_command("build_index", own_library.parent, stdout=StringIO(), stderr=StringIO())
        built = served.current_index()
        assert built is not None
        assert built.passages(PassageRequest("attention", 5))
    return own_library


@pytest.mark.usefixtures("searched_library")
class TestSearchPassages:
    def test_passages_come_word_for_word_with_their_place(self) -> None:
        best = tools.search_passages("how do heads attend to positions").passages[0]
        assert (best.paper_id, best.quote) == ("123", "Heads attend to positions. " * 2 + "Heads attend to positions.")
        assert tools.get_passage(best.address).place.link == best.link

    def test_a_few_of_each_paper_and_each_wording_once(self) -> None:
        found = tools.search_passages("work play paper memory cell", limit=50).passages
        assert len({(hit.paper_id, hit.quote) for hit in found}) == len(found)
        assert Counter(hit.paper_id for hit in found)["456"] <= limits.PASSAGES_OF_PAPER

    def test_papers_and_filters_narrow_where_to_look(self) -> None:
        within = tools.search_passages("attention", paper_ids=("10.1162/neco.1997.9.8.1735", "456")).passages
        assert {hit.paper_id for hit in within} <= {"456"}
        assert {hit.paper_id for hit in tools.search_passages("memory transformer", year_to=2000).passages} == {"456"}

    def test_chinese_is_found_in_a_translation(self) -> None:
        found = tools.search_passages("注意力机制", paper_ids=("123",))
        assert not found.passages
        hit = found.other_texts[0]
        assert (hit.text_kind, hit.authors_words) == ("translation", False)
        assert (hit.quote, hit.address.split("/")[1]) == ("注意力机制与深度学习。", "translation:zh")

    @pytest.mark.parametrize(
        "query", ["zyxomma petiolatum", "the of and", '"', "-attention", 'NOT "attention"', "author:attention"]
    )
    def test_no_evidence_is_an_answer(self, query: str) -> None:
        assert tools.search_passages(query, paper_ids=("123",)).passages == []

    def test_what_cannot_be_read_is_left_out(self, searched_library: Path) -> None:
        for file in (searched_library.parent / "static" / "md").iterdir():
            file.unlink()
        found = tools.search_passages("transformer attention recurrence", paper_ids=("123",)).passages
        assert found
        assert all("/source/" not in hit.address for hit in found)


class TestVerifiedQuotes:
    def verify(self, quote: str, where: str = "") -> tuple[bool, str | None]:
        (verified,) = tools.verify_quotes((QuoteToVerify(quote=quote, where=where),)).quotes
        return verified.found, verified.place.address if verified.found and verified.place else verified.problem

    @pytest.mark.parametrize("where", ["456", "10.1162/neco.1997.9.8.1735", "456/source/1", "456/summary:simple/1", ""])
    def test_a_quote_is_found_in_the_paper_named_or_anywhere(self, where: str) -> None:
        found, address = self.verify("all WORK and no-play makes a long paper", where)
        assert found
        assert str(address).startswith("456/source/1-")

    def test_a_quote_that_is_nowhere_is_not_found(self) -> None:
        assert self.verify("Zebras never sleep in the afternoon", "456") == (False, None)
        found, problem = self.verify("Zebras never sleep in the afternoon")
        assert not found
        assert "name the paper" in str(problem)

    def test_a_near_miss_shows_what_differs(self) -> None:
        found, problem = self.verify("All work and no joy makes a long paper", "456")
        assert not found
        assert problem == "Not word for word: the text has “play”, the quote “joy”."

    def test_a_quote_of_another_paper_says_where_it_is(self) -> None:
        found, problem = self.verify("All work and no play makes a long paper", "123")
        assert not found
        assert re.fullmatch(r"Not in 123; in “Long Short-Term Memory”, at 456/source/1-[0-9a-f]{6}\.", str(problem)), (
            problem
        )

    def test_what_only_a_summary_has_is_not_the_authors(self) -> None:
        quote = QuoteToVerify(quote="A memory cell keeps the error flowing", where="456")
        (verified,) = tools.verify_quotes((quote,)).quotes
        assert (verified.found, verified.verdict) == (False, "not_authors_words")
        assert "not the authors' words" in str(verified.problem)

    def test_unknown_fields_and_bare_texts_are_refused_in_a_sentence(self) -> None:
        with pytest.raises(InvalidInput) as caught:
            tools.verify_quotes(({"quote": "Recurrence is gone", "paper_id": "123"},))  # type: ignore[arg-type]
        assert caught.value.message.startswith("quotes.0.paper_id: is not a field that it has")
        with pytest.raises(InvalidInput) as caught:
            tools.verify_quotes(("Recurrence is gone",))  # type: ignore[arg-type]
        assert caught.value.message.startswith("quotes.0: must be an object with named fields")

    def test_what_cannot_be_looked_for_says_why(self) -> None:
        assert "Too short" in str(self.verify("a - b", "456")[1])
        assert "no paper 999" in str(self.verify("All work and no play", "999")[1])

    def test_all_found_is_about_all_of_them(self) -> None:
        right = QuoteToVerify(quote="Recurrence is gone", where="123")
        wrong = QuoteToVerify(quote="Recurrence is here", where="123")
        assert tools.verify_quotes((right,)).all_found
        assert not tools.verify_quotes((right, wrong)).all_found

    def test_no_more_quotes_than_the_limit(self) -> None:
        quote = QuoteToVerify(quote="Recurrence is gone", where="123")
        assert len(tools.verify_quotes((quote,) * limits.QUOTES).quotes) == limits.QUOTES
        with pytest.raises(InvalidInput):
            tools.verify_quotes((quote,) * (limits.QUOTES + 1))


class TestQuotesWithSlipsAndOmissions:
    @pytest.fixture(autouse=True)
    def owls(self, own_library: Path) -> None:
        source = "Nights are long.\n\nOwls hunt by ear in winter. Mice below the snow are found at once."
        build(own_library.parent, [SamplePaper("p1", "Owls", [], source=source)])

    def verdict(self, quote: str) -> tuple[str, str | None]:
        (verified,) = tools.verify_quotes((QuoteToVerify(quote=quote, where="p1"),)).quotes
        return verified.verdict, verified.problem

    @pytest.mark.parametrize(
        ("quote", "said"),
        [
            ("Some bats hunt by ear in winter.", "the text has “Owls”, the quote “Some bats”"),
            (
                "Owls hunt by ear in winter. Mice below the snow are found later",
                "the text has “at once”, the quote “later”",
            ),
            ("Mice below snow are found at once", "the text has “the”, the quote nothing there"),
        ],
    )
    def test_no_more_of_the_text_is_shown_than_differs(self, quote: str, said: str) -> None:
        assert self.verdict(quote) == ("near_miss", f"Not word for word: {said}.")

    @pytest.mark.parametrize(
        "quote",
        [
            "Owls hunt [...] in winter",
            "Owls hunt by ear ... Mice below the snow are found",
            "[o]wls hunt by ear in [late] winter",
            "[They] hunt by ear in winter [sic]",
        ],
    )
    def test_omissions_and_brackets_are_ordinary_quoting(self, quote: str) -> None:
        said = "Its parts stand there in this order; what is in brackets or left out was not compared."
        assert self.verdict(quote) == ("found", said)

    def test_parts_in_another_order_are_not_found(self) -> None:
        assert self.verdict("Mice below the snow [...] Owls hunt by ear")[0] != "found"


class TestManyPapers:
    def test_papers_come_in_order_each_once_and_others_are_named(self) -> None:
        found = tools.get_papers(("456", "999", "10.5555/3295222.3295349", "123"))
        assert [paper.paper_id for paper in found.papers] == ["456", "123"]
        assert [(missing.paper_id, missing.error) for missing in found.not_found] == [("999", "paper_not_found")]

    def test_no_more_than_the_limit(self) -> None:
        with pytest.raises(InvalidInput):
            tools.get_papers(("123",) * (limits.PAPERS_AT_ONCE + 1))


def test_a_long_text_is_cut_evenly() -> None:
    outline = tools.get_paper_outline("456")
    assert outline.total_chars == len(LONG_SOURCE)
    assert outline.passages == 500


class TestWhoseWords:
    """What a text is goes with every passage; a reading edition is not the authors'."""

    def test_passages_of_the_authors_come_first_and_summaries_apart(self, own_library: Path) -> None:
        paper = SamplePaper(
            "p1", "Owls", [], source="Owls hunt by ear.", summaries={"simple": "Owls hunt by ear, too."}
        )
        build(own_library.parent, [paper])
        found = tools.search_passages("owls hunt by ear")
        assert {(hit.text_kind, hit.authors_words) for hit in found.passages} <= {
            ("authors_text", True),
            ("abstract", True),
        }
        assert found.passages[0].quote == "Owls hunt by ear."
        assert {(hit.text_kind, hit.authors_words) for hit in found.other_texts} == {("summary", False)}
        kinds = [hit.text_kind for hit in tools.search_passages("owls hunt by ear", texts="all").passages]
        assert {"authors_text", "summary"} <= set(kinds)
        only = tools.search_passages("owls hunt by ear", texts="summaries")
        assert [hit.text_kind for hit in only.passages] == ["summary"]

    def test_a_manifest_says_which_texts_are_reading_editions(self, own_library: Path) -> None:
        build(own_library.parent, [SamplePaper("p1", "Owls", [], source="Owls hunt by ear.")])
        manifests = own_library.parent / "static" / "manifest"
        manifests.mkdir()
        (manifests / "p1.json").write_text('{"reading_editions": ["source"]}')
        (hit,) = tools.search_passages("owls hunt by ear").passages
        assert (hit.text_kind, hit.authors_words) == ("reading_edition", False)
        source = tools.get_paper_source("p1")
        assert (source.text_kind, source.authors_words) == ("reading_edition", False)
        (verified,) = tools.verify_quotes((QuoteToVerify(quote=hit.quote, where=hit.address),)).quotes
        assert (verified.found, verified.verdict) == (False, "not_authors_words")

    def test_what_ocr_read_is_marked_wherever_it_is_quoted(self, own_library: Path, client: Client) -> None:
        build(own_library.parent, [SamplePaper("p1", "Owls", [], source=f"{OCR_MARK}\n\nOwls hunt by ear.")])
        (hit,) = tools.search_passages("owls hunt by ear").passages
        assert (hit.quote, hit.text_kind, hit.authors_words) == ("Owls hunt by ear.", "ocr_text", False)
        source = tools.get_paper_source("p1")
        assert (source.text_kind, source.authors_words) == ("ocr_text", False)
        assert "read by OCR: letters may be wrong" in client.get("/papers/p1/source/").content.decode()
