"""Words are taken apart where people would, and only what tells requirements apart is kept."""

import pytest

from specs.search.soft_match import words


def stems(text: str) -> list[str]:
    return [word.stem for word in words(text)]


def test_case_ending_and_noise_do_not_matter() -> None:
    assert stems("The system SHALL archive; Archiving archives") == ["archiv", "archiv", "archiv"]


def test_camel_case_counts_in_parts_and_whole() -> None:
    assert stems("ToolCommandAdapter") == ["tool", "command", "adapt", "toolcommandadapt"]


@pytest.mark.parametrize("text", ["scenario-count", "scenario.count", "Scenario/Count"])
def test_joined_words_are_split(text: str) -> None:
    assert stems(text) == ["scenario", "count"]


def test_an_identifier_with_underscores_counts_in_parts_and_whole() -> None:
    assert stems("_scenario_count") == ["scenario", "count", "scenario_count"]


def test_letters_and_digits_are_parts_of_one_name() -> None:
    assert stems("utf8") == ["utf", "8", "utf8"]


def test_cjk_becomes_pairs_and_ideographs_and_latin_in_between_stays_a_word() -> None:
    assert stems("导出BibTeX文件") == ["导出", "导", "出", "bib", "te", "x", "bibtex", "文件", "文", "件"]


def test_kana_count_in_pairs_alone() -> None:
    assert stems("借りる") == ["借り", "りる", "借"]


@pytest.mark.parametrize("character", ["猫", "ね"])
def test_a_single_cjk_character_is_a_word(character: str) -> None:
    assert stems(character) == [character]


def test_what_an_apostrophe_leaves_behind_is_no_word() -> None:
    assert stems("Google's clock isn't slow") == ["googl", "clock", "isn", "slow"]


def test_accents_and_other_scripts_stay_words() -> None:
    assert stems("Ernährung") == ["ernährung"]
    assert stems("память") == ["память"]
