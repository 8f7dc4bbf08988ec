"""Every limit of the product, each with its reason."""

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
# Hits that an index is asked for at once, and hits it may skip: it reserves memory for both, and the process ends when
# there is not enough.
INDEX_HITS = 10_000
INDEX_OFFSET = OFFSET + PAGE_SIZE
# Characters of a query to an index: as long as all keywords of a search strategy's query.
INDEX_QUERY_CHARS = 12_000
# Publication years; four digits.
LAST_YEAR = 9999
# How long one query on the snapshot may run, and how long a new snapshot is read through before it is served.
QUERY_SECONDS = 1.0
# A sentence model's files, each; the known ones have 34 MB at most.
MODEL_BYTES = 200_000_000
# How long one step of a download may take: connecting, or the next piece.
MODEL_SECONDS = 30
# How long it is read through while a server starts, which takes longer than this anyway.
SNAPSHOT_START_SECONDS = 0.6
# For how long workers rely on that; those that are started later read the file themselves.
EARLY_VERDICT_SECONDS = 60
# How long a large snapshot is read through in the background: a hundred gigabytes from a slow disk.
SNAPSHOT_CHECK_SECONDS = 600
# How often an unexpected error may make a worker read the snapshot through again: few errors come from damage.
SECONDS_BETWEEN_SNAPSHOT_CHECKS = 10
# Versions of a library that are kept for undo. Each takes as much of the disk as the database.
KEPT_VERSIONS = 3
# How long an update waits for another one in the same library; one of ten papers takes seconds.
UPDATE_WAIT_SECONDS = 60.0
# Folders that are watched. How long to wait between two looks; on a slow disk, so many times as long as a look took.
WATCH_SECONDS = 2.0
WATCH_SHORTEST_SECONDS = 0.1
WATCH_LONGEST_SECONDS = 60.0
WATCH_PAUSE_PER_SCAN = 5.0
# Files of one update: a first import is searchable in steps, and one that is ended has lost little.
WATCH_FILES_AT_ONCE = 200
WATCHED_FILES = 200_000
# Looks that the files at hand wait for others that are still written.
WATCH_LOOKS_TO_SETTLE = 10
# How long a watcher waits for another update before it tries again, and before it repeats what failed.
WATCH_BUSY_SECONDS = 5.0
WATCH_RETRY_SECONDS = 60.0
# Terms of a query that are looked up in the snapshot's own tables; a question has fewer.
QUERY_TERMS = 32
# How much of each text is scanned for a snippet: a page of hits must not wait for it.
SNIPPET_TEXT_CHARS = 20_000

