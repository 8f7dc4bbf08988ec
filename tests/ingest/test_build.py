"""A built snapshot holds the papers, in the tables and files of the format."""

import hashlib
from pathlib import Path

import pytest

from ingest import BuildFolders
from ingest.matching.identity import paper_id_of
from tests.ingest.library import ATTENTION, LSTM, build, write_lines, write_summaries
from tests.ingest.library_content import assets, content

ATTENTION_ID = paper_id_of("arxiv:1706.03762")
LSTM_ID = paper_id_of("doi:10.1162/neco.1997.9.8.1735")
PNG = b"\x89PNG\r\n\x1a\n not really"
PAPERS = 40


def test_papers_are_rows_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    built = build(
        tmp_path / "out",
        write_summaries(tmp_path / "a.json", ATTENTION),
        write_lines(tmp_path / "b.jsonl", LSTM),
    )
    columns = "paper_id, paper_key, paper_key_type, doi, title, year, month, venue, paper_index"
    assert built.rows(f"SELECT {columns} FROM paper ORDER BY rowid") == [
        (
            ATTENTION_ID,
            "arxiv:1706.03762",
            "arxiv",
            None,
            ATTENTION["paper_title"],
            "2017",
            "06",
            "NeurIPS",
            0,
        ),
        (
            LSTM_ID,
            "doi:10.1162/neco.1997.9.8.1735",
            "doi",
            "10.1162/neco.1997.9.8.1735",
            LSTM["title"],
            "1997",
            "11",
            "Neural Computation",
            1,
        ),
    ]
    assert (built.report.read, built.report.merged, built.report.skipped) == (2, 0, 0)


def test_an_abstract_serves_as_summary_of_a_paper_without_one(tmp_path: Path) -> None:
    built = build(tmp_path / "out", write_lines(tmp_path / "b.jsonl", LSTM))
    assert built.rows("SELECT * FROM paper_summary") == [(LSTM_ID, "abstract")]
    assert built.column("SELECT summary_preview FROM paper") == [LSTM["abstract"]]
    assert built.json(f"summary/{LSTM_ID}/abstract.json")["summary"] == LSTM["abstract"]
    assert built.column("SELECT paper_id FROM paper_fts WHERE paper_fts MATCH 'carousels'") == [LSTM_ID]


def test_a_paper_without_any_text_still_keeps_its_authors_as_spelled(tmp_path: Path) -> None:
    built = build(tmp_path / "out", write_lines(tmp_path / "b.jsonl", {**LSTM, "abstract": ""}))
    summary = built.json(f"summary/{LSTM_ID}.json")
    assert summary["paper_authors"] == LSTM["authors"]
    assert (summary["summary"], summary["available_templates"]) == ("", [])
    assert built.rows("SELECT * FROM paper_summary") == []
    assert built.column("SELECT preferred_summary_template FROM paper") == ["default"]


def test_each_template_has_its_summary_and_simple_is_preferred(tmp_path: Path) -> None:
    deep = {**ATTENTION, "summary": None, "module_a": "Alignment.", "module_b": ["one", {"k": "v"}]}
    built = build(
        tmp_path / "out",
        write_summaries(tmp_path / "a.json", deep, template="deep_read"),
        write_summaries(tmp_path / "b.json", ATTENTION),
    )
    assert built.report.merged == 1
    whole = built.json(f"summary/{ATTENTION_ID}.json")
    assert (whole["template_tag"], whole["available_templates"]) == ("simple", ["deep_read", "simple"])
    assert built.json(f"summary/{ATTENTION_ID}/deep_read.json")["summary"] == (
        "## Module A\n\nAlignment.\n\n## Module B\n\n- one\n- **K:** v"
    )
    assert built.column("SELECT summary_preview FROM paper") == [
        "Summary What it is. Sequence models from self-attention."
    ]


def test_sources_translations_and_pdfs_are_stored_under_their_hashes(tmp_path: Path) -> None:
    for name in ("md", "tr", "pdf"):
        (tmp_path / name).mkdir()
    (tmp_path / "md" / "vaswani-2017.md").write_text("# Attention\n\nThe source.\n")
    (tmp_path / "tr" / "vaswani-2017.zh.md").write_text("# 注意力\n\n深度学习\n")
    (tmp_path / "pdf" / "vaswani-2017.pdf").write_bytes(b"%PDF-1.4")
    folders = BuildFolders(tmp_path / "md", tmp_path / "tr", tmp_path / "pdf")
    built = build(tmp_path / "out", write_summaries(tmp_path / "a.json", ATTENTION), folders=folders)

    ((source, pdf),) = built.rows("SELECT source_md_content_hash, pdf_content_hash FROM paper")
    ((lang, translation),) = built.rows("SELECT lang, md_content_hash FROM paper_translation")
    assert lang == "zh"
    for key in (f"md/{source}.md", f"md_translate/zh/{translation}.md", f"pdf/{pdf}.pdf"):
        content = (built.out / "static" / key).read_bytes()
        assert hashlib.sha256(content).hexdigest() == Path(key).stem
    assert built.column("SELECT translated FROM paper_fts") == ["注 意 力 深 度 学 习"]


