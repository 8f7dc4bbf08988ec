"""RIS entries are read one by one."""

from pathlib import Path

import pytest

from ingest.entries.entry import LocatedEntry, PaperEntry, Problem
from ingest.reading.inputs import reader_of
from ingest.reading.ris import read_ris
from papercore.bibliography.fields import PersonName

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


def entry_of(tmp_path: Path, text: str) -> PaperEntry:
    (found,) = read(tmp_path, text)
    assert isinstance(found, LocatedEntry)
    return found.entry


WEB_OF_SCIENCE = """TY  - JOUR
AU  - Pérez Marc, Gonzalo
AU  - King, Martin Luther, Jr.
TI  - Trials &amp; Errors
T2  - LANCET
SN  - 0140-6736
DA  - APR
PY  - 2012
VL  - 379
IS  - 9823
SP  - 1393
EP  - 1402
KW  - Safety &amp; Efficacy
KW  - RNA; Vaccines
ER  -
"""


def test_a_month_without_year_does_not_hide_the_year(tmp_path: Path) -> None:
    assert entry_of(tmp_path, WEB_OF_SCIENCE).date == "2012-04"


def test_an_ampersand_does_not_split_a_keyword_and_case_stays(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, WEB_OF_SCIENCE)
    assert entry.keywords == ("Safety & Efficacy", "RNA", "Vaccines")
    assert entry.title == "Trials & Errors"


def test_family_names_of_two_words_and_suffixes_stay(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, WEB_OF_SCIENCE)
    assert entry.authors == ("Gonzalo Pérez Marc", "Martin Luther King Jr.")
    assert entry.publication is not None
    assert entry.publication.authors == (
        PersonName("Pérez Marc", "Gonzalo"),
        PersonName("King", "Martin Luther", "Jr."),
    )


@pytest.mark.parametrize("tag", ["JA", "J2", "JO", "JF", "T2"])
def test_the_journal_is_found_under_every_tag_that_programs_use(tmp_path: Path, tag: str) -> None:
    text = f"TY  - JOUR\nTI  - A Review\n{tag}  - Cochrane Database Syst Rev\nER  - \n"
    assert entry_of(tmp_path, text).venue == "Cochrane Database Syst Rev"


@pytest.mark.parametrize("name", ["et al.", "et al", "Et Al.", "and others"])
def test_et_al_is_no_author(tmp_path: Path, name: str) -> None:
    assert entry_of(tmp_path, f"TY  - JOUR\nTI  - T\nAU  - One, Ann\nAU  - {name}\nER  - \n").authors == ("Ann One",)


def test_one_space_before_the_dash_is_enough(tmp_path: Path) -> None:
    entry = entry_of(tmp_path, "TY - JOUR\nTI - Short\n and long\nAU - One, Ann\nPY - 2001\nER -\n")
    assert (entry.title, entry.authors, entry.date) == ("Short and long", ("Ann One",), "2001")


NBIB = """
PMID- 12345678
OWN - NLM
IS  - 0028-0836 (Print)
VI  - 42
IP  - 7
DP  - 2012 Apr 5
TI  - A trial of something with a long title that PubMed breaks over
      two lines.
PG  - 12-20
LID - 10.1000/trial.1 [doi]
AB  - First line
      and second.
FAU - Pérez Marc, Gonzalo
AU  - Pérez Marc G
CN  - The Trial Group
LA  - eng
JT  - The journal of trials
OT  - mRNA
MH  - *Vaccines/adverse effects

PMID- 12345679
TI  - Another.
AU  - Lovelace AK
DP  - 2013
"""


@pytest.mark.parametrize("name", ["pubmed.nbib", "pubmed.ris"])
def test_pubmed_files_are_read_whatever_their_ending(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NBIB, encoding="utf-8")
    reader = reader_of(tmp_path / name)
    assert reader is not None
    first, second = [item.entry for item in reader(tmp_path / name) if isinstance(item, LocatedEntry)]
    assert first.title == "A trial of something with a long title that PubMed breaks over two lines"
    assert first.authors == ("Gonzalo Pérez Marc", "The Trial Group")
    assert (first.date, first.venue, first.doi) == ("2012-04-05", "The journal of trials", "10.1000/trial.1")
    assert (first.abstract, first.keywords) == ("First line and second.", ("mRNA", "Vaccines"))
    assert first.publication is not None
    assert (first.publication.volume, first.publication.issue, first.publication.pages) == ("42", "7", "12-20")
    assert (second.title, second.authors) == ("Another", ("AK Lovelace",))
