"""A thesis chapter checked against the papers it cites: what agrees, what differs, what could be cited."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from ingest.drafts.reading import read_draft
from papers.drafts.checking import CheckedDraft, check_draft
from papers.drafts.claims import CheckedSentence
from papers.drafts.report import as_json, listed
from tests.papers.drafts import THESIS

pytestmark = pytest.mark.usefixtures("demo_served")


def checked_text(tmp_path: Path, text: str) -> CheckedDraft:
    """A note in Markdown with the thesis's bibliography."""
    path = tmp_path / "note.md"
    path.write_text(text, encoding="utf-8")
    bibliography = (THESIS / "refs.bib").read_text(encoding="utf-8")
    return check_draft({"note.md": read_draft(path)}, {"refs.bib": bibliography})


def checked_thesis() -> CheckedDraft:
    bibliography = (THESIS / "refs.bib").read_text(encoding="utf-8")
    return check_draft({"chapter.tex": read_draft(THESIS / "chapter.tex")}, {"refs.bib": bibliography})


def beginning(checked: CheckedDraft, words: str) -> CheckedSentence:
    return next(item for item in checked.sentences if item.sentence.text.startswith(words))


def marks(item: CheckedSentence) -> dict[str, list[str]]:
    """What is marked in the sentence and in its best evidence."""
    parts = [*item.parts, *item.evidence[0].parts]
    return {mark: [part.text for part in parts if part.mark == mark] for mark in ("agrees", "differs", "absent")}


def test_each_sentence_of_a_chapter_has_its_verdict() -> None:
    checked = checked_thesis()
    beginnings: dict[str, list[str]] = {verdict: [] for verdict in ("supported", "differs", "uncited", "not_found")}
    for item in checked.sentences:
        if item.verdict:
            beginnings[item.verdict].append(item.sentence.text.split()[0])
    assert beginnings["supported"] == ["Learning", "Self-attention", "Adam"]
    assert beginnings["differs"] == ["Tasks", "On", "Very"]
    assert beginnings["uncited"] == ["A"]
    assert {"Multiplicative", "The", "Earlier"} <= set(beginnings["not_found"])
    assert checked.sentences[-1].sentence.text.startswith("We train every model")
    others = {item.kind for item in checked.findings if not item.kind.startswith("claim_")}
    assert others == {"differs", "unknown_here", "undefined_key", "near_miss", "uncited"}
    quote = next(item for item in checked.findings if item.kind == "near_miss")
    assert quote.sentence is not None
    assert "averaging over positions sharpens" in checked.sentences[quote.sentence].sentence.text
    assert {item.file for item in checked.findings} == {"refs.bib", "chapter.tex", "parts/recurrent.tex"}


def test_what_agrees_and_what_differs_is_marked_in_both_texts() -> None:
    checked = checked_thesis()
    score = beginning(checked, "On WMT 2014")
    assert marks(score)["differs"] == ["29.4", "28.4"]
    assert any("41.8" in text for text in marks(score)["agrees"])
    assert marks(beginning(checked, "Very"))["differs"][0] == "not hard"
    for item in checked.sentences:
        assert "".join(part.text for part in item.parts) == item.sentence.text


def test_an_uncited_sentence_names_the_paper_that_says_it_by_the_drafts_own_key(tmp_path: Path) -> None:
    said = "A recurrent network can in principle use its feedback connections to remember recent inputs as activations."
    (item,) = checked_text(tmp_path, said).sentences
    assert (item.verdict, item.evidence[0].key) == ("uncited", "hochreiter1997long")
    cited_beside = checked_text(tmp_path, f"{said} This is old [@hochreiter1997long].")
    assert cited_beside.sentences[0].verdict == ""


