"""Loads the site's templates without their indentation, which would make up a tenth of every page."""

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Keeps the line breaks: between two words, a line break is a space to the reader."""

    def get_contents(self, origin: Origin) -> str:
        return INDENTATION.sub("", super().get_contents(origin))
