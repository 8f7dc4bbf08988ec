"""Which papers follow from the entries of a ledger: those that a change may concern are computed anew, all others stay.

A paper of a library that was not built by its ledger is adopted when the first entry comes that may be about it.
"""

from collections.abc import Collection, Sequence
from itertools import product

from msgspec import Struct

from ingest.entries.entry import PaperEntry
from ingest.ledger.ledger import Ledger
from ingest.ledger.rows import EntryFiles, StoredEntry, Verdict
from ingest.matching.corrections import Corrections, record_of
from ingest.matching.facts import facts_of, is_stub
from ingest.matching.identity import Key, PaperIdentity, by_strength, keys_of, owned_keys, paper_id_of
from ingest.matching.records import Record
from ingest.matching.references import said_in_references
from ingest.matching.works import ADOPTED, Verdicts, Works, works_of
from ingest.publishing.stored_papers import StoredPapers

# A title that more papers of a library have (Preface, Editorial) tells nothing.
_COMMON_TITLE = 20


class PlannedPaper(Struct, frozen=True):
    """A paper as it is to be. `ids` are all that lead to it: its own, and those of papers that it took in.

    `removed_by` is the operation that removed it; `open` are files that may be its, or another's.
    """

    identity: PaperIdentity
    ids: tuple[str, ...]
    record: Record
    entries: tuple[StoredEntry, ...]
    corrections: Corrections
    removed_by: int | None
    matched_by: dict[int, str]
    # What other papers' references add to it.
    cited_as: PaperEntry | None = None

    @property
    def paper_id(self) -> str:
        return self.identity.paper_id


class Plan(Struct, frozen=True):
    """`gone` are ids under which there is no paper any more; `open` are files that fit several papers."""

    papers: list[PlannedPaper]
    gone: set[str]
    open: set[int]
    unattached: set[int]