def test_without_a_bibliography_keys_are_the_librarys_or_undefined(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(
        "It reads [@vaswani2017attention]. So does this [@nowhere2020].", encoding="utf-8"
    )
    checked = check_draft({"note.md": read_draft(tmp_path / "note.md")}, {})
    undefined = [item.message for item in checked.findings if item.kind == "undefined_key"]
    assert undefined == ["No bibliography is given, and no paper here has the key nowhere2020."]
    assert checked.notes == ("note.md: no bibliography is given; 1 of 2 keys are the library's.",)


def test_a_key_in_a_table_is_asked_for_too(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("Words.\n\\nocite{nowhere}", encoding="utf-8")
    bibliography = {"refs.bib": (THESIS / "refs.bib").read_text(encoding="utf-8")}
    found = check_draft({"a.tex": read_draft(tmp_path / "a.tex")}, bibliography).findings
    assert [(item.place, item.message) for item in found if item.kind == "undefined_key"] == [
        (2, "No bibliography given has the key nowhere.")
    ]


def test_words_of_a_reading_edition_are_no_quotation(tmp_path: Path) -> None:
    text = '> "It trains faster because all positions are processed at once" [@vaswani2017attention]'
    kinds = [item.kind for item in checked_text(tmp_path, text).findings if item.sentence is not None]
    assert "not_authors_words" in kinds


@pytest.mark.parametrize(
    "text",
    [
        "We note that a recurrent network can in principle use its feedback connections to remember recent inputs.",
        "The rest is silence.",
        "# A 56-layer plain network ends with a higher training error than one of 20 layers",
    ],
)
def test_what_no_paper_says_and_what_speaks_of_itself_is_nobodys_claim(tmp_path: Path, text: str) -> None:
    assert [item.verdict for item in checked_text(tmp_path, text).sentences] == [""]


def test_a_passage_that_may_bear_on_an_uncited_sentence_is_offered_quietly(tmp_path: Path) -> None:
    said = "A recurrent network can in principle forget its feedback connections to remember recent inputs."
    checked = checked_text(tmp_path, said)
    (item,) = checked.sentences
    assert (item.verdict, item.evidence[0].key) == ("may_bear", "hochreiter1997long")
    assert "remember recent inputs" in item.evidence[0].sentence
    assert [finding.kind for finding in checked.findings if finding.sentence == 0] == ["may_bear"]
    assert not any(finding.sentence == 0 for finding in listed(checked))
    cited_beside = checked_text(tmp_path, f"{said} This is old [@hochreiter1997long].")
    assert cited_beside.sentences[0].verdict == ""


def test_a_finding_keeps_its_id_while_its_text_stays(tmp_path: Path) -> None:
    said = "A 56-layer plain network ends with a lower training error than one of 20 layers [@he2016deep]."
    first, moved = checked_text(tmp_path, said), checked_text(tmp_path, f"An opening.\n\n{said}")
    changed = checked_text(tmp_path, said.replace("training", "test"))
    ids = [{item.id for item in checked.findings if item.sentence is not None} for checked in (first, moved, changed)]
    assert ids[0] == ids[1] != ids[2]
    assert first.hash != moved.hash
    assert re.fullmatch(r"[0-9a-f]{16}", first.hash)
    entry = next(item for item in first.findings if item.kind == "differs")
    assert replace(entry, place=99).id == entry.id


def test_the_nearest_passage_is_shown_where_no_search_finds_any(tmp_path: Path) -> None:
    said = (
        "Observers of the literature nowadays regard recipes whose stepsize follows estimated gradient statistics, "
        "rather than handcrafted annealing programmes, as sensible beginnings in unknown territory [@kingma2015adam]."
    )
    (item,) = checked_text(tmp_path, said).sentences
    assert item.verdict == "not_found"
    assert "gradient" in item.evidence[0].sentence


def test_numbers_and_names_make_a_short_sentence_somebodys(tmp_path: Path) -> None:
    said = "Hundreds of such programs had been written at Google by 2004."
    assert [item.verdict for item in checked_text(tmp_path, said).sentences] == ["uncited"]


def test_a_sentence_with_a_command_that_nobody_knows_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_text("Adam is a gradient method for stochastic \\gls{obj} \\cite{kingma2015adam}.\n\\input{lost}")
    bibliography = {"refs.bib": (THESIS / "refs.bib").read_text(encoding="utf-8")}
    checked = check_draft({"a.tex": read_draft(path)}, bibliography)
    assert [item.verdict for item in checked.sentences] == ["not_found"]
    assert "cannot be compared" in checked.sentences[0].note
    assert checked.notes == ("a.tex: lost is not there, so it was not read.",)
    assert "lost is not there" in as_json(checked)
