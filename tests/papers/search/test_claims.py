"""Claims checked against papers, as tool and over REST."""

import pytest
from django.test import Client

from papercore import limits
from papercore.errors import InvalidInput
from papers import tools
from papers.search.claims import ClaimToCheck, row_sentences


def claim_of(paper_id: str) -> str:
    """A sentence that a paper has."""
    (hit, *_) = tools.search_passages("how do heads attend to positions?", paper_ids=(paper_id,)).passages
    return hit.quote.split(". ")[0].rstrip(".") + "."


def test_a_sentence_of_the_cited_paper_is_supported_with_its_bibtex() -> None:
    checked = tools.check_claims((ClaimToCheck(claim=claim_of("123"), cited=("123",)),))
    (claim,) = checked.claims
    assert claim.verdict == "supported"
    assert claim.passages[0].address.startswith("123/")
    assert checked.bibtex.startswith("@")


def test_what_no_text_says_is_not_found_and_not_called_false() -> None:
    (claim,) = tools.check_claims(("Owls hibernate in submarines.",), cited=("123",)).claims  # type: ignore[arg-type]
    assert (claim.verdict, claim.note) == ("not_found", "Not found in the text we have.")


def test_a_paper_without_text_or_that_is_not_here_is_said() -> None:
    asked = (
        ClaimToCheck(claim="Owls sleep.", cited=("undated",)),
        ClaimToCheck(claim="Owls sleep.", cited=("no-such",)),
    )
    checked = tools.check_claims(asked)
    assert [item.verdict for item in checked.claims] == ["no_text", "no_text"]
    assert all(item.note for item in checked.claims)


def test_signs_of_the_query_language_are_punctuation() -> None:
    (claim,) = tools.check_claims((ClaimToCheck(claim='NOT "attention": (heads) -positions venue:x'),)).claims
    assert claim.verdict == "not_found"


def test_ten_claims_are_answered_within_6000_characters() -> None:
    asked = tuple(ClaimToCheck(claim=claim_of("123")) for _ in range(limits.CLAIMS))
    checked = tools.check_claims(asked)
    assert len(checked.model_dump_json()) <= limits.CLAIMS_ANSWER_CHARS
    assert checked == tools.check_claims(asked)


def test_more_claims_are_refused() -> None:
    with pytest.raises(InvalidInput):
        tools.check_claims((ClaimToCheck(claim="Owls sleep."),) * (limits.CLAIMS + 1))


def test_it_answers_over_rest_to_sentences_and_refuses_unknown_keys(client: Client) -> None:
    def post(*claims: object) -> object:
        return client.post("/api/checked-claims", {"claims": claims}, content_type="application/json")

    answer = post("Owls hibernate in submarines.")
    assert answer.json()["claims"][0]["verdict"] == "not_found"  # type: ignore[attr-defined]
    assert post({"claim": "Owls sleep.", "paper": "123"}).status_code == 422  # type: ignore[attr-defined]
    problem = client.post("/api/checked-claims", {"claims": "a"}, content_type="application/json").json()
    assert problem["message"] == "claims: must be a list"


def test_a_table_is_read_row_by_row() -> None:
    assert row_sentences("Row: A · Loss: 5\nRow: D · Change: no label smoothing") == [
        "Row: A · Loss: 5",
        "Row: D · Change: no label smoothing",
    ]