# Texts and assets.
# Hosts cut tool results at about 25,000 tokens; this stays below.
TEXT_CHARS = 50_000
# Pages that a worker keeps as they were written: two hundred of the usual size.
KEPT_PAGES_BYTES = 10_000_000
# Ids, keys, template and language names; no snapshot has longer ones.
ID_CHARS = 128
# What stands for a paper's id: a DOI or a citation key; real ones are far shorter.
PAPER_NAME_CHARS = 300
# The largest text asset that is read into memory.
ASSET_BYTES = 20_000_000
# PDFs whose text is read. More pages are a book or a hostile file; the first ones are kept.
PDF_PAGES = 1_000
# Characters of one page, and of a whole text: what a page of small print and a thick book have, with room to spare.
PDF_PAGE_CHARS = 50_000
PDF_TEXT_CHARS = 10_000_000
# CPU time and memory for one PDF. A page takes about 50 ms; a file that needs more is hostile or broken.
PDF_SECONDS = 60
PDF_MEMORY_BYTES = 2_000_000_000
# How long the process may take to answer, on a slow disk.
PDF_ANSWER_SECONDS = 180
# Large files being sent at once by one worker, which has 64 threads: a slow client holds one.
DOWNLOADS = 16
# The same for one client: a browser's PDF reader opens up to six connections.
DOWNLOADS_OF_CLIENT = 8
# How long sending one file may take; a client that is slower goes on with a range.
DOWNLOAD_SECONDS = 600
# How long a remote asset store may take: the whole call then stays below two seconds.
ASSET_SECONDS = 1.5
# A stored BibTeX entry that is read: one with three thousand authors. A longer one is only given out.
BIBTEX_CHARS = 100_000
# Fields of a stored entry, of which LaTeX is decoded: 40 characters take a millisecond at worst. Names, and abstracts;
# and all others. What is longer is left out of citations.
BIBTEX_LONG_FIELD_CHARS = 20_000
BIBTEX_FIELD_CHARS = 2_000
# Passages: one to three sentences, enough to be understood alone and short enough to be quoted.
PASSAGE_SENTENCES = 3
# A longer run of sentences is cut between them, a longer sentence at a blank.
PASSAGE_CHARS = 800
# Tables, code, formulas and captions stay whole up to this length; two screens.
WHOLE_BLOCK_CHARS = 4_000
# How much of a text is cut into passages: a book of a thousand pages.
PASSAGE_TEXT_CHARS = 2_000_000
# A passage's address: the paper's name, the text's and a number.
ADDRESS_CHARS = PAPER_NAME_CHARS + ID_CHARS + 30
# Papers whose passages a search ranks, the best ones: the passages of others seldom come first.
PASSAGE_PAPERS = 25
# Characters of texts that one search cuts into passages: what a second allows.
SEARCHED_CHARS = 1_000_000
# Passages that are read and ranked, the best by their words; or by meaning where none has the words.
PASSAGES_RANKED = 60
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
UPLOAD_FILES = 100
UNPACKED_BYTES = 200_000_000
ARCHIVE_MEMBERS = 1_000
# Additions that one process works on at once; those kept on the disk, and for how long; silent ones are over.
ADDITIONS_AT_ONCE = 2
ADDITIONS_KEPT = 20
ADDITION_SECONDS = 24 * 3600
ADDITION_SILENT_SECONDS = 120
# Remarks and papers that the page of an addition shows.
ADDITION_NOTES = 200
ADDITION_CHANGES = 1_000
# Identifiers looked up in one go, at most ten a second, and the characters of their list.
IDENTIFIERS = 500
IDENTIFIER_LIST_CHARS = 200_000
# References read of one text, and characters of each: a survey has some 500 of about 200. Looking 600 up takes 2 s.
REFERENCES = 600
REFERENCE_CHARS = 1_000
DEFAULT_REFERENCES = 50
# Places in a reference where a title may begin, for which the library is asked.
TITLE_STARTS = 24
# Papers looked into for whether they cite another, and the time that takes at most; then the answer says so.
CITING_CANDIDATES = 200
CITING_SECONDS = 2.0
# Stored BibTeX entries that list references, of which it is kept in memory what they cite.
ENTRIES_WITH_REFERENCES = 10_000
# Papers drawn in the graph of citations: more are a thicket.
GRAPH_PAPERS = 30
# Papers whose metadata one call returns: more do not fit an agent's context.
PAPERS_AT_ONCE = 20
# Quotes that one call looks for; each may be looked for in several long texts.
QUOTES = 20
# A quote to look for: shorter ones are everywhere, longer ones are texts. In characters that are compared.
QUOTE_LEAST_CHARS = 8
QUOTE_CHARS = 2_000
# Papers in which a quote without a paper's name is looked for: the best by its words.
QUOTE_PAPERS = 5
# A section's first words in an outline.
OPENING_CHARS = 90
# Papers in a basket: their ids must fit the 4 KB of a cookie.
BASKET_PAPERS = 100
# Papers on a page of resources/list: each has about three resources, and hosts read page after page.
RESOURCE_PAPERS = 50

# Rendering.
# Markdown that is rendered as a page; the rest of a longer text is only offered for download.
MARKDOWN_CHARS = 300_000
# A longer formula is shown as TeX: converting 200,000 characters took 9 s.
FORMULA_CHARS = 2_000
# Formulas converted in one text; the others are shown as TeX.
FORMULAS = 5_000
# Converting formulas may take this much of a text's time; the others are shown as TeX. 40 KB of TeX take this long.
FORMULA_SECONDS = 0.9
# Longer code is not coloured: that would take longer than the rest of the page.
COLOURED_CHARS = 50_000
# Colouring one piece of code, and all code of a text. Ordinary code of the full length takes a quarter of a second;
# some languages are quadratic, and 12 KB of C# took 29 s.
CODE_SECONDS = 0.4
ALL_CODE_SECONDS = 0.6
# Raw marks such as <b> inside each other: nobody writes more, and each makes the HTML slower to clean.
NESTED_MARKS = 10
# Texts of this length without code are rendered at once, in 25 ms at worst; others in a process that can be stopped.
RENDERED_HERE_CHARS = 1_000
# Processor time for one text in that process: the page then answers within two seconds. A paper takes a third of it.
RENDER_SECONDS = 1.6
# How long a text waits for a free process, and then for its answer on a machine too busy to give it that time.
RENDER_WAIT_SECONDS = 2.0
RENDER_ANSWER_SECONDS = 8.0
# Processes that render, in each worker of the site: one hostile text must not hold up the next visitor.
RENDER_PROCESSES = 2
# A reader waits this long for a text of more characters; then its beginning is shown, and the rest when it is ready.
TEXT_WAIT_SECONDS = 0.3
BEGINNING_WAIT_SECONDS = 0.15
# Most long texts are ready after this; for the others the beginning is rendered while the reader still waits.
TEXT_HEAD_START_SECONDS = 0.1
TEXT_BEGINNING_CHARS = 20_000
# Texts that wait to be rendered for readers who have begun; each holds its characters in memory.
RENDER_QUEUE = 16
# Address space of such a process; a text of full length needs a tenth.
RENDER_MEMORY_BYTES = 1_000_000_000
# HTML of one text; a link to one long address, used everywhere, makes gigabytes.
HTML_CHARS = 10_000_000
# Texts and pieces of code remembered as too slow, by their hash.
REMEMBERED_SLOW = 1_000
# Headings in an outline; more would no longer be an outline.
OUTLINE = 300
# Blocks of each of two texts that are put side by side by what they say; a paper has 500. The time grows with both:
# two texts of this many blocks take a third of a second.
ALIGNED_BLOCKS = 1_500
# Numbers, names and formulas of a block that are compared; more do not make it easier to recognise.
BLOCK_MARKS = 60

