"""What references in other papers add to a paper that is known by its PDF alone."""

import pytest

from ingest.entries.entry import PaperEntry, Trust
from ingest.matching.references import said_in_references

TITLE = "The movement of sand in shallow rivers"
OTHER = "Another title of five words at least"


def paper(title: str = TITLE, authors: tuple[str, ...] = (), date: str = "") -> PaperEntry:
    return PaperEntry(title=title, trust=Trust.PDF, authors=authors, date=date)


@pytest.mark.parametrize(
    ("own", "references", "authors", "date", "venue"),
    [
        # The year and the journal of one whose author is known.
        (
            paper(authors=("Ada Fluvius",)),
            [f"A. Fluvius and B. Coe. {TITLE}. Journal of Deltas, 4(2):1-9, 1998."],
            (),
            "1998",
            "Journal of Deltas",
        ),
        # The authors of one whose year is known, in either form.
        (paper(date="1998"), [f"A. Fluvius and B. Coe. {TITLE}. 1998."], ("A. Fluvius", "B. Coe"), "", ""),
        (paper(date="1998"), [f"Fluvius, A., & Coe, B. (1998). {TITLE}."], ("A. Fluvius", "B. Coe"), "", ""),
        # Nothing where neither is known, the list is cut, references differ, or name another title or year.
        (paper(), [f"A. Fluvius. {TITLE}. 1998."], (), "", ""),
        (paper(date="1998"), [f"A. Fluvius et al. {TITLE}. 1998."], (), "", ""),
        (paper(authors=("Ada Fluvius",)), [f"A. Fluvius. {TITLE}. {year}." for year in (1998, 1999)], (), "", ""),
        (paper(date="1998"), [f"A. Fluvius. {OTHER}. 1998."], (), "", ""),
        (paper(date="1998"), [f"A. Fluvius. {TITLE}. 2006."], (), "", ""),
        (paper(date="1998"), [f"A. Fluvius. {TITLE} and beyond. 1998."], (), "", ""),
        # What its own files say stays.
        (paper(authors=("Ada Fluvius",), date="1998"), [f"A. Fluvius and B. Coe. {TITLE}. 1998."], (), "", ""),
    ],
)
def test_references_fill_what_is_missing_where_they_are_sure(
    own: PaperEntry, references: list[str], authors: tuple[str, ...], date: str, venue: str
) -> None:
    said = said_in_references([own], references)
    assert ((said.authors, said.date, said.venue) if said else ((), "", "")) == (authors, date, venue)
