"""What the process does that reads a picture of a page by OCR: it is given a file and a page, and answers with lines.

The models come with the package `rapidocr` (extra `ocr`); nothing is fetched.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import log
from statistics import median
from typing import Protocol

import msgspec
import numpy as np
from msgspec import Struct, to_builtins
from pypdfium2 import PdfDocument, PdfiumError

from ingest.pdf.lines import Line, PageLines
from papercore.processes.children import Unanswerable

# Pixels for a point: small print is read right; a large page is drawn no larger than this.
_SCALE, _PIXELS = 2.0, 2_400
# Less certain lines are specks and pictures.
_CERTAIN = 0.6
# The height of a line's box is a little more than the size of its letters, and differs from line to line.
_SIZE, _STEP, _USUAL, _DESCENT = 0.8, 1.2, 1.25, 0.2


class PageTask(Struct, frozen=True):
    path: str
    number: int


class _Found(Protocol):
    boxes: Sequence[np.ndarray] | None
    txts: Sequence[str] | None
    scores: Sequence[float] | None


def answers(message: bytes) -> Iterator[object]:
    task = msgspec.json.decode(message, type=PageTask)
    yield to_builtins(recognised_page(task.path, task.number))


def recognised_page(path: str, number: int) -> PageLines:
    try:
        document = PdfDocument(path)
    except PdfiumError:
        raise Unanswerable("it is encrypted, damaged, or no PDF") from None
    try:
        page = document[number - 1]
        width, height = page.get_size()
        scale = min(_SCALE, _PIXELS / max(width, height, 1.0))
        pixels = page.render(scale=scale).to_numpy()[:, :, :3]
    finally:
        document.close()
    found: _Found = _engine()(np.ascontiguousarray(pixels), use_cls=False)
    return PageLines(number, width, height, _lines(found, scale, number))


def _lines(found: _Found, scale: float, number: int) -> list[Line]:
    if found.boxes is None or found.txts is None or found.scores is None:
        return []
    boxes = [box / scale for box in found.boxes]
    heights = [float(box[3][1] - box[0][1] + box[2][1] - box[1][1]) / 2 for box in boxes]
    usual = max(median(heights), 1.0)
    lines = []
    for box, height, text, score in zip(boxes, heights, found.txts, found.scores, strict=True):
        if score < _CERTAIN or not text.strip() or height <= 0:
            continue
        # In steps, so that lines of one size have one, and all of the text is of one.
        is_usual = 1 / _USUAL < height / usual < _USUAL
        size = _SIZE * usual * (1 if is_usual else _STEP ** round(log(height / usual, _STEP)))
        left, right = float(box[:, 0].min()), float(box[:, 0].max())
        baseline = float(box[2][1] + box[3][1]) / 2 - _DESCENT * height
        lines.append(Line(text, left, right, baseline, size, bold=False, page=number, parted=text))
    return lines


@cache
def _engine():  # type: ignore[no-untyped-def]  # the package has no types
    from rapidocr import RapidOCR

    # Beside what people wait for: one thread.
    threads = {f"EngineConfig.onnxruntime.{kind}_op_num_threads": 1 for kind in ("intra", "inter")}
    return RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False, **threads})
