"""Which parts of a line name persons: a name is taken where it can hardly be anything else."""

import re

from ingest.pdf.characters import PART, WIDE
from papercore.text import one_line, without_accents

_PARTICLE = r"(?:v[ao]n|der|den|de|del|della|di|da|das|dos|du|la|le|el|al|bin|ibn|ben|ter|ten|af|zu|zur|y|st\.?|san)"
# Repetitions are bounded: a line of a PDF can be anything, and as long as it likes.
_INITIAL = r"(?:[^\W\d_a-z]\.(?:[- ]?[^\W\d_a-z]\.){0,3}|[A-Z]{1,2}(?=\s))"
_WORD = r"[^\W\d_a-z][\w'’´`]{0,30}(?:[-‐–][^\W\d_][\w'’]{0,30}){0,3}"
_GIVEN = rf"(?:{_INITIAL}|{_WORD}\.?)"
_NICKNAME = r"(?:\([^\W\d_]{1,30}\)|[\"“][^\W\d_]{1,30}[\"”])"
_SUFFIX = r"(?:,?\s(?:Jr\.?|Sr\.?|II|III|IV))?"
_NAME = re.compile(
    rf"{_GIVEN}(?:\s(?:{_GIVEN}|{_NICKNAME})){{0,3}}(?:\s(?i:{_PARTICLE})){{0,2}}\s(?:[A-Zd]['’])?{_WORD}{_SUFFIX}"
)
_FAMILY_FIRST = re.compile(rf"(?:(?i:{_PARTICLE})\s){{0,3}}{_WORD}(?:\s{_WORD})?,\s?{_GIVEN}(?:\s{_GIVEN}){{0,2}}")
_BETWEEN = re.compile(rf"[,;·•&|/{PART}{WIDE}](?:\s?(?:and|und|et|y)\s)?|\s(?:and|und|et|And|with|WITH)\s|\bAND\b")
# What follows a dash is where they work.
_WORKPLACE = re.compile(r"\s[–—-]\s.*")
_LEAD = re.compile(
    rf"^\W*(?:\d(?:st\s|nd\s|rd\s|th\s|{PART}+))?(?:by\b|written by\b|authors?\s*:|von\b|par\b|and\b|AND\b)?\s*:?\s*",
    re.I,
)
_EMAIL = re.compile(r"[<({\[]?[\w.+-]{1,64}@[\w.-]{1,200}[>)}\]]?|\{[^}]{0,200}\}\S{0,100}")
_MARKS = re.compile(r"[\d*†‡§¶∗♯♮⋆⁎⁑?!#^+°|_~$%¹²³⁰-⁹\x80-\x9f]+|(?<=\s)[a-z](?=\s|$)|\b[a-z](?:,[a-z]){1,6}(?=\s|$)")
_TITLES = re.compile(
    r"^(?:dr|prof|professor|sir|ph\.?\s?d|m\.?\s?d|msc|bsc|m\.?a|b\.?a"
    r"|(?:senior |student |life |associate |graduate |charter ){0,3}(?:member|fellow)"
    r"|ieee|acm|jr|sr|esq|chair|editor)\.?$",
    re.I,
)
_STATES = frozenset(
    """
    alabama alaska argentina arizona arkansas australia austria belgium brazil california canada chile china
    colombia colorado connecticut delaware denmark finland florida france germany greece hawaii
    hungary iceland idaho illinois india indiana iowa italy japan kansas kentucky korea louisiana
    maine maryland massachusetts mexico michigan minnesota mississippi missouri montana nebraska netherlands nevada
    norway ohio oklahoma ontario oregon pennsylvania poland portugal quebec romania russia scotland singapore
    slovakia slovenia spain sweden switzerland taiwan tennessee texas turkey uk ukraine usa utah vermont
    wisconsin wyoming
    """.split()  # noqa: SIM905 - as above
)
# Words that are in no name: what institutions, places, addresses, documents and headings are called.
_NO_NAME = _STATES | frozenset(
    """
    abstract academia academy accepted accessed acknowledgements acknowledgments address adelaide advanced agency
    akademie algorithm alliance almaden america amherst amsterdam an analytics annual appendix apple april are as
    associates association at august authors autumn ave avenue award bangalore barcelona be beijing berkeley between
    bioinformatics blvd bologna boston boulevard box brussels building bureau cambridge campus center centre centro
    chicago citable citation citations city clinic cnrs college com commission committee communications community
    company computation computational computer computers computing conference consejo consortium consultants
    consulting contents copenhagen copyright corp corporate corporation council cs csic cv czech darmstadt data
    december departamento departement department dept design development dipartimento director division doctoral
    downloads draft drive dublin ecole edinburgh edition editor editors eindhoven electrical electronics email
    engineering enterprise enterprises entertainment epfl escola escuela eth europe extended fachhochschule facility
    facolta facultad faculte faculties faculty fakultat february figure floor for foundation fraunhofer from fund
    glasgow gmbh google government graduate group haifa helsinki hewlett highway hochschule hogskola hogskolan
    holdings hospital how ibm imagineering imperial in inc industries industry informatics information informatique
    inria institut institute institutet institution instituto instituut intel international internet into
    introduction is istituto its january jersey journal july june kaist kernel keywords kyoto lab laboratoire
    laboratories laboratorium laboratory labs language languages learning lecture lehrstuhl link links llc ltd
    machine madrid magazine management manuscript mathematics mellon memo memorandum memorial metrics microsoft
    microsystems ministry mit monday montreal moscow munich museum national naval network networks normale not notes
    november number october of office on or oracle organisation organization our oxford pages paper partners
    partnership physics pittsburgh politecnica politecnico polytechnic polytechnique position preface preprint press
    princeton proceedings product program programming project publication publications published publisher
    publishing queensland reads received references report research reserved review revised rights road rutgers
    samsung saturday school schools science sciences scientific seattle section semiconductor semiconductors seminar
    senior september server service services shanghai showcase site society software solutions sports square states
    statistics stockholm stony street studies studio study submission submitted suite summary sunday suny superieure
    support symposium sysadmin system systems table team technical technion technische technological technologies
    technology tekniska telecom telecommunications terms that the their theoretical theory these thesis this
    thursday to today tokyo toronto toward towards track tracks transactions trust tuesday uc ucla under unit united
    universidad universidade universita universitat universite universiteit university uppsala using vancouver
    ventures version via vienna vol volume warehouse was waterloo we web website wednesday what when where which who
    why wikipedia with without working workshop wuhan xerox yahoo you your zurich
    """.split()  # noqa: SIM905 - a list of three hundred quoted words would be harder to read
)
_ABBREVIATED = re.compile(r"[A-Z]{3,}(?:\s[A-Z][a-z][\w-]{0,30}){2,3}$")
_ADDRESS = re.compile(
    r"^\d+[a-z]?\s|\d{4,}|\b[A-Z]{2}\s+\d{3,}|\bP\.?\s?O\.?\s?Box|https?:|www\.|\bTel\b|\bFax\b|\(\d", re.I
)


