"""The snapshot's tables as Django models: read, never written or migrated."""

from django.db import models
from django.db.models import DO_NOTHING, CompositePrimaryKey


class SnapshotMeta(models.Model):
    key = models.TextField(primary_key=True)
    value = models.TextField()

    class Meta:
        managed = False
        db_table = "snapshot_meta"
        verbose_name = "snapshot fact"

    def __str__(self) -> str:
        return self.key


class FacetRow(models.Model):
    """What the five facet tables have in common: a value in lower case, and the number of papers that have it."""

    value = models.TextField(unique=True)
    paper_count = models.IntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.value


class Author(FacetRow):
    author_id = models.IntegerField(primary_key=True)

    class Meta:
        managed = False
        db_table = "author"


class Keyword(FacetRow):
    keyword_id = models.IntegerField(primary_key=True)

    class Meta:
        managed = False
        db_table = "keyword"


class Institution(FacetRow):
    institution_id = models.IntegerField(primary_key=True)

    class Meta:
        managed = False
        db_table = "institution"


class Tag(FacetRow):
    tag_id = models.IntegerField(primary_key=True)

    class Meta:
        managed = False
        db_table = "tag"


class Venue(FacetRow):
    venue_id = models.IntegerField(primary_key=True)

    class Meta:
        managed = False
        db_table = "venue"


class Paper(models.Model):
    paper_id = models.TextField(primary_key=True)
    paper_key = models.TextField()
    paper_key_type = models.TextField()
    doi = models.TextField(null=True, verbose_name="DOI")
    title = models.TextField()
    year = models.TextField()
    month = models.TextField()
    publication_date = models.TextField()
    venue = models.TextField()
    preferred_summary_template = models.TextField()
    summary_preview = models.TextField()
    paper_index = models.IntegerField()
    source_hash = models.TextField(null=True)
    output_language = models.TextField(null=True)
    provider = models.TextField(null=True)
    model = models.TextField(null=True)
    prompt_template = models.TextField(null=True)
    extracted_at = models.TextField(null=True)
    pdf_content_hash = models.TextField(null=True, verbose_name="PDF content hash")
    source_md_content_hash = models.TextField(null=True)

    authors = models.ManyToManyField(Author, through="PaperAuthor", related_name="papers")
    keywords = models.ManyToManyField(Keyword, through="PaperKeyword", related_name="papers")
    institutions = models.ManyToManyField(Institution, through="PaperInstitution", related_name="papers")
    tags = models.ManyToManyField(Tag, through="PaperTag", related_name="papers")
    venues = models.ManyToManyField(Venue, through="PaperVenue", related_name="papers")

    class Meta:
        managed = False
        db_table = "paper"

    def __str__(self) -> str:
        return self.title


class PaperRelation(models.Model):
    """A row that belongs to one paper."""

    paper = models.ForeignKey(Paper, DO_NOTHING)

    class Meta:
        abstract = True


class PaperSummary(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "template_tag")
    paper = models.ForeignKey(Paper, DO_NOTHING, related_name="summaries")
    template_tag = models.TextField()

    class Meta:
        managed = False
        db_table = "paper_summary"


class PaperTranslation(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "lang")
    paper = models.ForeignKey(Paper, DO_NOTHING, related_name="translations")
    lang = models.TextField()
    md_content_hash = models.TextField()

    class Meta:
        managed = False
        db_table = "paper_translation"


class PaperBibtex(models.Model):
    paper = models.OneToOneField(Paper, DO_NOTHING, primary_key=True, related_name="bibtex")
    bibtex_raw = models.TextField()
    bibtex_key = models.TextField(null=True)
    entry_type = models.TextField(null=True)

    class Meta:
        managed = False
        db_table = "paper_bibtex"
        verbose_name = "BibTeX entry"
        verbose_name_plural = "BibTeX entries"

    def __str__(self) -> str:
        return self.bibtex_key or self.paper_id


class PaperKeyAlias(PaperRelation):
    paper_key = models.TextField(primary_key=True)
    paper = models.ForeignKey(Paper, DO_NOTHING, related_name="aliases")
    paper_key_type = models.TextField()
    meta_fingerprint = models.TextField(null=True)

    class Meta:
        managed = False
        db_table = "paper_key_alias"
        verbose_name_plural = "paper key aliases"

    def __str__(self) -> str:
        return self.paper_key


class PaperAuthor(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "author_id")
    author = models.ForeignKey(Author, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_author"


class PaperKeyword(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "keyword_id")
    keyword = models.ForeignKey(Keyword, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_keyword"


class PaperInstitution(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "institution_id")
    institution = models.ForeignKey(Institution, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_institution"


class PaperTag(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "tag_id")
    tag = models.ForeignKey(Tag, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_tag"


class PaperVenue(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "venue_id")
    venue = models.ForeignKey(Venue, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_venue"


class FacetNode(models.Model):
    node_id = models.IntegerField(primary_key=True)
    facet_type = models.TextField()
    value = models.TextField()
    paper_count = models.IntegerField()

    class Meta:
        managed = False
        db_table = "facet_node"

    def __str__(self) -> str:
        return f"{self.facet_type}: {self.value}"


class PaperFacet(PaperRelation):
    pk = CompositePrimaryKey("paper_id", "node_id")
    node = models.ForeignKey(FacetNode, DO_NOTHING)

    class Meta:
        managed = False
        db_table = "paper_facet"


class FacetEdge(models.Model):
    pk = CompositePrimaryKey("node_a_id", "node_b_id")
    node_a = models.ForeignKey(FacetNode, DO_NOTHING, db_column="node_id_a", related_name="edges_from")
    node_b = models.ForeignKey(FacetNode, DO_NOTHING, db_column="node_id_b", related_name="edges_to")
    paper_count = models.IntegerField()

    class Meta:
        managed = False
        db_table = "facet_edge"


class YearCount(models.Model):
    year = models.TextField(primary_key=True)
    paper_count = models.IntegerField()

    class Meta:
        managed = False
        db_table = "year_count"

    def __str__(self) -> str:
        return self.year


class MonthCount(models.Model):
    month = models.TextField(primary_key=True)
    paper_count = models.IntegerField()

    class Meta:
        managed = False
        db_table = "month_count"

    def __str__(self) -> str:
        return self.month
