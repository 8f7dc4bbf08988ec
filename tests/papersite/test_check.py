"""`papersite check`: a draft with its bibliography, in a terminal and in CI."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from papersite.command.commands import call_command

BIB = """\
@article{lstm, title = {Long Short-Term Memory}, author = {Hochreiter, Sepp and Schmidhuber, J{\\"u}rgen}, year = 1997}

@inproceedings{late, title = {Attention Is All You Need}, author = {Vaswani, Ashish and others}, year = 2021}
"""
TEX = """\
\\section{Memory} % \\cite{commented}
They say ``All work and no play makes a long paper''~\\citep[p.~3]{lstm}, and also
``All work and no joy makes a long paper'' \\cite{lstm}. Others \\parencite{late, nowhere}.
"""


def checked(*arguments: object) -> tuple[int, str]:
    output = StringIO()
    try:
        call_command("check_draft", *map(str, arguments), stdout=output)
    except SystemExit as ended:
        return int(str(ended.code)), output.getvalue()
    return 0, output.getvalue()


@pytest.fixture
def draft(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "draft.tex", tmp_path / "refs.bib"]
    for path, text in zip(files, (TEX, BIB), strict=True):
        path.write_text(text, encoding="utf-8")
    return files


def test_findings_come_with_file_and_line_and_end_with_one(draft: list[Path]) -> None:
    code, said = checked(*draft)
    assert code == 1
    assert f"{draft[1]}:3: differs: late: year: “2021”, the record has “2017”" in said
    assert f"{draft[0]}:3: undefined_key: No bibliography given has the key nowhere." in said
    assert f"{draft[0]}:3: near_miss: “All work and no joy makes a long paper”: Not word for word" in said
    assert "commented" not in said
    assert "no play makes" not in said.split("the text has")[0]
    assert "3 to look at." in said


def test_json_and_the_kinds_that_fail_are_chosen(draft: list[Path]) -> None:
    code, said = checked("--json", "--fail-on", "retracted", *draft)
    assert code == 0
    assert {item["kind"] for item in json.loads(said)["findings"]} == {"differs", "undefined_key", "near_miss"}


def test_pandoc_citations_are_read(tmp_path: Path, draft: list[Path]) -> None:
    note = tmp_path / "note.md"
    note.write_text("They say “All work and all play makes a long paper” [@lstm, p. 3], see [@gone; @late].\n")
    _, said = checked(note, draft[1])
    assert "near_miss" in said
    assert "the key gone" in said
    assert "the key late" not in said


def test_a_file_of_another_kind_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"only \.bib"):
        checked(tmp_path / "draft.odt")


def test_sarif_has_a_rule_a_level_and_a_line_for_each_finding(draft: list[Path]) -> None:
    code, said = checked("--sarif", "--fail-on", "near_miss", *draft)
    assert code == 1
    (run,) = json.loads(said)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    results = {result["ruleId"]: result for result in run["results"]}
    assert {kind: result["level"] for kind, result in results.items()} == {
        "differs": "note",
        "undefined_key": "note",
        "near_miss": "error",
    }
    assert all(rules[result["ruleIndex"]] == kind for kind, result in results.items())
    location = results["differs"]["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": draft[1].as_uri()}, "region": {"startLine": 3}}


def test_the_bibliography_that_a_draft_names_is_taken_if_none_is_given(draft: list[Path]) -> None:
    draft[0].write_text(TEX + "\\bibliography{refs}\n", encoding="utf-8")
    assert checked(draft[0]) == checked(*draft)


def test_a_kind_that_does_not_exist_is_refused(draft: list[Path]) -> None:
    with pytest.raises(CommandError, match="no finding is called typo"):
        checked("--fail-on", "typo", *draft)