def test_images_are_stored_by_content_and_the_text_points_to_them(tmp_path: Path) -> None:
    (tmp_path / "md" / "images").mkdir(parents=True)
    (tmp_path / "md" / "images" / "fig 1.png").write_bytes(PNG)
    (tmp_path / "md" / "vaswani-2017.md").write_text(
        "![one](images/fig%201.png)\n\n![gone](images/gone.png)\n\n"
        '<img alt="x" src="images/fig%201.png">\n\n![far](https://example.org/a.png)\n\n'
        "```\n![code](images/fig%201.png)\n```\n"
    )
    built = build(
        tmp_path / "out",
        write_summaries(tmp_path / "a.json", ATTENTION),
        folders=BuildFolders(tmp_path / "md"),
    )
    key = f"images/{hashlib.sha256(PNG).hexdigest()}.png"
    (source,) = built.column("SELECT source_md_content_hash FROM paper")
    assert (built.out / "static" / key).read_bytes() == PNG
    assert (built.out / "static" / "md" / f"{source}.md").read_text() == (
        f'![one]({key})\n\n![gone](images/gone.png)\n\n<img alt="x" src="{key}">\n\n'
        "![far](https://example.org/a.png)\n\n```\n![code](images/fig%201.png)\n```\n"
    )
    images = built.json(f"manifest/{ATTENTION_ID}.json")["images"]
    assert isinstance(images, list)
    assert [(image["static_path"], image["status"]) for image in images] == [
        (key, "available"),
        ("images/gone.png", "missing"),
    ]
    assert built.report.notes == 1


def test_an_image_outside_of_the_markdown_folder_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "md").mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (tmp_path / "md" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "md" / "vaswani-2017.md").write_text("![a](../secret.png) ![b](link.png)\n")
    built = build(
        tmp_path / "out",
        write_summaries(tmp_path / "a.json", ATTENTION),
        folders=BuildFolders(tmp_path / "md"),
    )
    assert list((built.out / "static" / "images").iterdir()) == []


def test_the_same_inputs_give_the_same_snapshot(tmp_path: Path) -> None:
    inputs = [write_summaries(tmp_path / "a.json", ATTENTION), write_lines(tmp_path / "b.jsonl", LSTM)]
    one, two = build(tmp_path / "one", *inputs), build(tmp_path / "two", *inputs)
    assert one.report.build_id == two.report.build_id
    for table in (
        "paper",
        "paper_key_alias",
        "author",
        "paper_author",
        "facet_node",
        "facet_edge",
        "paper_fts",
    ):
        assert one.rows(f"SELECT * FROM {table}") == two.rows(f"SELECT * FROM {table}"), table


def test_many_problems_are_counted_and_the_first_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.entries.report._KEPT_PROBLEMS", 1)
    lines = tmp_path / "a.jsonl"
    lines.write_text('{"title": "Good"}\nbad\nworse\n')
    report = build(tmp_path / "out", lines).report
    assert (report.papers, report.skipped) == (1, 2)
    assert [problem.place for problem in report.problems] == [f"{lines}:2"]


def test_several_processes_give_the_same_library_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    papers = [
        {"title": f"Rivers {number % 30}", "authors": ["Ann Delta"], "year": 2000 + number, "abstract": f"No {number}"}
        for number in range(PAPERS)
    ]
    lines = write_lines(tmp_path / "papers.jsonl", *papers)
    alone = build(tmp_path / "alone", lines)
    monkeypatch.setattr("ingest.build.PAPERS_WORTH_PROCESSES", 1)
    monkeypatch.setattr("ingest.workers._PAPERS_AT_ONCE", 7)
    together = build(tmp_path / "together", lines)
    assert together.report.build_id == alone.report.build_id
    assert content(together.out) == content(alone.out)
    assert assets(together.out) == assets(alone.out)
    keys = together.column("SELECT bibtex_key FROM paper_bibtex")
    assert len(set(keys)) == len(keys) == PAPERS
