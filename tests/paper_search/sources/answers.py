"""Answers of the sources in their real shapes, small, with the odd fields that occur."""

from tests.paper_search.http_server import Answer

OPENALEX = {
    "meta": {"count": 2, "next_cursor": None},
    "results": [
        {
            "id": "https://openalex.org/W2741809807",
            "doi": "https://doi.org/10.7717/PEERJ.4375",
            "display_name": "The state of <i>OA</i>: a large-scale analysis",
            "publication_year": 2018,
            "cited_by_count": 1042,
            "authorships": [
                {"author": {"display_name": "Heather Piwowar"}},
                {"author": {"display_name": None}},
                {"author": None},
            ],
            "primary_location": {"source": {"display_name": "PeerJ"}, "landing_page_url": "https://doi.org/x"},
            "open_access": {"oa_url": "https://peerj.com/articles/4375.pdf"},
            "abstract_inverted_index": {"Despite": [0], "growth": [1, 3], "and": [2]},
        },
        {
            "id": "https://openalex.org/W2",
            "doi": None,
            "display_name": "No venue, no abstract",
            "publication_year": None,
            "cited_by_count": None,
            "authorships": [],
            "primary_location": {"source": None},
            "open_access": {},
            "abstract_inverted_index": None,
        },
        {"id": "https://openalex.org/W3", "display_name": None},
    ],
}
CROSSREF = {
    "status": "ok",
    "message": {
        "items": [
            {
                "DOI": "10.1038/NATURE14539",
                "title": ["Deep\n learning"],
                "author": [{"given": "Yann", "family": "LeCun"}, {"name": "A Consortium"}, {}],
                "container-title": ["Nature"],
                "issued": {"date-parts": [[2015, 5, 27]]},
                "is-referenced-by-count": 50000,
                "abstract": "<jats:title>Abstract</jats:title><jats:p>Deep learning allows &lt;models&gt;.</jats:p>",
                "URL": "https://doi.org/10.1038/nature14539",
            },
            {"DOI": "10.1/x", "title": ["Odd"], "container-title": [], "issued": {"date-parts": [[None]]}},
            {"DOI": "10.1/y", "title": []},
        ]
    },
}
ARXIV = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <entry>
    <id>http://arxiv.org/abs/1706.03762v7</id><published>2017-06-12T17:57:34Z</published>
    <title>Attention Is All
  You Need</title><summary>  We propose a model with p &lt; 0.05.
</summary>
    <author><name>Ashish Vaswani</name></author><author><name>Noam Shazeer</name></author>
    <arxiv:doi>10.5555/3295222</arxiv:doi><arxiv:journal_ref>NeurIPS 2017</arxiv:journal_ref>
  </entry>
  <entry><id>http://arxiv.org/abs/hep-th/9901001v1</id><published>1999-01-01T00:00:00Z</published>
    <title>Old identifiers</title><summary/></entry>
  <entry><id>http://arxiv.org/abs/2000.00001v1</id><title/></entry>
</feed>"""
SEMANTIC_SCHOLAR = {
    "total": 2,
    "data": [
        {
            "paperId": "abc",
            "title": "Graph Attention Networks",
            "abstract": None,
            "year": 2017,
            "venue": "",
            "authors": [{"name": "Petar Veličković"}, {"name": ""}],
            "citationCount": 20000,
            "externalIds": {"ArXiv": "1710.10903", "DOI": None},
            "openAccessPdf": None,
            "url": "https://www.semanticscholar.org/paper/abc",
            "citationStyles": {"bibtex": "@article{v, title={Graph Attention Networks}}"},
        },
        {"paperId": None, "title": "no id"},
    ],
}
EUROPE_PMC = {
    "hitCount": 2,
    "nextCursorMark": "*",
    "resultList": {
        "result": [
            {
                "id": "12345",
                "source": "MED",
                "doi": "10.1000/abc",
                "title": "Cancer in mice.",
                "pubYear": "2019",
                "abstractText": "<h4>Background</h4>Mice &amp; men.",
                "authorList": {"author": [{"fullName": "Smith J"}, {"collectiveName": "The Group"}]},
                "journalInfo": {"journal": {"title": "Cell"}},
                "citedByCount": 7,
                "fullTextUrlList": {"fullTextUrl": [{"url": "ftp://old"}, {"url": "https://europepmc.org/x"}]},
            },
            {"id": "2", "title": "Without author list", "authorString": "Doe J, Roe R.", "pubYear": None},
        ]
    },
}
SERPAPI = {
    "organic_results": [
        {
            "result_id": "r1",
            "title": "Perovskite solar cells",
            "link": "https://example.org/p",
            "snippet": "High efficiency …",
            "publication_info": {"summary": "A Kojima, K Teshima… - Journal of the American, 2009 - ACS"},
            "inline_links": {"cited_by": {"total": 25000}},
        },
        {"title": "without id"},
    ]
}
GOOD: dict[str, Answer] = {
    "openalex": Answer(OPENALEX),
    "crossref": Answer(CROSSREF),
    "arxiv": Answer(ARXIV, headers={"Content-Type": "application/atom+xml"}),
    "semantic_scholar": Answer(SEMANTIC_SCHOLAR),
    "europe_pmc": Answer(EUROPE_PMC),
    "serpapi": Answer(SERPAPI),
}
EMPTY: dict[str, Answer] = {
    "openalex": Answer({"meta": {}, "results": []}),
    "crossref": Answer({"message": {"items": []}}),
    "arxiv": Answer('<feed xmlns="http://www.w3.org/2005/Atom"></feed>'),
    "semantic_scholar": Answer({"total": 0, "offset": 0}),
    "europe_pmc": Answer({"hitCount": 0, "resultList": {"result": []}}),
    "serpapi": Answer({"error": "Google hasn't returned any results for this query."}),
}
ODD: dict[str, Answer] = {
    "openalex": Answer({"meta": None, "results": [None, 3, {"id": 5, "display_name": ["x"]}]}),
    "crossref": Answer({"message": None}),
    "arxiv": Answer('<feed xmlns="http://www.w3.org/2005/Atom"><entry/></feed>'),
    "semantic_scholar": Answer({"data": {"0": "x"}}),
    "europe_pmc": Answer({"resultList": [], "nextCursorMark": 7}),
    "serpapi": Answer({"organic_results": ["x"]}),
}
