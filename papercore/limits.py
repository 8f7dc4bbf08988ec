"""The limits that a caller can meet, each with its reason. Those that only the code knows are beside their use."""

# Queries and pages of results. The requirement names the first three.
# A question longer than this is a document, not a query.
QUERY_CHARS = 500
# A page that an agent or a person can take in.
PAGE_SIZE = 100
# Deeper paging costs more than a narrower query.
OFFSET = 10_000
# Enough to choose from, small in an agent's context.
DEFAULT_PAGE_SIZE = 20
# Values of one facet in a query; each costs a lookup in the index.
FILTERS = 20
# Publication years; four digits.
LAST_YEAR = 9999
# How long one query on the snapshot may run, and how long a new snapshot is read through before it is served.
QUERY_SECONDS = 1.0
# How long an update waits for another one in the same library; one of ten papers takes seconds.
UPDATE_WAIT_SECONDS = 60.0

# Texts and assets.
# Hosts cut tool results at about 25,000 tokens; this stays below.
TEXT_CHARS = 50_000
# Ids, keys, template and language names; no snapshot has longer ones.
ID_CHARS = 128
# What stands for a paper's id: a DOI or a citation key; real ones are far shorter.
PAPER_NAME_CHARS = 300
# The largest text asset that is read into memory.
ASSET_BYTES = 20_000_000
# PDFs whose text is read. More pages are a book or a hostile file; the first ones are kept.
PDF_PAGES = 1_000
# CPU time and memory for one PDF. A page takes about 50 ms; a file that needs more is hostile or broken.
PDF_SECONDS = 60
PDF_MEMORY_BYTES = 2_000_000_000
# The same for one client: a browser's PDF reader opens up to six connections.
DOWNLOADS_OF_CLIENT = 8
# How long sending one file may take; a client that is slower goes on with a range.
DOWNLOAD_SECONDS = 600
# How long a remote asset store may take: the whole call then stays below two seconds.
ASSET_SECONDS = 1.5
# A stored BibTeX entry that is read: one with three thousand authors. A longer one is only given out.
BIBTEX_CHARS = 100_000
# How much of a text is cut into passages: a book of a thousand pages.
PASSAGE_TEXT_CHARS = 2_000_000
# A passage's address: the paper's name, the text's and a number.
ADDRESS_CHARS = PAPER_NAME_CHARS + ID_CHARS + 30
# Papers whose passages a search ranks, the best ones: the passages of others seldom come first.
PASSAGE_PAPERS = 25
# Passages that one search returns: with all of them an answer fits an agent's context.
PASSAGE_HITS = 50
DEFAULT_PASSAGE_HITS = 8
# Passages of one paper in an answer: others may say something else.
PASSAGES_OF_PAPER = 3
# Results of the connector's search, which takes no limit.
CONNECTOR_RESULTS = 10
# Passages before and after the one asked for: with all of them an answer stays below 20,000 characters.
PASSAGE_NEIGHBOURS = 10
# What is sent to the page that adds papers: bytes of a request, files, bytes and entries of an archive unpacked.
UPLOAD_BYTES = 32_000_000
# The same of somebody whom nobody knows: a thesis with its figures.
STRANGER_UPLOAD_BYTES = 4_000_000
UPLOAD_FILES = 100
UNPACKED_BYTES = 200_000_000
# The texts in an archive that is brought as a draft: a thesis has one or two million characters.
DRAFT_UNPACKED_BYTES = 40_000_000
STRANGER_DRAFT_UNPACKED_BYTES = 10_000_000
ARCHIVE_MEMBERS = 1_000
# Identifiers looked up in one go, at most ten a second, and the characters of their list.
IDENTIFIERS = 500
IDENTIFIER_LIST_CHARS = 200_000
# References read of one text, and characters of each: a survey has some 500 of about 200. Looking 600 up takes 2 s.
REFERENCES = 600
REFERENCE_CHARS = 1_000
REFERENCE_AUTHORS = 500
DEFAULT_REFERENCES = 50
# Papers whose metadata one call returns: more do not fit an agent's context.
PAPERS_AT_ONCE = 20
# A page that is cited, and a file of a citation style: the largest of the project that collects them has 300,000.
PAGE_CHARS = 40
STYLE_CHARS = 400_000
# Papers of the basket that a page cites in a style: each takes up to 70 ms.
STYLED_PAPERS = 50
# Quotes that one call looks for; each may be looked for in several long texts.
QUOTES = 20
# A quote to look for: shorter ones are everywhere, longer ones are texts. In characters that are compared.
QUOTE_LEAST_CHARS = 8
QUOTE_CHARS = 2_000
# Claims that one call checks, and characters of its answer, which an agent reads before its own.
CLAIMS = 10
CLAIM_CHARS = 1_000
CLAIMS_ANSWER_CHARS = 6_000
# A bibliography to check: that of a thesis.
BIBLIOGRAPHY_CHARS = 1_000_000
BIBLIOGRAPHY_ENTRIES = 1_000
# How long reading one may take, in seconds of processor time, and then comparing it with the library.
BIBLIOGRAPHY_SECONDS = 20
# Entries that other services are asked about in one check, and for how long.
ENTRIES_ONLINE = 300
SECONDS_ONLINE = 600.0
# A draft to check: that of a book; and the time for reading it.
DRAFT_CHARS = 2_000_000
DRAFT_SENTENCES = 10_000
DRAFT_READING_SECONDS = 30
# Papers in a basket: their ids must fit the 4 KB of a cookie.
BASKET_PAPERS = 100

