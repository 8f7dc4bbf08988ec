"""An optional sentence model: a folder with an ONNX file and its tokenizer.json, run on this machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from papercore.retrieval.document import Document
from papercore.retrieval.meaning import unit
from papercore.retrieval.wordvectors import Matrix, Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

VECTORS = "sentences.f16"
# Sentence models are trained on passages of about this length and read no further.
TOKENS = 256
# Characters that can become that many tokens; what follows need not be tokenised.
CHARS = 2_000
BATCH = 256
# Texts that run together are padded to the longest, so they are few and of like length.
TOGETHER = 16


@dataclass(frozen=True)
class SentenceModel:
    """A loaded model; any number of threads may share one."""

    model_id: str
    tokenizer: "Tokenizer"
    session: "InferenceSession"

    @classmethod
    def load(cls, folder: Path) -> "SentenceModel":
        """The model in the folder; loaded at the first call and kept."""
        return _load(folder.resolve())

    def encode(self, texts: Sequence[str]) -> Matrix:
        """One row of length one per text."""
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        groups = [order[start : start + TOGETHER] for start in range(0, len(order), TOGETHER)]
        rows = np.concatenate([self._encode([texts[number] for number in group]) for group in groups])
        return np.asarray(rows[np.argsort(order)], dtype=np.float32)

    def _encode(self, texts: Sequence[str]) -> Matrix:
        encoded = self.tokenizer.encode_batch([text[:CHARS] for text in texts])
        mask = np.array([item.attention_mask for item in encoded], dtype=np.int64)
        known = {
            "input_ids": np.array([item.ids for item in encoded], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        inputs = {item.name: known[item.name] for item in self.session.get_inputs()}
        return unit(_pooled(self.session.run(None, inputs)[0], mask))

    def vector(self, text: str) -> Vector:
        return np.asarray(self.encode([text])[0], dtype=np.float32)


def _pooled(output: NDArray[np.float32], mask: NDArray[np.int64]) -> Matrix:
    """A sentence's vector: what the model gives, or the mean over its tokens."""
    if output.ndim == 2:
        return output
    weights = mask[:, :, None].astype(np.float32)
    return np.asarray((output * weights).sum(axis=1) / weights.sum(axis=1), dtype=np.float32)


@lru_cache(maxsize=4)
def _load(folder: Path) -> SentenceModel:
    import onnxruntime
    from tokenizers import Tokenizer

    path = min(folder.rglob("*.onnx"), default=None)
    if path is None or not (folder / "tokenizer.json").is_file():
        raise FileNotFoundError("A sentence model's folder holds an .onnx file and tokenizer.json.")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding()
    options = onnxruntime.SessionOptions()
    # Idle threads that spin would take the cores from other requests.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = f"{folder.name}-{sha256(path.read_bytes()).hexdigest()[:12]}"
    return SentenceModel(name, tokenizer, session)


def open_vectors(folder: Path, documents: int) -> Matrix:
    """The sentence vectors of a finished index, mapped, one row per document."""
    return np.memmap(folder / VECTORS, dtype=np.float16, mode="r").reshape(documents, -1).view(np.ndarray)


class SentenceWriter:
    """Embeds documents in passing; one that has not changed keeps the vector it had."""

    def __init__(self, folder: Path, model: SentenceModel, former: Matrix | None) -> None:
        self._file = (folder / VECTORS).open("wb")
        self._model = model
        self._former = former
        self._waiting: list[tuple[str, int | None]] = []

    def add(self, document: Document, former_row: int | None) -> None:
        """Take the next document, and the row that it had in the former index."""
        row = former_row if self._former is not None else None
        self._waiting.append((f"{document.title}. {document.text}", row))
        if len(self._waiting) == BATCH:
            self._flush()

    def finish(self) -> None:
        self._flush()
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _flush(self) -> None:
        fresh = [text for text, row in self._waiting if row is None]
        encoded = iter(self._model.encode(fresh) if fresh else ())
        for _, row in self._waiting:
            vector = self._former[row] if row is not None and self._former is not None else next(encoded)
            np.asarray(vector, dtype=np.float16).tofile(self._file)
        self._waiting = []
