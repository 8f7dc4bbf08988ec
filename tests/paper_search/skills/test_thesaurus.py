"""Synonyms from the keywords of a library."""

from paper_search.skills.thesaurus import Thesaurus

KEYWORDS = ["gnn", "graph neural network", "graph-neural-networks", "image segmentation", "support vector machine"]


def test_synonyms_come_from_the_librarys_keywords() -> None:
    thesaurus = Thesaurus(lambda: KEYWORDS)
    assert "gnn" in thesaurus.synonyms("graph neural networks")
    assert "support vector machine" in thesaurus.synonyms("SVM")
    assert thesaurus.synonyms("quantum gravity") == []
    assert Thesaurus(list).synonyms("graphs") == []
