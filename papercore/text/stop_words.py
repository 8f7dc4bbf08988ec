"""Words that say nothing about what a text or a question is about."""

_FUNCTION_WORDS = frozenset(
    """
    a about after against all also although am among an and any are as at be because been before being
    between both but by can could did do does doing during each either for from further had has have having
    how however i if in into is it its itself may me might more most must my near no nor not of off on once
    only onto or other our out over own per same she should since so some such than that the their them then
    there these they this those through to too toward towards under until up upon us very via was we were
    what when where whether which while who whom whose why will with within without would you your
    """.split()  # noqa: SIM905 - a list of 124 quoted words would be harder to read
)
# Every index is built without them: a change needs a new version.
STOP_WORDS = _FUNCTION_WORDS | frozenset(
    """
    above across again almost along already always another anyone anything around became below cannot done
    down due else etc even ever every few get give given he hence her here hers him his just let many much
    neither often one others perhaps quite rather therefore thus together yet
    """.split()  # noqa: SIM905 - as above
)
# In a request for literature. Fewer: "few-shot" and "one-class" name what is asked for.
REQUEST_STOP_WORDS = _FUNCTION_WORDS | {"please", "shall", "use", "used", "using", "various"}
# In the name of a journal or a conference, of several languages, folded.
VENUE_STOP_WORDS = frozenset(
    "an and of the on in for to at und der die das des fur et de la le les du l d y e di del".split()  # noqa: SIM905
)
# In a requirement: words that every one has, and what is left of a word after an apostrophe.
REQUIREMENT_STOP_WORDS = STOP_WORDS | {"shall", "must", "should", "system", "given", "when", "then", "s", "t"}

# Words that ask for papers, but do not say what about. "research" or "methods" may be the topic of a library.
REQUEST_WORDS = frozenset(
    """
    anything article articles concerned concerning currently deal dealing deals describe described describes describing
    discuss discussed discusses discussing discussion discussions don find interest interested interesting know like
    list looking paper papers particularly please publication publications remember want written
    """.split()  # noqa: SIM905 - as above
)

# Function words of German, French and Spanish, folded, without those that are English words ("die", "son", "sin").
# An index holds them, but in a question they say nothing.
FOREIGN_FUNCTION_WORDS = frozenset(
    """
    auf aus bei beim dem der des das ein eine einem einen einer ich ihre ist lange mein meine meinen mit muss nach nicht
    oder sich sind und vom von wann warum was welche welcher welches werden wie wird zu zum zur fur
    au aux avec ce ces cette chez comment dans de des du elle en est et il la le les leur ou quand que qui quoi sa sans
    ses sont sous sur un une
    al como cuando del donde el las los mas para por se su sus una unas unos y
    """.split()  # noqa: SIM905 - as above
)
