"""A query in other words: with the synonyms of its concepts in their place, for sources that take no operators."""

import re

from paper_search.models import SearchQuery

# Each is a request of its own.
MAX_WORDINGS = 3
# The weight of a match with a synonym: as good, but of two equal papers the one with the question's own words is first.
SYNONYM_WEIGHT = 0.97


def wordings(query: SearchQuery) -> list[str]:
    """The query's own words first; then with the first synonym of each concept, with the second, and so on."""
    text = " ".join(query.keywords)
    found = [text]
    # A boolean query written by hand names its synonyms itself.
    for number in range(0 if query.strict else MAX_WORDINGS - 1):
        wording = text
        for item in query.synonym_map:
            if number < len(item.synonyms):
                wording = _with_synonym(wording, item.keyword, item.synonyms[number])
        found.append(wording)
    return list(dict.fromkeys(found))


def _with_synonym(text: str, keyword: str, synonym: str) -> str:
    """The synonym takes the keyword's place; beside the text, where the keyword is not in it."""
    spaced = r"\s+".join(map(re.escape, keyword.split()))
    replaced, count = re.subn(rf"(?<!\w){spaced}(?!\w)", lambda _: synonym, text, flags=re.I) if spaced else (text, 0)
    return replaced if count else f"{text} {synonym}"
