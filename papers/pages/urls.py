"""The library's addresses."""

from django.urls import path, re_path, register_converter
from django.urls.converters import StringConverter

from papercore import limits
from papers.pages import basket, cite, downloads, files, overview, paper, search
from papers.pages.files import LIST_SUFFIXES, PAPER_SUFFIXES


class IdConverter(StringConverter):
    """Ids, template and language names."""

    regex = rf"[A-Za-z0-9_.:-]{{1,{limits.ID_CHARS}}}"


register_converter(IdConverter, "id")

urlpatterns = [
    path("", overview.home, name="home"),
    path("papers/", search.search, name="search"),
    path("ask/", search.ask, name="ask"),
    path("suggestions/", search.suggest, name="suggestions"),
    re_path(rf"^papers\.(?P<suffix>{'|'.join(LIST_SUFFIXES)})$", files.list_file, name="list-file"),
    re_path(
        rf"^papers/(?P<paper_id>{IdConverter.regex})\.(?P<suffix>{'|'.join(PAPER_SUFFIXES)})$",
        files.paper_file,
        name="paper-file",
    ),
    path("papers/<id:paper_id>/", paper.paper, name="paper"),
    path("papers/<id:paper_id>/summary/<id:template>/", paper.summary, name="summary"),
    path("papers/<id:paper_id>/source/", paper.source, name="source"),
    path("papers/<id:paper_id>/translation/<id:lang>/", paper.translation, name="translation"),
    path("papers/<id:paper_id>/pdf/", paper.pdf, name="pdf"),
    path("papers/<id:paper_id>/paper.pdf", downloads.pdf_file, name="pdf-file"),
    path("papers/<id:paper_id>/bibtex/", paper.bibtex, name="bibtex"),
    path("papers/<id:paper_id>/cite/", cite.paper, name="cite"),
    path("papers/<id:paper_id>/references/", paper.references, name="references"),
    path("papers/<id:paper_id>/side-by-side/", paper.side_by_side, name="side-by-side"),
    # A DOI or a citation key with other characters than ids have: the view leads to the id.
    path("papers/<path:paper_id>/", paper.paper, name="paper-by-name"),
    path("assets/images/<id:name>", downloads.picture, name="picture"),
    path("by/<slug:category>/", overview.values, name="values"),
    path("by/<slug:category>/<path:value>/", overview.value, name="value"),
    path("stats/", overview.stats, name="stats"),
    path("basket/", basket.show, name="basket"),
    path("basket/toggle/", basket.toggle, name="basket-toggle"),
    path("basket/cite/", cite.basket, name="basket-cite"),
    path("basket/empty/", basket.empty, name="basket-empty"),
    path("basket/restore/", basket.restore, name="basket-restore"),
    path("basket/papers.<slug:suffix>", basket.export, name="basket-export"),
    path("opensearch.xml", files.opensearch, name="opensearch"),
]
