"""RIS entries are read one by one."""

from pathlib import Path

from papers.build.entry import LocatedEntry, Problem
from papers.build.readers.ris import read_ris

GOOD = """TY  - JOUR
TI  - Deep <i>Learning</i>
AU  - LeCun, Yann
AU  - Bengio, Yoshua
PY  - 2015/05/28
JO  - Nature
AB  - Layers of representation.
DO  - https://doi.org/10.1038/nature14539
KW  - deep learning
KW  - networks
UR  - https://arxiv.org/abs/1506.00001
ER  -
"""


def read(tmp_path: Path, text: str) -> list[LocatedEntry | Problem]:
    path = tmp_path / "library.ris"
    path.write_text(text, encoding="utf-8")
    return list(read_ris(path))


def test_an_entry_is_read_with_given_names_first(tmp_path: Path) -> None:
    (found,) = read(tmp_path, "\ufeff" + GOOD)
    assert isinstance(found, LocatedEntry)
    entry = found.entry
    assert entry.title == "Deep Learning"
    assert entry.authors == ("Yann LeCun", "Yoshua Bengio")
    assert (entry.date, entry.venue) == ("2015-05-28", "Nature")
    assert (entry.doi, entry.arxiv) == ("10.1038/nature14539", "1506.00001")
    assert entry.keywords == ("deep learning", "networks")
    assert entry.abstract == "Layers of representation."


def test_entries_without_end_or_title_are_reported_with_their_line(tmp_path: Path) -> None:
    found = read(tmp_path, "TY  - JOUR\nTI  - Unended\n" + GOOD + "\nTY  - JOUR\nPY  - 2001\nER  - \n")
    problems = [str(item).rpartition("/")[2] for item in found if isinstance(item, Problem)]
    assert problems == ["library.ris:1: no end of the entry (ER)", "library.ris:16: no title"]
    assert sum(isinstance(item, LocatedEntry) for item in found) == 1
