"""The research domains a search can be narrowed to, in the terms of each source, and venues by their acronyms."""

from typing import Literal

from msgspec import Struct

DomainName = Literal["general", "materials_science", "computer_science", "medicine", "biology", "chemistry", "physics"]


class Domain(Struct, frozen=True):
    """Fields and categories as the sources name them; an empty one does not narrow."""

    name: DomainName
    words: tuple[str, ...] = ()
    arxiv: tuple[str, ...] = ()
    openalex_fields: tuple[int, ...] = ()
    semantic_scholar: tuple[str, ...] = ()


DOMAINS: dict[str, Domain] = {
    domain.name: domain
    for domain in (
        Domain("general"),
        Domain(
            "materials_science",
            ("material", "alloy", "crystal", "film", "electrolyte", "semiconductor", "polymer", "nanoparticle"),
            ("cond-mat", "physics.chem-ph", "physics.app-ph"),
            (25, 16, 31),
            ("Materials Science", "Chemistry", "Physics"),
        ),
        Domain(
            "computer_science",
            ("algorithm", "learning", "network", "software", "model", "data", "compute"),
            ("cs", "stat.ML", "eess"),
            (17,),
            ("Computer Science",),
        ),
        Domain(
            "medicine",
            ("patient", "clinical", "disease", "treatment", "therapy", "trial", "diagnosis"),
            ("q-bio",),
            (27, 29, 36),
            ("Medicine",),
        ),
        Domain(
            "biology",
            ("cell", "gene", "protein", "species", "genome", "organism"),
            ("q-bio",),
            (11, 13, 28),
            ("Biology",),
        ),
        Domain(
            "chemistry",
            ("molecule", "reaction", "catalyst", "synthesis", "compound", "solvent"),
            ("physics.chem-ph", "cond-mat.mtrl-sci"),
            (15, 16),
            ("Chemistry",),
        ),
        Domain(
            "physics",
            ("quantum", "particle", "energy", "field", "plasma", "optical"),
            ("physics", "quant-ph", "cond-mat", "hep-ph", "hep-th", "astro-ph", "gr-qc", "nucl-th"),
            (31,),
            ("Physics",),
        ),
    )
}
# Venues that sources know by their acronyms, and what these stand for.
VENUE_NAMES = {
    "acl": "association for computational linguistics",
    "emnlp": "empirical methods in natural language processing",
    "naacl": "north american chapter",
    "eacl": "european chapter",
    "lrec": "language resources and evaluation",
    "neurips": "neural information processing systems",
    "nips": "neural information processing systems",
    "icml": "international conference on machine learning",
    "iclr": "learning representations",
    "cvpr": "computer vision and pattern recognition",
    "kdd": "knowledge discovery",
    "sigir": "research and development in information retrieval",
    "tacl": "transactions of the association for computational linguistics",
    "jmlr": "journal of machine learning research",
    "pnas": "proceedings of the national academy of sciences",
}
