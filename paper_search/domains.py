"""The research domains a search can be narrowed to, in the terms of each source."""

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