class Planner:
    def __init__(self, ledger: Ledger, stored: StoredPapers) -> None:
        self._ledger = ledger
        self._stored = stored

    def plan(self, entries: Collection[int], paper_ids: Collection[str]) -> Plan:
        """The papers that these entries and ids are about, and all others that may be the same as one of them.

        Entries that share something are brought together, works are made of them, each work gets the ids that its
        entries founded, and each becomes a paper.
        """
        seen = self._connected(entries, paper_ids)
        live = self._ledger.read(self._ledger.live(seen))
        works = works_of({each.id: each.facts for each in live}, self._verdicts({each.id for each in live}))
        by_id = {each.id: each for each in live}
        members = {number: [by_id[entry] for entry in sorted(found)] for number, found in enumerate(works.members)}
        untitled = [
            number
            for number, found in members.items()
            if not any(each.facts.title or not each.facts.is_file for each in found)
        ]
        unattached = {each.id for number in untitled for each in members.pop(number)}
        ids, gone = self._ids(members, seen)
        papers = self._papers(members, ids, gone, works)
        kept = {paper.paper_id for paper in papers}
        gone = {paper_id for found in ids.values() for paper_id in found} | gone | set(paper_ids)
        return Plan(papers, gone - kept, works.open, unattached)

    def adopt(self, paper_id: str) -> None:
        """Let entries join a paper of the library as it is."""
        if self._ledger.founder_of(paper_id) is not None:
            return
        paper = self._stored.read(paper_id)
        if paper is None:
            return
        body = paper.entry.model_dump_json(exclude_defaults=True)
        facts = facts_of(paper.entry, keys_of(paper.entry)[-1].text, ADOPTED, f"{paper_id} {body}")
        files = EntryFiles(
            pdf=paper.files.pdf or "",
            source=paper.files.source.sha256 if paper.files.source else "",
            is_markdown=paper.files.has_markdown,
            translations={lang: text.sha256 for lang, text in paper.files.translations.items()},
            images=paper.files.images,
        )
        entry = self._ledger.add_entry(body, facts, files)
        self._ledger.add_source(0, f"{ADOPTED}#{paper_id}", entry)
        self._ledger.found(paper_id, entry, paper.keys)
        self._ledger.assign([entry], paper_id)

    def _connected(self, entries: Collection[int], paper_ids: Collection[str]) -> set[int]:
        """These entries and all that share something with them, one after the other."""
        for paper_id in paper_ids:
            self.adopt(paper_id)
        seen = set[int]()
        new = {*entries, *self._ledger.entries_of(paper_ids)}
        new |= self._ledger.cited_by(new)
        while new:
            seen |= new
            found = self._ledger.read(new)
            keys, names = set[str](), set[str]()
            for each in found:
                keys.update(each.facts.shared_with())
                names.update(each.facts.names if each.facts.is_file else ())
            keys.update(f"title:{name}" for name in names)
            for paper_id in self._in_library(keys, names):
                self.adopt(paper_id)
            reached = self._ledger.with_keys(keys) | self._ledger.entries_of({each.paper_id for each in found} - {""})
            for one, other, _ in self._ledger.verdicts_about(new):
                reached |= {one, other}
            new = (reached | self._ledger.of_same_sources(new | reached)) - seen
        return seen

    def _in_library(self, keys: Collection[str], names: Collection[str]) -> list[str]:
        found = self._stored.with_keys(keys)
        for title in (key.removeprefix("title:") for key in keys if key.startswith("title:")):
            titled = self._stored.with_title(title)
            found += titled if len(titled) <= _COMMON_TITLE else []
        return [*found, *self._stored.named(sorted(names))]

    def _verdicts(self, entries: Collection[int]) -> Verdicts:
        """The last word about each pair counts, for what took the place of an entry as for itself."""
        said = self._ledger.verdicts_about(self._ledger.of_same_sources(entries) | set(entries))
        now = self._ledger.successors({entry for one, other, _ in said for entry in (one, other)})
        last: dict[tuple[int, int], Verdict] = {}
        for one, other, verdict in said:
            for pair in product(now.get(one, ()), now.get(other, ())):
                last[min(pair), max(pair)] = verdict
        pairs: dict[Verdict, list[tuple[int, int]]] = {"same": [], "merged": [], "apart": []}
        for pair in sorted(last):
            if pair[0] in entries and pair[1] in entries:
                pairs[last[pair]].append(pair)
        return Verdicts(pairs["same"], pairs["merged"], pairs["apart"])

    def _ids(
        self, members: dict[int, list[StoredEntry]], seen: Collection[int]
    ) -> tuple[dict[int, list[str]], set[str]]:
        """The ids of each work, the oldest first: those that its entries founded. And ids whose works are gone."""
        work_of = {each.id: number for number, entries in members.items() for each in entries}
        ids: dict[int, list[str]] = {number: [] for number in members}
        gone = set[str]()
        founded = self._ledger.founded_by(seen)
        successors = self._ledger.successors([founder for _, founder in founded])
        for paper_id, founder in founded:
            candidates = [
                founder,
                *sorted(successors.get(founder, ())),
                *(each.id for entries in members.values() for each in entries if each.paper_id == paper_id),
            ]
            bearer = next((entry for entry in candidates if entry in work_of), None)
            if bearer is None:
                gone.add(paper_id)
            else:
                ids[work_of[bearer]].append(paper_id)
        return ids, gone

    def _papers(
        self, members: dict[int, list[StoredEntry]], ids: dict[int, list[str]], gone: set[str], works: Works
    ) -> list[PlannedPaper]:
        """Each work as the paper that it is to be. Of a key that several works claim, one becomes the owner."""
        parsed = {number: [each.entry for each in entries] for number, entries in members.items()}
        owned, disowned = owned_keys({number: _keys(entries) for number, entries in parsed.items()})
        everybodys = {key.text for found in owned.values() for key in found}
        papers = []
        for number, entries in members.items():
            own = by_strength(owned[number])
            paper_ids = ids[number]
            if not paper_ids:
                paper_ids = [self._new_id(own, gone)]
                self._ledger.found(paper_ids[0], min(each.id for each in entries))
            self._ledger.assign([each.id for each in entries], paper_ids[0])
            kept = [key for key in self._ledger.adopted_keys(paper_ids) if key.text not in everybodys]
            corrections = self._ledger.corrections_of(paper_ids)
            cited_as = entry_in_references(self._ledger, entries)
            said = [*parsed[number], *([cited_as] if cited_as else [])]
            planned = PlannedPaper(
                identity=PaperIdentity(paper_ids[0], own[0], (*own, *kept)),
                ids=tuple(paper_ids),
                record=record_of(said, disowned.get(number, frozenset()), corrections),
                entries=tuple(entries),
                corrections=corrections,
                removed_by=self._ledger.removal_of(paper_ids),
                matched_by={each.id: works.links[each.id] for each in entries if each.id in works.links},
                cited_as=cited_as,
            )
            papers.append(planned)
        return papers

    def _new_id(self, keys: Sequence[Key], gone: set[str]) -> str:
        """Made from the strongest key whose id no other paper has; one whose paper is gone leads to its successor."""
        for text in (*(key.text for key in keys), keys[-1].text + "|again"):
            paper_id = paper_id_of(text)
            if paper_id in gone or not (self._ledger.founder_of(paper_id) or self._stored.has(paper_id)):
                gone.discard(paper_id)
                return paper_id
        return paper_id_of(f"{keys[-1].text}|{len(keys)}|again")


def entry_in_references(ledger: Ledger, entries: Sequence[StoredEntry]) -> PaperEntry | None:
    """What other papers' references add to one that is known by its files alone."""
    if not all(each.facts.is_file for each in entries):
        return None
    own, titles = {each.id for each in entries}, sorted({each.facts.title for each in entries} - {""})
    texts = [body for title in titles for entry, body in ledger.references_to(title) if entry not in own]
    return said_in_references([each.entry for each in entries], texts) if texts else None


def _keys(entries: Sequence[PaperEntry]) -> list[list[Key]]:
    """Of each entry that has any. What files say of themselves is a key only where no other entry describes the paper,
    and what stubs say only where nothing does."""
    vagueness = [2 if is_stub(entry.title) else 1 if entry.file_pages else 0 for entry in entries]
    keys = [
        [key for key in keys_of(entry) if key.type != "meta" or vague == min(vagueness)]
        for entry, vague in zip(entries, vagueness, strict=True)
    ]
    return [found for found in keys if found]
