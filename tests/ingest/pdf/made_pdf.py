"""PDFs made for the tests: text set in the standard fonts at given places, line by line."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pypdfium2 import PdfDocument

REGULAR, BOLD, UNMAPPED, DRAWN = "F1", "F2", "F3", "F4"
# Glyphs under names of its own, and no map to characters.
_UNMAPPED_FONT = (
    f"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Odd /FirstChar 14 /LastChar 30 /Widths [{'500 ' * 17}]"
    f" /Encoding << /Type /Encoding /Differences [14 {' '.join(f'/g{n}' for n in range(17))}] >> >>"
)
# Every glyph is one and the same drawing, in units of its own, as in TeX's bitmap fonts; a space is narrower.
_GLYPH = b"20 0 0 0 16 30 d1 0 0 16 30 re f"
_CODES = range(11, 123)
_DRAWN_FONT = (
    f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 20 40] /FontMatrix [1 0 0 1 0 0] /FirstChar 11 /LastChar 122"
    f" /Widths [{' '.join('20' for _ in _CODES)}] /CharProcs << {' '.join(f'/u{code}x 5 0 R' for code in _CODES)} >>"
    f" /Encoding << /Type /Encoding /Differences [11 {' '.join(f'/u{code}x' for code in _CODES)}] >> >>"
)
LEADING = 12.0


@dataclass(frozen=True)
class Text:
    """One line. `top` counts from the top of the page."""

    text: str
    left: float = 72
    top: float = 72
    size: float = 10
    font: str = REGULAR
    turned: bool = False


@dataclass(frozen=True)
class Fields:
    """What the file says of itself."""

    title: str = ""
    author: str = ""
    xmp: str = ""


def paragraph(text: str, left: float, top: float, characters: int, indent: float = 0) -> list[Text]:
    """A text broken into lines of at most so many characters, of equal distance."""
    lines: list[str] = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= characters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [
        Text(line, left + (indent if number == 0 else 0), top + number * LEADING) for number, line in enumerate(lines)
    ]


def write_pdf(
    path: Path, pages: Sequence[Iterable[Text]], fields: Fields | None = None, encrypted: bool = False
) -> Path:
    """A whole file: catalog, pages, fonts, and the fields that a reader may believe."""
    fields = fields or Fields()
    count, xmp = len(pages), fields.xmp
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(count))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {f'/Metadata {7 + 2 * count} 0 R' if xmp else ''} >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(_GLYPH), _GLYPH),
    ]
    for number, texts in enumerate(pages):
        content = "\n".join(_shown(text) for text in texts).encode("cp1252")
        fonts = f"<< /Font << /{REGULAR} 3 0 R /{BOLD} 4 0 R /{UNMAPPED} {_UNMAPPED_FONT} /{DRAWN} {_DRAWN_FONT} >> >>"
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {fonts} /Contents {7 + 2 * number} 0 R >>"
        )
        objects += [page.encode(), b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)]
    objects.append(f"<< /Title ({_escaped(fields.title)}) /Author ({_escaped(fields.author)}) >>".encode("cp1252"))
    if xmp:
        objects.append(
            b"<< /Type /Metadata /Subtype /XML /Length %d >>\nstream\n%s\nendstream" % (len(xmp), xmp.encode())
        )
    if encrypted:
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >>".encode())
    path.write_bytes(_file(objects, 6 + 2 * count, len(objects) if encrypted else None))
    return path


def write_scan(path: Path, pdf: Path) -> Path:
    """The pages of a PDF as pictures, without a text."""
    pages = [page.render(scale=2, grayscale=True).to_numpy() for page in PdfDocument(pdf)]
    kids = " ".join(f"{3 + 3 * number} 0 R" for number in range(len(pages)))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()]
    for number, pixels in enumerate(pages):
        height, width = pixels.shape[:2]
        first, shown, data = 3 + 3 * number, b"q 612 0 0 792 0 0 cm /Im Do Q", zlib.compress(pixels.tobytes())
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {first + 1} 0 R"
            f" /Resources << /XObject << /Im {first + 2} 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown),
            b"<< /Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode"
            b" /Width %d /Height %d /Length %d >>\nstream\n%s\nendstream" % (width, height, len(data), data),
        ]
    objects.append(b"<< >>")
    path.write_bytes(_file(objects, len(objects), None))
    return path


def _shown(text: Text) -> str:
    place = f"0 1 -1 0 {text.left} {792 - text.top}" if text.turned else f"1 0 0 1 {text.left} {792 - text.top}"
    return f"BT /{text.font} {text.size} Tf {place} Tm ({_escaped(text.text)}) Tj ET"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _file(objects: Sequence[bytes], information: int, encryption: int | None) -> bytes:
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    more = f" /Encrypt {encryption} 0 R /ID [<{'43' * 16}> <{'43' * 16}>]" if encryption else ""
    trailer = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {information} 0 R{more} >>\n"
    start = f"startxref\n{len(body)}\n%%EOF\n"
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer.encode() + start.encode()


def write_large_pdf(path: Path, title: str) -> Path:
    """A paper of 20 MB: most of it is a comment before its end."""
    lines = [Text(title, size=18), Text("They are heavier than they look.", top=120)]
    content = write_pdf(path, [lines], Fields(title=title)).read_bytes()
    path.write_bytes(content + b"%" + b"x" * 20_000_000 + b"\n" + content[content.rfind(b"startxref") :])
    return path
