"""Names of one venue, as styles and catalogues shorten them; and names that only resemble each other."""

import pytest

from papercore.bibliography.venues import same_venue

STATISTICS = "Journal of the Royal Statistical Society: Series B (Methodological)"
NAACL = (
    "Proceedings of the 2019 Conference of the North American Chapter of the Association for Computational Linguistics:"
    " Human Language Technologies, Volume 1 (Long and Short Papers)"
)


@pytest.mark.parametrize(
    ("venue", "other"),
    [
        ("J. Mach. Learn. Res.", "Journal of Machine Learning Research"),
        ("N Engl J Med", "The New England Journal of Medicine"),
        ("J. R. Stat. Soc. B", STATISTICS),
        ("JRSS-B", STATISTICS),
        ("JRSSB", STATISTICS),
        ("Jpn. J. Appl. Phys.", "Japanese Journal of Applied Physics"),
        ("J Natl Cancer Inst", "JNCI: Journal of the National Cancer Institute"),
        ("Science (New York, N.Y.)", "Science"),
        ("Proc Natl Acad Sci U S A", "Proceedings of the National Academy of Sciences"),
        ("Proc. NAACL-HLT", NAACL),
        ("Trans. ACL", "Transactions of the Association for Computational Linguistics"),
        ("EMNLP", "Empirical Methods in Natural Language Processing"),
        ("NeurIPS 2017", "Advances in Neural Information Processing Systems 30"),
        ("J. ACM", "Journal of the ACM"),
        ("Lecture Notes in Computer Science", "Computer Vision - ECCV 2014"),
    ],
)
def test_one_venue_has_many_names(venue: str, other: str) -> None:
    assert same_venue(venue, other)
    assert same_venue(other, venue)


@pytest.mark.parametrize(
    ("venue", "other"),
    [
        ("Owl Journal", "Journal of Machine Learning Research"),
        ("Machine Learning", "Journal of Machine Learning Research"),
        ("Nature", "Nature Communications"),
        ("Nat Med", "Nature Methods"),
        ("N. Engl. J. Med.", "Nature Medicine"),
        ("J. Am. Stat. Assoc.", "Journal of the American Medical Association"),
        ("J. R. Stat. Soc. C", STATISTICS),
        ("Phys. Rev. B", "Physical Review Letters"),
        ("Journal of the ACM", "Neural Computation"),
    ],
)
def test_names_that_share_words_are_of_different_venues(venue: str, other: str) -> None:
    assert not same_venue(venue, other)
    assert not same_venue(other, venue)


def test_of_a_name_without_end_the_beginning_is_compared() -> None:
    assert same_venue("Acta " * 100_000, "Acta " * 100_000)
