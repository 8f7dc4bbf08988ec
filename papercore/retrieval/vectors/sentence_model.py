"""An optional sentence model: an ONNX file and its tokenizer.json in a folder, run on this machine."""

import json
from collections.abc import Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from papercore.retrieval.vectors.arrays import Matrix, Vector
from papercore.retrieval.vectors.meaning import unit
from papercore.text import has_cjk

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

# Sentence models are trained on passages of about this length.
TOKENS = 256
# Enough characters for that many tokens; the rest need not be tokenised.
CHARS = 2_000
# Texts of one run are padded to the longest, so they are few and of similar length.
TEXTS_PER_RUN = 16
# Reading a text takes tens of milliseconds.
KEPT_VECTORS = 2_000
UNRELATED_TEXTS = (
    "How fast do glaciers in the Alps melt?",
    "A compiler that checks the types of a program",
    "Marriage customs in medieval Japan",
    "The effect of aspirin on headaches",
    "Pricing of options on stock markets",
    "Bridges made of reinforced concrete",
    "Songs of birds in cities at night",
    "Galaxies with two spiral arms",
)
# Of a model that knows no difference between these texts, too, something must be left of the scale.
MOST_UNRELATED = 0.9
# Models of English know a few hundred of these characters, so a fiftieth of their tokens; those that read them, most.
CJK_SHARE = 0.1
# Beside a model, by which it can say of itself what it is for.
DESCRIPTION = "model.json"


class SentenceModel(Struct, frozen=True, dict=True):
    """A loaded model; any number of threads may share one."""

    model_id: str
    tokenizer: "Tokenizer"
    session: "InferenceSession"
    # It is asked only about questions in other languages than the documents: for the others words say more.
    for_other_languages: bool = False

    @classmethod
    def load(cls, path: Path) -> "SentenceModel":
        """The model in the folder, loaded at the first call and kept."""
        return _load(path.resolve())

    def encode(self, texts: Sequence[str]) -> Matrix:
        """A unit vector for each text."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        groups = []
        for start in range(0, len(order), TEXTS_PER_RUN):
            encoded = self.tokenizer.encode_batch([texts[i][:CHARS] for i in order[start : start + TEXTS_PER_RUN]])
            mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
            known = {
                "input_ids": np.array([item.ids for item in encoded], dtype=np.int64),
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(mask),
            }
            output = self.session.run(None, {item.name: known[item.name] for item in self.session.get_inputs()})[0]
            groups.append(unit(_pooled(output, mask)))
        return np.asarray(np.concatenate(groups)[np.argsort(order)], dtype=np.float32)

    def relatedness(self, cosines: Vector) -> Vector:
        """Cosines on a scale from 0, for texts that have nothing in common, to 1: some models know only high ones."""
        return np.asarray(np.maximum(cosines - self.unrelated, 0) / (1 - self.unrelated), dtype=np.float32)

    def reads(self, text: str) -> bool:
        """Whether the model knows the script of a text."""
        return self.for_other_languages or not has_cjk(text) or self._reads_cjk

    @cached_property
    def _reads_cjk(self) -> bool:
        tokens = self.tokenizer.get_vocab()
        return sum(map(has_cjk, tokens)) > CJK_SHARE * len(tokens)

    @cached_property
    def unrelated(self) -> float:
        """The mean cosine of texts that have nothing in common."""
        vectors = self.encode(UNRELATED_TEXTS)
        cosines = (vectors @ vectors.T)[np.triu_indices(len(UNRELATED_TEXTS), 1)]
        return min(max(float(cosines.mean()), 0.0), MOST_UNRELATED)

    @cached_property
    def dimensions(self) -> int:
        return len(self.vector("A sentence."))

    def vector(self, text: str) -> Vector:
        """That of a single text, kept: a search asks for its question's more than once, and for the same passages."""
        return _vector(self, text)


@lru_cache(maxsize=KEPT_VECTORS)
def _vector(model: SentenceModel, text: str) -> Vector:
    return np.asarray(model.encode([text])[0], dtype=np.float32)


def _pooled(output: NDArray[np.float32], mask: NDArray[np.int64]) -> Matrix:
    """A sentence's vector: the model's own, or the mean over its tokens."""
    if output.ndim == 2:
        return output
    weights = mask[:, :, None].astype(np.float32)
    return np.asarray((output * weights).sum(axis=1) / weights.sum(axis=1), dtype=np.float32)


@lru_cache(maxsize=4)
def _load(path: Path) -> SentenceModel:
    import onnxruntime
    from tokenizers import Tokenizer

    weights = min(path.rglob("*.onnx"), default=None)
    if weights is None or not (path / "tokenizer.json").is_file():
        raise FileNotFoundError("The folder of a sentence model must hold an .onnx file and tokenizer.json.")
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding()
    options = onnxruntime.SessionOptions()
    # Idle threads that spin would keep the cores from other requests.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    name = f"{path.name}-{sha256(weights.read_bytes()).hexdigest()[:12]}"
    try:
        described = json.loads((path / DESCRIPTION).read_bytes())
    except (OSError, ValueError):
        described = None
    for_other_languages = isinstance(described, dict) and described.get("for_other_languages") is True
    return SentenceModel(name, tokenizer, session, for_other_languages)


def text_of(title: str, text: str) -> str:
    """What the model reads of a document."""
    return f"{title}. {text}"
