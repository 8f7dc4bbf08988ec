"""Turns a SentencePiece unigram model, a protocol buffer of which little is read, into a tokenizer.json."""

import json
import struct
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

from papercore.sentence_models.errors import ModelDamaged

UNKNOWN, START, END = 0, 1, 2
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5


def tokenizer_json(model: Path) -> str:
    """The tokenizer of a model whose first three pieces are: unknown, the start of a text, and its end."""
    try:
        return json.dumps(_tokenizer(model.read_bytes()), ensure_ascii=False)
    except (ValueError, IndexError, KeyError, struct.error) as error:
        raise ModelDamaged(f"{model.name} is not a SentencePiece model that can be read.") from error


def _tokenizer(content: bytes) -> dict[str, object]:
    vocabulary: list[tuple[str, float]] = []
    characters = b""
    for number, value in _fields(content):
        if number == 1:
            piece = dict(_fields(value))
            vocabulary.append((piece[1].decode(), struct.unpack("<f", piece[2])[0] if 2 in piece else 0.0))
        elif number == 3:
            characters = dict(_fields(value))[2]
    start, end = vocabulary[START][0], vocabulary[END][0]
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Precompiled", "precompiled_charsmap": b64encode(characters).decode()},
                {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "},
                {"type": "Strip", "strip_left": True, "strip_right": True},
            ],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": False},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_special(start), {"Sequence": {"id": "A", "type_id": 0}}, _special(end)],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {
                token: {"id": token, "ids": [number], "tokens": [token]}
                for token, number in ((start, START), (end, END))
            },
        },
        "model": {"type": "Unigram", "unk_id": UNKNOWN, "vocab": vocabulary},
    }


def _special(token: str) -> dict[str, object]:
    return {"SpecialToken": {"id": token, "type_id": 0}}


def _fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers and contents of a message's fields; numbers within it are left out."""
    position = 0
    while position < len(content):
        tag, position = _varint(content, position)
        kind = tag & 7
        if kind == _VARINT:
            _, position = _varint(content, position)
            continue
        length = {_EIGHT_BYTES: 8, _FOUR_BYTES: 4}.get(kind)
        if kind == _BYTES:
            length, position = _varint(content, position)
        if length is None or position + length > len(content):
            raise ValueError("not a protocol buffer")
        yield tag >> 3, content[position : position + length]
        position += length


def _varint(content: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while content[position] & 0x80:
        value |= (content[position] & 0x7F) << shift
        position, shift = position + 1, shift + 7
    return value | content[position] << shift, position + 1
