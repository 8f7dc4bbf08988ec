"""200 references with known answers: a library of made-up papers, cited in ten styles, and traps beside them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True)
class SamplePaper:
    title: str
    authors: tuple[tuple[str, str], ...]  # given names and surname
    year: int
    venue: str
    doi: str = ""
    arxiv: str = ""


@dataclass(frozen=True)
class SampleReference:
    """`answer` is the title of the paper that it cites; None for what cites nothing here."""

    text: str
    answer: str | None
    kind: str


TITLES = """\
Tides in narrow channels
The weight of small birds
Bridges, ferries, and the growth of river towns
Do bees count? Evidence from forty hives
Learning to sort mail without addresses
Pre-training lighthouse keepers for stormy nights
On the convergence of lazy gardeners
A short history of long ladders
Robust estimation of fog density from foghorn echoes
Deep wells: a method for stochastic digging
Slow queues
Graphs of friendly villages
Counting stars with broken telescopes
Über die Bewegung kleiner Mühlen
Salt marshes as memory: sediment records of storms since 1850
Why windmills stop: a field study
Self-supervised parsing of knitting patterns
Measuring kindness at scale
The acoustics of empty swimming pools
Fairness in the allocation of umbrellas
Maps that forget
Two-sided markets for second-hand kites
Error-correcting codes for carrier pigeons
La forme des nuages au-dessus des villes
Optimal placement of benches in public parks
An unsolvable problem of elementary clock theory
Hedgehogs crossing: traffic, light and season
Attention to detail is all you need
Neural decoding of whispered recipes
Sampling rivers by drone
Fast approximate matching of lost gloves
Consensus among unreliable choirs
Variation in the speed of glaciers under warm rain
Zero-knowledge proofs of having slept
Random walks home
Sparse representations of dense forests
Comparing maps drawn from memory by children and adults
How long is a coast of gravel
A theory of loose ends
The part-time orchestra
Bayesian models of bakery demand
Detection of forged postage stamps by spectral imaging
The economics of borrowed books
Ripple effects of closing village schools
Noise budgets for open-plan libraries
Causal inference from canal lock records
Photographic evidence for migrating dunes
Reinforcement learning for sheepdogs
Energy use of tower clocks in three cities
Ice cores and old ledgers
Language change in railway announcements
Scheduling of tides and trains
Small-world networks of market stalls
Compression of birdsong archives
Estimating crowd size from shadows
Stability of stacked chairs under load
Early warning of honey shortages
Privacy of handwritten shopping lists
Typography and the legibility of tide tables
机器翻译中的注意力机制研究"""
PEOPLE = """\
Ada Brenner|Jonas Okafor|Mei Lindqvist|Tomás Herrera|Priya van der Veen|Łukasz Nowak|Sofia Marchetti|Henrik Aalto\
|Grace O'Dell|Yuki Tanabe|Emeka Adeyemi|Clara Fitzgerald-Ruiz|Ivo Petrov|Nadia Benali|Karl Müller|Lin Zhao"""
VENUES = (
    "Journal of Coastal Studies",
    "Annals of Applied Curiosity",
    "Proceedings of the Workshop on Odd Data",
    "Nature",
)


def library(random: Random) -> list[SamplePaper]:
    people = [(name.rpartition(" ")[0], name.rpartition(" ")[2]) for name in PEOPLE.split("|")]
    papers = []
    for number, title in enumerate(TITLES.splitlines()):
        authors = tuple(random.sample(people, random.choice((1, 2, 3, 3, 5))))
        paper = SamplePaper(title, authors, random.randint(1975, 2024), random.choice(VENUES))
        if number % 3 == 0:
            paper = replace(paper, doi=f"10.5555/sample.{number:04}")
        elif number % 3 == 1:
            paper = replace(paper, arxiv=f"{random.randint(1001, 2112)}.{random.randint(1000, 9999):05}")
        papers.append(paper)
    return papers


def references(papers: list[SamplePaper], random: Random) -> list[SampleReference]:
    """110 that cite a paper of the library and 90 that do not, mixed."""
    cited = [random.choice(papers) for _ in range(110)]
    right = [SampleReference(_style(n)(paper, random), paper.title, "cites") for n, paper in enumerate(cited)]
    long_titles = [paper for paper in papers if paper.title.isascii()]
    wrong = [
        SampleReference(make(random.choice(long_titles), random, number), None, name)
        for number in range(9)
        for name, make in TRAPS.items()
    ]
    mixed = [*right, *wrong]
    random.shuffle(mixed)
    return mixed


Style = Callable[[SamplePaper, Random], str]


def _initials(given: str, dot: str = ".") -> str:
    return "".join(f"{name[0]}{dot}" for name in given.split())


def _volume(random: Random) -> str:
    return str(random.randint(1, 60))


def _pages(random: Random) -> str:
    first = random.randint(1, 2200)
    return f"{first}–{first + random.randint(4, 30)}"


def _apa(paper: SamplePaper, random: Random) -> str:
    names = ", ".join(f"{family}, {_initials(given)}" for given, family in paper.authors)
    link = f" https://doi.org/{paper.doi}" if paper.doi and random.random() < 0.5 else ""
    stop = "" if paper.title.endswith("?") else "."
    place = f"*{paper.venue}*, {_volume(random)}(2), {_pages(random)}"
    return f"{names} ({paper.year}). {paper.title}{stop} {place}.{link}"


def _ieee(paper: SamplePaper, random: Random) -> str:
    names = " and ".join(f"{_initials(given)} {family}" for given, family in paper.authors)
    return f"{names}, “{paper.title},” {paper.venue}, vol. {_volume(random)}, pp. {_pages(random)}, {paper.year}."


