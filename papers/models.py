"""The models, where Django looks for them: `papers.snapshot.models` defines them."""

from papers.snapshot.models import *  # noqa: F403
