"""How well texts match a question."""

from paper_search.skills.text_match import match_scores


def test_nothing_to_score_gives_no_scores() -> None:
    assert match_scores("graphs", []) == []