def _vancouver(paper: SamplePaper, random: Random) -> str:
    names = ", ".join(f"{family} {_initials(given, '')}" for given, family in paper.authors)
    return f"{names}. {paper.title}. {paper.venue}. {paper.year};{_volume(random)}(3):{_pages(random)}."


def _acl(paper: SamplePaper, random: Random) -> str:
    *most, last = [f"{given} {family}" for given, family in paper.authors]
    names = f"{', '.join(most)}, and {last}" if most else last
    return f"{names}. {paper.year}. {paper.title}. In {paper.venue}, pages {_pages(random)}."


def _nature(paper: SamplePaper, random: Random) -> str:
    given, family = paper.authors[0]
    place = f"{paper.venue} {_volume(random)}, {_pages(random)} ({paper.year})"
    return f"{family}, {_initials(given)} et al. {paper.title}. {place}."


def _springer(paper: SamplePaper, random: Random) -> str:
    names = ", ".join(f"{family}, {_initials(given)}" for given, family in paper.authors)
    place = f"{paper.venue} {_volume(random)}({random.randint(1, 6)}), {_pages(random)} ({paper.year})"
    return f"{names}: {paper.title}. {place}"


def _preprint(paper: SamplePaper, random: Random) -> str:
    names = ", ".join(f"{given} {family}" for given, family in paper.authors)
    number = f" arXiv:{paper.arxiv}v2" if paper.arxiv else ""
    return f"{names}. {paper.title}. arXiv preprint{number}, {paper.year}."


def _chicago(paper: SamplePaper, random: Random) -> str:
    given, family = paper.authors[0]
    others = "".join(f", {name} {surname}" for name, surname in paper.authors[1:])
    place = f"{paper.venue} {_volume(random)} ({paper.year}): {_pages(random)}"
    return f"{family}, {given}{others}. “{paper.title}.” {place}."


def _loud(paper: SamplePaper, random: Random) -> str:
    """Sentence case lost, a hyphen gone at a line's end."""
    names = ", ".join(f"{_initials(given)} {family}" for given, family in paper.authors)
    title = paper.title.title().replace("-", "")
    return f"{names}. {title}. {paper.venue}, {paper.year}."


def _bare(paper: SamplePaper, random: Random) -> str:
    given, family = paper.authors[0]
    if paper.doi:
        place = f"{paper.venue} {_volume(random)}, {random.randint(1, 900)} ({paper.year})"
        return f"{_initials(given)} {family}, {place}. doi:{paper.doi}"
    return _vancouver(paper, random)


STYLES: tuple[Style, ...] = (_apa, _ieee, _vancouver, _acl, _nature, _springer, _preprint, _chicago, _loud, _bare)


def _style(number: int) -> Style:
    return STYLES[number % len(STYLES)]


def _changed(paper: SamplePaper, title: str, random: Random, number: int) -> str:
    """In another style each time, without the identifiers of the paper it resembles."""
    return STYLES[number % 9](replace(paper, title=title, doi="", arxiv=""), random)


def _other_authors(paper: SamplePaper, random: Random, number: int) -> str:
    return _changed(replace(paper, authors=(("Otto", "Quill"), ("Vera", "Stamm"))), paper.title, random, number)


def _other_year(paper: SamplePaper, random: Random, number: int) -> str:
    return _changed(replace(paper, year=paper.year - 6), paper.title, random, number)


def _in_a_book(paper: SamplePaper, random: Random, number: int) -> str:
    given, family = paper.authors[0]
    book = f"In: {paper.title}, pp. 3–{number + 9}. Harbour Press ({paper.year})"
    return f"{family}, {_initials(given)}: A chapter on something else. {book}"


def _wrong_doi(paper: SamplePaper, random: Random, number: int) -> str:
    doi = paper.doi or "10.5555/sample.0000"
    title = "The colour of rust on forty garden gates and their hinges"
    return f"Quill O, Stamm V. {title}. Nature. {paper.year};4:1–{number + 3}. doi:{doi}"


def _one_word_changed(paper: SamplePaper, random: Random, number: int) -> str:
    words = paper.title.split()
    words[-1] = "turnips"
    return _changed(paper, " ".join(words), random, number)


TRAPS: dict[str, Callable[[SamplePaper, Random, int], str]] = {
    "subtitle": lambda p, r, n: _changed(p, f"{p.title.rstrip('?')}: lessons from the north", r, n),
    "longer title": lambda p, r, n: _changed(p, f"Towards {p.title[0].lower()}{p.title[1:]}", r, n),
    "title goes on": lambda p, r, n: _changed(p, f"{p.title.rstrip('?')} and what became of them", r, n),
    "second part": lambda p, r, n: _changed(p, f"{p.title.rstrip('?')}. Part II", r, n),
    "comment": lambda p, r, n: _changed(p, f"Comment on “{p.title.rstrip('?')}”", r, n),
    "other authors": _other_authors,
    "other year": _other_year,
    "in a book": _in_a_book,
    "wrong DOI": _wrong_doi,
    "one word": _one_word_changed,
}


def texts(items: list[SampleReference]) -> Iterator[str]:
    """Papers with ten references each, listed in the ways that papers list them."""
    for start in range(0, len(items), 10):
        part = [item.text for item in items[start : start + 10]]
        number = start // 10
        listed = (
            "\n".join(f"{n}. {text}" for n, text in enumerate(part, 1)),
            "\n\n".join(f"[{n}] {text}" for n, text in enumerate(part, 1)),
            "\n".join(f"- {text}" for text in part),
            "\n\n".join(part),
            " ".join(f"[{n}] {text}" for n, text in enumerate(part, 1)),
        )[number % 5]
        yield f"# Text {number} of those that cite\n\nWords.\n\n## References\n\n{listed}\n"
