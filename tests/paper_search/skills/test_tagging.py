"""What kind of paper it is."""

from paper_search.models import (
    PaperTag,
)
from paper_search.skills.tagging import tags


def test_tags_say_what_kind_of_paper_it_is() -> None:
    assert tags("A survey of graphs", None) == [PaperTag.review]
    assert tags("Bounds on graphs", "We prove a theorem.") == [PaperTag.theoretical]
    assert tags("GraphBench", "A new dataset. Experiments show much.") == [PaperTag.dataset, PaperTag.empirical]
    assert tags("Graphs", "") == [PaperTag.method]
