"""Which kinds of paper a text asks for: surveys, datasets, theses, shared tasks, tools."""

import re

from paper_search.models import PaperTag

_NOUNS = {
    PaperTag.review: r"(?:literature |systematic )?(?:surveys?|reviews?|overviews?)(?: papers?| articles?)?",
    PaperTag.dataset: r"data ?sets?|corpus|corpora|benchmarks?|treebanks?|test (?:sets?|collections?)",
    PaperTag.thesis: r"(?:phd |doctoral |master'?s? )?(?:thesis|theses|dissertations?)",
    PaperTag.tutorial: r"tutorials?",
    PaperTag.shared_task: r"shared tasks?(?: papers| overviews)?",
    PaperTag.position: r"(?:critical/)?(?:position|opinion) papers?",
    PaperTag.replication: r"(?:replication|reproduction|reproducibility) (?:stud(?:y|ies)|papers?)|replications",
    PaperTag.tool: r"(?:open[- ]source )?(?:tools|toolkits?|software)",
    PaperTag.empirical: r"(?:empirical |experimental )(?:stud(?:y|ies)|papers?)|comparisons?|comparing",
    PaperTag.theoretical: r"(?:theory|theoretical)(?: papers?| work| results)?",
}
# Words that ask for papers, before what they are about.
REQUEST = (
    r"^(?:(?:please|could|can|would|you|i|i'd|i'm|we|we'd|we're|am|find|show|give|list|get|search|look|looking|recommend"
    r"|suggest|know|want|need|like|mostly|me|us|for|to|see|read|any|some|all|the|a|an|recent|latest|newest|good|new|other"
    r"|more|major|available|are|is|there|do|have|and|also|only|just) )*"
)
_OF = r"(?= (?:of|on|about|for|in|to|that|which|covering|from|with|over|by|since) |$)"
# The kind begins the thought and is said of something, is all of it, or is asked for by a word of its own.
_ASKED = {
    tag: re.compile(rf"{REQUEST}(?:{names})(?:{_OF}|(?: only| first| please)$)", re.I) for tag, names in _NOUNS.items()
}
# Two things are compared, or only experiments are wanted.
_EMPIRICAL = re.compile(r"^comparing .+ (?:and|with|to|versus|vs) |^only experiments$|^experiments only$", re.I)
_WHOLE = {tag: re.compile(names, re.I) for tag, names in _NOUNS.items()}


def read_kinds(thought: str) -> list[PaperTag]:
    """The kinds that one thought of a text asks for. `Theory` or `software` alone is a topic."""
    plain = thought.strip()
    if plain.lower() in ("theory", "software"):
        return []
    compared = [PaperTag.empirical] if _EMPIRICAL.search(plain) else []
    return list(dict.fromkeys((*compared, *(tag for tag, pattern in _ASKED.items() if pattern.search(plain)))))


def kind_named(phrase: str) -> PaperTag | None:
    """The kind that a whole phrase names, as in `surveys`."""
    return next((tag for tag, pattern in _WHOLE.items() if pattern.fullmatch(phrase.strip())), None)


def split_kind(thought: str) -> tuple[list[PaperTag], str]:
    """The kinds that a thought asks for, and what they shall be about; all of it where that is not plain."""
    plain, kinds = thought.strip(), read_kinds(thought)
    if kind := kind_named(plain):
        return [kind], ""
    if not kinds:
        return [], ""
    end = max((found.end() for tag in kinds if (found := _ASKED[tag].search(plain))), default=0)
    about = re.sub(
        r"^(?:(?:of|on|about|for|in|covering|over|comparing)(?: |$))|^(?:only|first|please)$", "", plain[end:].strip()
    )
    return kinds, "" if _EMPIRICAL.search(plain) and " " not in about else about
