"""Every limit of the product, each with its reason."""

# Named by the requirement: a question longer than this is a document, not a query.
QUERY_CHARS = 500
# Named by the requirement: a page an agent or a person can take in.
PAGE_SIZE = 100
# Named by the requirement: deeper paging costs more than a narrower query.
OFFSET = 10_000
# Enough to choose from, small in an agent's context.
DEFAULT_PAGE_SIZE = 20
# Hosts cut tool results at about 25,000 tokens; this stays below.
TEXT_CHARS = 50_000
# Ids, keys, template and language names; longer ones exist in no snapshot.
ID_CHARS = 128
# A JSON-RPC body or form larger than this is a mistake or an attack.
BODY_BYTES = 1_000_000
# The largest text asset that is read into memory.
ASSET_BYTES = 20_000_000
# The largest spec file that is read; real ones stay below 200 KB.
SPEC_BYTES = 20_000_000
# A spec id may be a nested folder; no real one comes near.
SPEC_ID_CHARS = 300
# Names of requirements, scenarios and changes are headings or folders, not texts.
NAME_CHARS = 500
# An index of all specs stays readable when each purpose is at most this long.
PURPOSE_CHARS = 300
# A requirement's text in an overview of its spec; get_scenario gives it whole.
DESCRIPTION_CHARS = 2_000
# Results by meaning beyond these are noise.
SPEC_RESULTS = 50
# Right answers are nearly always among these.
DEFAULT_SPEC_RESULTS = 10
# How long one query on the snapshot may run.
QUERY_SECONDS = 1.0
# How long a remote asset store may take: with it, the whole call stays below two seconds.
ASSET_SECONDS = 1.5
# A search session that nobody touches for this long has been forgotten.
SESSION_IDLE_SECONDS = 30 * 60
# How long one call on a session may wait for its next checkpoint: below the 30 s that clients and proxies allow.
SESSION_WAIT_SECONDS = 25
# Searches under way at the same time on one site: each is a thread, and sources allow few requests a second.
RUNNING_SEARCHES = 20
# Papers in a basket: their ids must fit the 4 KB of a cookie.
BASKET_PAPERS = 100
# Markdown that is rendered as a page; a longer text is cut there and offered for download.
MARKDOWN_CHARS = 300_000
# A formula longer than this is shown as it was typed: converting 200,000 characters took 9 s.
FORMULA_CHARS = 2_000
# Deeper nesting than this is no argument of any tool; it only costs the reader.
JSON_DEPTH = 64
# More objects and lists than any call has; a megabyte of them costs seconds to read.
JSON_CONTAINERS = 20_000
# Longer integers fit no argument, and cost quadratic time to read.
JSON_INTEGER_DIGITS = 20
# How many messages one JSON-RPC batch may carry: one request, one bounded piece of work.
BATCH_MESSAGES = 20
# Papers on a page of resources/list: each has about three resources, and hosts read page after page.
RESOURCE_PAPERS = 50
# Formulas of one text that are converted; the rest of a longer text shows its TeX.
FORMULAS = 5_000
# Lines of an outline; what has more is no outline.
OUTLINE = 300
# Values of one facet that may be asked for at once; each costs a look into the index.
FILTERS = 20
# Summaries read once for the spelling of names where there is no index: a second's work; a larger library needs one.
SPELLING_PAPERS = 2_000
# Failed logins a minute from one address: nobody mistypes so often, and guessing gets nowhere.
LOGIN_FAILURES = 10
# Calls on search sessions a minute from one client: a busy agent makes a tenth of it.
SESSION_CALLS = 120
# Terms of a query that are looked for in the snapshot's own tables; a question has fewer.
QUERY_TERMS = 32
# How much of each text is looked through for a snippet: a page of hits must not wait for it.
SNIPPET_TEXT_CHARS = 20_000
# No tool takes more arguments; to list tens of thousands of wrong ones costs a second.
ARGUMENTS = 50
# Problems that one invalid_input names: who sends more wrong arguments has other trouble.
PROBLEMS = 10