# Specs.
# The largest spec file that is read; real ones stay below 200 KB.
SPEC_BYTES = 20_000_000
# Spec files that are looked at for changes when the site starts; a look at one takes microseconds.
SPECS_LOOKED_AT = 20_000
# A spec id may be a nested folder; real ones are far shorter.
SPEC_ID_CHARS = 300
# Names of requirements, scenarios and changes are headings or folders, not texts.
NAME_CHARS = 500
# An index of all specs stays readable when each purpose is at most this long.
PURPOSE_CHARS = 300
# A requirement's text in an overview of its spec; get_scenario returns it whole.
DESCRIPTION_CHARS = 2_000
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
# The passage of a paper that an agent is shown.
REVIEW_PASSAGE_CHARS = 500
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

# Answers by a language model to questions at /ask/.
# A reply with its reasoning; one that is longer is not read to its end.
MODEL_REPLY_BYTES = 1_000_000
# How long a model may take, whatever PAPER_SEARCH_LLM_TIMEOUT allows: nobody waits longer for an answer.
ANSWER_SECONDS = 120
# Characters of a passage that the model is given: a long table's beginning.
ANSWER_PASSAGE_CHARS = 1_500
# Sentences of an answer, quotes of each, and characters of a sentence. All quotes are checked by one call: 10 x 2.
ANSWER_SENTENCES = 10
ANSWER_QUOTES = QUOTES // ANSWER_SENTENCES
ANSWER_SENTENCE_CHARS = 600
# Answers that one process has written at once, in all and for one client; each is a thread that waits for the model.
ANSWERS_AT_ONCE = 4
ANSWERS_OF_CLIENT = 2
# Answers a minute that one client may ask for: nobody reads faster, and each may cost money.
ANSWER_CALLS = 6
# How long an answer is kept for who asks the same again, and how many are.
ANSWER_KEPT_SECONDS = 24 * 3600
ANSWERS_KEPT = 1_000

# How often a step of a search is begun before its session ends as failed: what ended two workers would end a third.
STEP_ATTEMPTS = 2
# How often each process looks for idle search sessions, in seconds.
EXPIRY_SECONDS = 60

# Requests from strangers.
# A larger JSON-RPC body or form is a mistake or an attack.
BODY_BYTES = 1_000_000
# No tool takes deeper nesting; it only costs the reader.
JSON_DEPTH = 64
# More objects and lists than any call has; a megabyte of them takes seconds to read.
JSON_CONTAINERS = 20_000
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
# The shortest password that a person may choose.
PASSWORD_CHARS = 10
# Line and headers of a request; browsers and proxies send a tenth of that.
HEAD_BYTES = 65_536
# How long a whole request may take to arrive: a megabyte at 50 kB/s, and an idle new connection costs little.
REQUEST_SECONDS = 20
# The same while the server is stopping: ended by TERM, it is gone within five seconds if nothing else is under way.
STOPPING_REQUEST_SECONDS = 3
# How long a client may take for each piece of an answer; a thread waits for it.
SEND_SECONDS = 20
# Requests that have not all arrived, per worker and together: 64 of the largest.
ARRIVING_BYTES = 64 * BODY_BYTES

# papersite.toml; one with every setting has 3 KB.
SETTINGS_FILE_BYTES = 100_000