def persons_in(line: str) -> list[str]:
    """The persons whom a line names from its beginning; none if it begins with anything else.

    A wide gap parts two names, or the words of one in a line that was stretched.
    """
    names = _persons_in(line)
    return names if names or WIDE not in line else _persons_in(line.replace(WIDE, " "))


def _persons_in(line: str) -> list[str]:
    text = _EMAIL.sub(PART, _LEAD.sub("", line.strip()))
    if _ADDRESS.search(text):
        return []
    text = _MARKS.sub(PART, _WORKPLACE.sub("", text))
    if ";" in text:
        turned = [one_line(part) for part in text.split(";") if one_line(part)]
        if all(_FAMILY_FIRST.fullmatch(part) and is_person(_turned(part)) for part in turned):
            return [_cased(_turned(part)) for part in turned]
    names: list[str] = []
    for chunk in (one_line(chunk).strip(" .:’'\"()[]") for chunk in _BETWEEN.split(text)):
        if not chunk or _TITLES.match(chunk):
            continue
        chunk = re.sub(r"(?<=\b[A-Z]\.)(?=[^\W\d_]{2})", " ", chunk)
        several = _without_separator(chunk)
        if not several:
            break
        names += map(_cased, several)
    return names


def is_place(line: str) -> bool:
    """Whether the line is a town with its state or country."""
    town, comma, state = line.replace(WIDE, " ").partition(",")
    return bool(comma) and state.strip(". ").lower() in _STATES and len(town.split()) < 4


def is_person(name: str) -> bool:
    """Whether this can be a person's name in full, given names first."""
    words = [word.strip(".,").lower() for word in re.split(r"[\s-]+", without_accents(name))]
    # "A" without a dot is an article.
    if words[0] == "a" and not name.startswith("A."):
        return False
    # An abbreviation before a place is an institution: "CSU East Bay".
    if _ABBREVIATED.match(name):
        return False
    if len(words) > 7 or _NO_NAME.intersection(words) or not _NAME.fullmatch(name):
        return False
    family = re.sub(r",?\s(?:Jr|Sr|II|III|IV)\.?$", "", name).split()[-1]
    # An abbreviation of capitals among written names is an institution: "Jon INRIA".
    is_capitals = family.isupper() and not all(word.isupper() for word in name.split() if len(word.strip(".")) > 2)
    return sum(map(str.isalpha, family)) > 1 and not (is_capitals and len(family) < 5)


def _without_separator(chunk: str) -> list[str]:
    """One name; or several of two words each that only blanks part."""
    words = chunk.split()
    plain = all(re.fullmatch(_WORD, word) and len(word) > 2 for word in words)
    if len(words) >= 6 and len(words) % 2 == 0 and plain:
        pairs = [" ".join(words[place : place + 2]) for place in range(0, len(words), 2)]
        return pairs if all(map(is_person, pairs)) else []
    return [chunk] if is_person(chunk) else []


def _turned(name: str) -> str:
    family, _, given = name.partition(",")
    return one_line(f"{given} {family}")


def _cased(name: str) -> str:
    """A name set in capitals as it is written: "J. R. SMITH" is J. R. Smith, "JJ Furman" stays."""
    words = name.split()
    if not any(word.isupper() and sum(map(str.isalpha, word)) > 2 for word in words):
        return name
    shortest = 2 if name.isupper() else 3
    return " ".join(
        "-".join(part.capitalize() for part in word.split("-"))
        if word.isupper() and sum(map(str.isalpha, word)) >= (shortest if word is words[-1] else 3)
        else word
        for word in words
    )
