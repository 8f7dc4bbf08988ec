"""The commands that build and fill an index with a sentence model, and what is told of their progress."""

from io import StringIO
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from papercore.retrieval.engines.embedded import folder
from papercore.snapshot.file import index_beside
from papers import health, tools
from papers.snapshot import served
from papersite.command.commands import call_command
from tests.papercore.retrieval.tiny_model import write_model
from tests.snapshot import PAPERS, SamplePaper, build


@pytest.fixture
def library_with_model(own_library: Path, tmp_path: Path, settings: Settings) -> Path:
    settings.SEARCH_MODEL = str(write_model(tmp_path / "tiny"))
    return own_library


def run(command: str, *arguments: str) -> str:
    output = StringIO()
    call_command(command, *arguments, stdout=output, stderr=StringIO())
    return output.getvalue()


def test_the_index_is_served_before_it_is_filled_and_says_how_far_it_is(library_with_model: Path) -> None:
    run("build_index", "--no-fill")
    assert served.index_state().status == "filling"
    part = health.index_part()
    assert part.state == "ok"
    assert part.counts == {"papers": len(PAPERS), "with_sentence_vector": 0}
    assert f"0 of {len(PAPERS)} papers have a vector" in part.hint
    assert "fill-index" in part.hint
    assert tools.search_papers("attention").papers[0].score is not None


def test_the_search_page_says_how_far_the_model_has_read(library_with_model: Path, client: Client) -> None:
    run("build_index", "--no-fill")
    assert f"has read 0 of {len(PAPERS)} papers so far" in client.get("/papers/", {"q": "attention"}).text
    run("fill_index")
    assert "papers so far" not in client.get("/papers/", {"q": "attention"}).text


def test_an_index_made_with_a_model_that_the_site_started_without_is_searched_and_reported(
    library_with_model: Path, settings: Settings
) -> None:
    run("build_index")
    settings.SEARCH_MODEL = ""
    assert served.searches_by_meaning()
    part = health.index_part()
    assert part.state == "degraded"
    assert "by words and word vectors: made with tiny" in part.hint
    assert "restart the site" in part.hint
    run("build_index", "--if-needed")
    assert health.index_part().state == "ok"


def test_fill_index_adds_what_is_missing_and_then_nothing(library_with_model: Path) -> None:
    run("build_index", "--no-fill")
    assert run("fill_index") == f"{len(PAPERS)} sentence vectors added.\n"
    assert served.index_state().status == "ready"
    assert health.index_part().hint == ""
    assert run("fill_index") == "0 sentence vectors added.\n"


def test_build_index_goes_on_with_the_vectors_and_keeps_those_it_has(library_with_model: Path) -> None:
    assert f"{len(PAPERS)} sentence vectors added." in run("build_index")
    assert served.index_state().status == "ready"
    assert "sentence vectors" not in run("build_index")
    assert served.index_state().status == "ready"


def test_an_index_that_only_lacks_vectors_is_not_built_again(library_with_model: Path) -> None:
    run("build_index", "--no-fill")
    words = folder.generations(index_beside(library_with_model))[0] / folder.WORDS / "meta.json"
    built = words.stat().st_ino
    assert run("build_index", "--if-needed") == f"{len(PAPERS)} sentence vectors added.\n"
    assert (folder.generations(index_beside(library_with_model))[0] / folder.WORDS / "meta.json").stat().st_ino == built


def test_a_question_in_another_language_finds_passages_that_have_none_of_its_words(
    own_library: Path, tmp_path: Path, settings: Settings
) -> None:
    """The tiny model knows `broth` and `Soup` as one, as another would know words of two languages."""
    model = write_model(tmp_path / "tiny")
    (model / "model.json").write_text('{"for_other_languages": true}')
    papers = [SamplePaper(str(number), f"car {number}", ["Ada Ames"], source=f"A car {number}.") for number in range(9)]
    build(own_library.parent, [SamplePaper("soup", "Soup", ["Ada Ames"], source="Soup"), *papers])
    question = "zzz broth qqq vvv"
    run("build_index")
    assert tools.search_passages(question).passages == []
    settings.SEARCH_MODEL = str(model)
    run("build_index")
    assert [hit.paper_id for hit in tools.search_passages(question).passages] == ["soup"]
    assert tools.search_passages("zzz qqq vvv").passages == []