# Rendering.
# Markdown that is rendered as a page; the rest of a longer text is only offered for download.
MARKDOWN_CHARS = 300_000
# Headings in an outline; more would no longer be an outline.
OUTLINE = 300

# Specs.
# The largest spec file that is read; real ones stay below 200 KB.
SPEC_BYTES = 20_000_000
# A spec id may be a nested folder; real ones are far shorter.
SPEC_ID_CHARS = 300
# Names of requirements, scenarios and changes are headings or folders, not texts.
NAME_CHARS = 500
# Results by meaning beyond these are noise.
SPEC_RESULTS = 50
# The right answer is nearly always among these.
DEFAULT_SPEC_RESULTS = 10

# Search strategies and decisions: the same for agents, forms, the library and what is stored.
# Papers that one search keeps; each is read, scored and stored.
SEARCH_RESULTS = 1_000
# Queries of a strategy: each is sent to every source, and sources allow about one request a second.
STRATEGY_QUERIES = 20
# Sources of a strategy; there are seven.
STRATEGY_SOURCES = 20
# Keywords, concepts or synonym maps of one query; the rules write at most eight.
QUERY_KEYWORDS = 20
# A keyword: the whole question may be one.
KEYWORD_CHARS = QUERY_CHARS
# Synonyms of a keyword; the rules find at most four.
SYNONYMS = 10
# A longer synonym is a sentence.
SYNONYM_CHARS = 100
# A boolean query with all its synonyms; longer ones do not fit an address.
BOOLEAN_CHARS = 10_000
# All texts of a strategy together: a session stores every round's.
STRATEGY_CHARS = 200_000
# Authors, venues, kinds or excluded words of a strategy: each is checked against every paper.
FILTER_TERMS = 30
# A language's name or code.
LANGUAGE_CHARS = 40
# Papers on one page of a review: with a passage of each they fit an agent's context, and a person's patience.
REVIEW_PAPERS = 20
# Why somebody decided so, and what the next round should look for; a longer text is a document.
NOTE_CHARS = 2_000
# Papers that one decision marks relevant, or irrelevant: all that a search can show.
MARKS = SEARCH_RESULTS
# Ids of papers in marks: other sources' ids may be longer than ours, for example addresses.
MARK_CHARS = 500

# Search sessions.
# A search session that nobody touched for this long is abandoned.
SESSION_IDLE_SECONDS = 30 * 60
# How long one call on a session may wait for its next checkpoint: below the 30 s that clients and proxies allow.
SESSION_WAIT_SECONDS = 25
# How many calls may wait at once in one worker, which has 64 threads: pages, tools and probes keep the others.
WAITING_CALLS = 24
# The same for one client, whose agents seldom wait for more than a few sessions.
WAITING_CALLS_OF_CLIENT = 8
# Calls on search sessions a minute from one client: a busy agent makes a tenth of that.
SESSION_CALLS = 120
# Searches running at the same time on one site: each is a thread, and sources allow few requests a second.
RUNNING_SEARCHES = 20

# Sentences of an answer, quotes of each, and characters of a sentence. All quotes are checked by one call: 10 x 2.
ANSWER_SENTENCES = 10
ANSWER_QUOTES = QUOTES // ANSWER_SENTENCES
ANSWER_SENTENCE_CHARS = 600
# Answers a minute that one client may ask for: nobody reads faster, and each may cost money.
ANSWER_CALLS = 6
# What the whole site may ask of a language model in a day (UTC): a busy day of a group, not a surprise on a bill.
MODEL_CALLS_A_DAY = 2_000
MODEL_TOKENS_A_DAY = 10_000_000

# Requests from strangers.
# A larger JSON-RPC body or form is a mistake or an attack.
BODY_BYTES = 1_000_000
# Of one field in which people correct a paper.
FIELD_CHARS = 100_000
# No tool takes deeper nesting; it only costs the reader.
JSON_DEPTH = 64
# More objects and lists than any call has; a megabyte of them takes seconds to read.
JSON_CONTAINERS = 20_000
# The id of a JSON-RPC request, which its answer repeats.
RPC_ID_CHARS = 256
# The URI of a resource, which its answer repeats.
URI_CHARS = 2_000
# Longer integers fit no argument, and take quadratic time to read.
JSON_INTEGER_DIGITS = 20
# Messages in one JSON-RPC batch: one request is one bounded piece of work.
BATCH_MESSAGES = 20
# No tool takes more arguments; listing tens of thousands of wrong ones takes a second.
ARGUMENTS = 50
# Problems that one invalid_input lists; nobody reads more.
PROBLEMS = 10
# Failed logins a minute from one address: nobody mistypes so often, and guessing gets nowhere.
LOGIN_FAILURES = 10
# How long an invitation to choose a password holds.
INVITATION_SECONDS = 7 * 86_400
# The shortest password that a person may choose.
PASSWORD_CHARS = 10
# Line and headers of a request; browsers and proxies send a tenth of that.
HEAD_BYTES = 65_536
# How long a whole request may take to arrive: a megabyte at 50 kB/s, and an idle new connection costs little.
REQUEST_SECONDS = 20
# How long a client may take for each piece of an answer; a thread waits for it.
SEND_SECONDS = 20
# Those of them that are too large for memory: each may take UPLOAD_BYTES of the disk.
ARRIVING_FILES = 20
