"""Whether answers are offered, and to whom: a model must be configured, and PAPERSITE_ANSWERS says who may ask."""

from typing import Literal

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest

from paper_search.config import ConfigError, LLMConfig, load_config

# How long a model may take, whatever PAPER_SEARCH_LLM_TIMEOUT allows: nobody waits longer for an answer.
ANSWER_SECONDS = 120
Offer = Literal["offered", "login", "none"]


def configured_model() -> LLMConfig | None:
    """The language model that answers, with the time it may take; None where there is none."""
    if settings.ANSWERS == "off":
        return None
    try:
        config = load_config().llm
    except ConfigError:  # a search says what is wrong; evidence needs no model
        return None
    if config.provider == "none" or not config.model:
        return None
    return config.model_copy(update={"timeout": min(config.timeout, ANSWER_SECONDS)})


def offer(request: HttpRequest) -> Offer:
    """What the page of a question offers to this reader."""
    if configured_model() is None:
        return "none"
    if settings.ANSWERS == "readers":
        return "offered"
    try:
        return "offered" if request.user.is_authenticated else "login"
    except DatabaseError:
        return "none"
