"""English words that say nothing about what a paper is about."""

STOP_WORDS = frozenset(
    """
    a about above across after again against all almost along already also although always am among an
    and another any anyone anything are around as at be became because been before being below between
    both but by can cannot could did do does doing done down due during each either else etc even ever
    every few for from further get give given had has have having he hence her here hers him his how
    however i if in into is it its itself just let many may me might more most much must my near neither
    no nor not of off often on once one only onto or other others our out over own per perhaps quite
    rather same she should since so some such than that the their them then there therefore these they
    this those through thus to together too toward towards under until up upon us very via was we were
    what when where whether which while who whom whose why will with within without would yet you your
    """.split()  # noqa: SIM905 - a list of 190 quoted words would be harder to read
)
