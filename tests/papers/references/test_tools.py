"""What a paper cites and what cites it: as a tool, over REST, as a resource and on its page."""

import json
from pathlib import Path

import pytest
from django.test import Client

from papercore.resource import ResourceText
from papers import tools
from papers.pages.charts import citation_graph
from papers.references.tools import citations_of
from papers.resources import PaperResources
from papers.snapshot.errors import PaperNotFound
from tests.snapshot import SamplePaper, build

REFERENCES = """\
# A Survey of Birds

## References

1. A. Ames. On the weight of small birds. Nature, 1998.
2. A. Ames. On the weight of small birds: a reply. Nature, 1998.
3. B. Bo, J. Birds 3, 17 (2001). doi:10.5555/nests
4. Nobody. Something that is not here at all. 1990.
5. C. Cole. [Another paper](javascript:alert(1)). <script>alert(1)</script> 1991.
"""
PAPERS = [
    SamplePaper("survey", "A Survey of Birds", ["Sue Stone"], year="2020", source=REFERENCES),
    SamplePaper("weight", "On the weight of small birds", ["Ada Ames"], year="1998"),
    SamplePaper(
        "nests",
        "Nests",
        ["Bill Bo"],
        year="2001",
        doi="10.5555/nests",
        source="# Nests\n\n## References\n\n[1] Ames A. On the weight of small birds. Nature 1998.\n",
    ),
    SamplePaper(
        "listed",
        "A paper whose entry lists what it cites",
        ["Lou List"],
        year="2022",
        bibtex="@article{list, title={A paper}, cited-references={Bo B, 2001, DOI 10.5555/NESTS.\nStone S, 1999}}",
    ),
    SamplePaper("mentions", "Mentions", ["Max May"], source="# M\n\nOn the weight of small birds is a title.\n"),
]


@pytest.fixture
def birds(own_library: Path) -> Path:
    build(own_library.parent, PAPERS)
    return own_library


@pytest.mark.usefixtures("birds")
class TestTool:
    def test_references_come_in_order_and_only_sure_ones_have_a_paper(self) -> None:
        found = tools.get_paper_references("survey")
        assert [item.paper_id for item in found.references] == ["weight", None, "nests", None, None]
        assert (found.total, found.next_offset, found.cited_by) == (5, None, [])
        assert found.references[2].doi == "10.5555/nests"

    def test_citing_papers_come_newest_first_with_their_reference(self) -> None:
        found = tools.get_paper_references("weight")
        assert [(paper.paper_id, paper.text[:8]) for paper in found.cited_by] == [
            ("survey", "A. Ames."),
            ("nests", "Ames A. "),
        ]
        assert found.cited_by_complete
        assert found.references == []

    def test_what_a_stored_entry_lists_counts(self) -> None:
        assert [item.paper_id for item in tools.get_paper_references("listed").references] == ["nests", None]
        assert [paper.paper_id for paper in tools.get_paper_references("10.5555/nests").cited_by] == [
            "listed",
            "survey",
        ]

    def test_a_part_of_the_list_says_where_the_next_begins(self) -> None:
        found = tools.get_paper_references("survey", limit=2, offset=2)
        assert [item.paper_id for item in found.references] == ["nests", None]
        assert (found.total, found.next_offset) == (5, 4)

    def test_an_unknown_paper_is_not_found(self) -> None:
        with pytest.raises(PaperNotFound):
            tools.get_paper_references("nobody")

    def test_rest_and_the_resource_say_the_same(self, client: Client) -> None:
        answer = tools.get_paper_references("survey").model_dump()
        assert client.get("/api/papers/survey/references").json() == answer
        read = PaperResources().read("paper://survey/references")
        assert isinstance(read, ResourceText)
        assert json.loads(read.text) == answer


@pytest.mark.usefixtures("birds")
class TestPage:
    def test_it_links_papers_of_the_library_and_shows_other_references_as_text(self, client: Client) -> None:
        page = client.get("/papers/survey/references/").content.decode()
        assert 'class="in-library" href="/papers/weight/"' in page
        assert "Something that is not here at all" in page
        assert "5 references" in page
        assert "2 of them in this library" in page

    def test_hostile_references_are_text(self, client: Client) -> None:
        page = client.get("/papers/survey/references/").content.decode()
        assert "<script>alert(1)" not in page
        assert 'href="javascript' not in page

    def test_a_paper_without_either_says_so(self, client: Client) -> None:
        page = client.get("/papers/mentions/references/").content.decode()
        assert "No list of references was found" in page
        assert "No paper here is known to cite it" in page
        assert "citation-graph" not in page

    def test_the_graph_has_a_row_a_paper_by_year_and_arrows_between_the_others_too(self) -> None:
        graph = citation_graph(citations_of("survey"))
        assert graph
        assert [row.paper_id for row in graph.rows] == ["survey", "nests", "weight"]
        assert [arc.own for arc in graph.arcs] == [False, True, True]
        assert graph.left_out == 0


def test_an_older_snapshot_has_references_too(own_library: Path) -> None:
    build(own_library.parent, PAPERS, legacy=True)
    assert tools.get_paper_references("survey").references[0].paper_id == "weight"
    assert len(tools.get_paper_references("weight").cited_by) == 2


def test_a_source_that_is_missing_has_no_references(birds: Path) -> None:
    for file in (birds.parent / "static" / "md").iterdir():
        file.unlink()
    assert tools.get_paper_references("survey").references == []
