"""Hostile archives, PDFs, pictures, Zotero databases and drafts."""

import io
import random
import sqlite3
import struct
import tempfile
import warnings
import zipfile
import zlib
from pathlib import Path

from tests.hostile.texts import Makers
from tests.ingest.pdf.made_pdf import Text, write_pdf
from tests.ingest.reading.made_zotero import SCHEMA

_BIB = b"@article{a, title={Cats}, year={1999}}"


def _zip(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        with zipfile.ZipFile(stream, "w", method) as file:
            for name, content in members:
                file.writestr(name, content)
    return stream.getvalue()


def _nested(depth: int) -> bytes:
    content = _zip(("a.bib", _BIB))
    for _ in range(depth):
        content = _zip(("a.zip", content))
    return content


def _end_record(content: bytes, entries: int) -> bytes:
    """The same archive, whose last record tells another number of entries."""
    place = content.rfind(b"PK\x05\x06")
    return content[: place + 8] + struct.pack("<2H", entries, entries) + content[place + 12 :]


def _zip64(content: bytes, entries: int) -> bytes:
    """The same archive with a record that counts instead of the last, and so many more names in its list."""
    place = content.rfind(b"PK\x05\x06")
    size, start = struct.unpack("<2L", content[place + 12 : place + 20])
    names = content[start : start + size] * entries
    end = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, len(names), start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, start + len(names), 1)
    return content[:start] + names + end + locator + content[place:]


def _damaged(content: bytes, seed: int) -> bytes:
    choose, damaged = random.Random(seed), bytearray(content)
    for _ in range(max(3, len(content) // 100)):
        damaged[choose.randrange(8, len(content))] = choose.randrange(256)
    return bytes(damaged)


def archives() -> Makers:
    made: Makers = {
        "deflate bomb": lambda: _zip(("a.bib", b"@" * 700_000_000)),
        "bzip2 bomb": lambda: _zip(("a.bib", b"\0" * 50_000_000), method=zipfile.ZIP_BZIP2),
        "lzma bomb": lambda: _zip(("a.bib", b"\0" * 50_000_000), method=zipfile.ZIP_LZMA),
        "many": lambda: _zip(*((f"{n}.bib", b"") for n in range(60_000)), method=zipfile.ZIP_STORED),
        "hundreds": lambda: _zip(*((f"{n}.bib", _BIB) for n in range(500))),
        "one name": lambda: _zip(*[("a.bib", _BIB)] * 300),
        "upwards": lambda: _zip(("../../a.bib", _BIB), ("/etc/b.bib", _BIB), ("C:\\c.bib", _BIB)),
        "long name": lambda: _zip(("x" * 60_000 + ".bib", _BIB)),
        "odd name": lambda: _zip(("\u202egnp.bib", _BIB), ("a\nb.bib", _BIB), ("\x1b[31m.bib", _BIB)),
        "device": lambda: _zip(("CON.bib", _BIB), ("nul", _BIB), (".", _BIB)),
        "nested": lambda: _nested(1),
        "nested deeply": lambda: _nested(50),
        "few told": lambda: _end_record(_zip(*((f"{n}.bib", _BIB) for n in range(300))), 1),
        "many told": lambda: _end_record(_zip(("a.bib", _BIB)), 65_535),
        "many told twice": lambda: _zip64(_zip(("a.bib", _BIB)), 540_000),
        "without an end": lambda: _zip(("a.bib", _BIB))[:-22],
        "head alone": lambda: b"PK\x03\x04",
        "empty": lambda: b"PK\x03\x04" + b"\0" * 1000,
        "two ends": lambda: _zip(("a.bib", _BIB)) + _zip(("b.bib", _BIB)),
        "comment": lambda: _zip(("a.bib", _BIB)) + b"PK\x05\x06" * 10_000,
        "pictures": lambda: _zip(("a.png", b"\x89PNG\r\n\x1a\n\0\0"), ("b.svg", b"<svg onload='x()'/>")),
        "encrypted": lambda: _zip(("a.bib", _BIB)).replace(
            b"PK\x01\x02\x14\x03\x14\0\0", b"PK\x01\x02\x14\x03\x14\0\1"
        ),
    }
    base = _zip(("a.bib", _BIB * 20), ("b.ris", b"TY  - JOUR\nER  - \n"))
    made |= {f"damaged {seed}": lambda seed=seed: _damaged(base, seed) for seed in range(8)}  # type: ignore[misc]
    return {f"zip: {name}.zip": make for name, make in made.items()}


def _pdf(*objects: bytes, trailer: bytes = b"/Root 1 0 R") -> bytes:
    content, places = b"%PDF-1.7\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer << /Size %d %s >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, len(content))
    return content + head + table + tail


def _page(stream: bytes, more: bytes = b"", box: bytes = b"0 0 600 800", is_packed: bool = True) -> bytes:
    """One page with these contents."""
    packed = zlib.compress(stream, 9) if is_packed else stream
    return _pdf(
        b"<< /Type /Catalog /Pages 2 0 R " + more + b" >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [" + box + b"] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> /XObject << /X 6 0 R >> >> >>",
        b"<< /Length %d %s >>\nstream\n%s\nendstream"
        % (len(packed), b"/Filter /FlateDecode" if is_packed else b"", packed),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >> /Length 5 >>\n"
        b"stream\n/X Do\nendstream",
    )


def pdfs() -> Makers:
    catalog, pages = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1000000000 >>"
    made: Makers = {
        "mark alone": lambda: b"%PDF-1.7",
        "noise": lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(500_000),
        "pages in a circle": lambda: _pdf(catalog, pages),
        "no pages": lambda: _pdf(catalog, b"<< /Type /Pages /Kids [] /Count 5000 >>"),
        "many kids": lambda: _pdf(catalog, b"<< /Type /Pages /Count 300000 /Kids [" + b"2 0 R " * 300_000 + b"] >>"),
        "one page often": lambda: _pdf(
            catalog,
            b"<< /Type /Pages /Count 5000 /Kids [" + b"3 0 R " * 5000 + b"] >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        ),
        "deep arrays": lambda: _pdf(catalog, b"[" * 200_000 + b"]" * 200_000),
        "deep dictionaries": lambda: _pdf(catalog, b"<< /A " * 100_000),
        "xref in a circle": lambda: _pdf(catalog, pages, trailer=b"/Root 1 0 R /Prev 9"),
        "form in itself": lambda: _page(b"/X Do"),
        "bomb": lambda: _page(b"\0" * 300_000_000),
        "bomb of text": lambda: _page(b"BT /F1 9 Tf " + b"(aaaa) Tj " * 3_000_000 + b"ET"),
        "saved states": lambda: _page(b"q " * 5_000_000),
        "huge page": lambda: _page(b"BT /F1 9 Tf (a) Tj ET", box=b"0 0 1e30 1e30"),
        "no size": lambda: _page(b"BT /F1 9 Tf (a) Tj ET", box=b"0 0 0 0"),
        "tiny letters": lambda: _page(b"BT /F1 0.0000001 Tf " + b"(a b) Tj " * 100_000 + b"ET"),
        "scattered": lambda: _page(
            b"BT /F1 9 Tf "
            + b"".join(b"1 0 0 1 %d %d Tm (word) Tj " % (n % 600, n % 800) for n in range(60_000))
            + b"ET"
        ),
        "script": lambda: _page(b"", more=b"/OpenAction << /S /JavaScript /JS (while(1);) >>"),
        "launch": lambda: _page(b"", more=b"/OpenAction << /S /Launch /F (/bin/sh) >>"),
        "wrong length": lambda: _page(b"BT (a) Tj ET").replace(b"/Length ", b"/Length 99999999"),
        "filters": lambda: _page(b"x").replace(b"/Filter /FlateDecode", b"/Filter [" + b"/FlateDecode " * 9999 + b"]"),
        "picture": lambda: _page(b"BI /W 60000 /H 60000 /BPC 8 /CS /RGB ID x EI"),
        "long string": lambda: _pdf(catalog, b"(" * 3_000_000),
    }
    with tempfile.TemporaryDirectory() as folder:
        lines = [Text(f"Line {n} of a paper on cats", top=72 + 12 * n) for n in range(40)]
        base = write_pdf(Path(folder) / "base.pdf", [lines, lines]).read_bytes()
        locked = write_pdf(Path(folder) / "locked.pdf", [lines], encrypted=True).read_bytes()
    made["locked"] = lambda: locked
    made |= {f"damaged {seed}": lambda seed=seed: _damaged(base, seed) for seed in range(8)}  # type: ignore[misc]
    made |= {f"cut {n}": lambda n=n: base[: len(base) * n // 6] for n in range(1, 6)}  # type: ignore[misc]
    return {f"pdf: {name}.pdf": make for name, make in made.items()}


def _database(*statements: str, item: str = "'A title'") -> bytes:
    """One item whose title is this expression, then whatever else the statements do."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.executescript(SCHEMA)
    database.executescript(
        f"""INSERT INTO itemTypes VALUES (1, 'journalArticle'); INSERT INTO fields VALUES (1, 'title');
        INSERT INTO items VALUES (1, 1, 1, 'KEY00001'); INSERT INTO itemData VALUES (1, 1, 1);
        INSERT INTO itemDataValues VALUES (1, {item});"""
    )
    for statement in statements:
        database.executescript(statement)
    content = database.serialize()
    database.close()
    return content


def zotero() -> Makers:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT"
    made: Makers = {
        "endless view": lambda: _database(
            "DROP TABLE items",
            f"CREATE VIEW items AS {endless} x AS itemID, 1 AS itemTypeID, 1 AS libraryID, 'K' AS key FROM n",
        ),
        "endless values": lambda: _database(
            "DROP TABLE itemDataValues", f"CREATE VIEW itemDataValues AS {endless} 1 AS valueID, x AS value FROM n"
        ),
        "blob": lambda: _database(item="randomblob(1000)"),
        "large blob": lambda: _database(item="zeroblob(30000000)"),
        "number": lambda: _database(item="1e308 * 10"),
        "key of bytes": lambda: _database("UPDATE items SET key = x'fffe'"),
        "absolute file": lambda: _database(
            "INSERT INTO items VALUES (2, 1, 1, 'KEY00002')",
            "INSERT INTO itemAttachments VALUES (2, 1, 2, 'application/pdf', '/etc/passwd.pdf')",
        ),
        "upward file": lambda: _database(
            "INSERT INTO items VALUES (2, 1, 1, '../..')",
            "INSERT INTO itemAttachments VALUES (2, 1, 0, 'application/pdf', 'storage:../../../x.pdf')",
        ),
        "trigger": lambda: _database("CREATE TRIGGER t AFTER UPDATE ON items BEGIN DELETE FROM items; END"),
        "no tables": lambda: _database("DROP TABLE itemData", "DROP TABLE itemCreators"),
        "own parent": lambda: _database(
            "INSERT INTO itemAttachments VALUES (1, 1, 0, 'application/pdf', 'storage:a.pdf')"
        ),
        "empty": lambda: b"",
        "text": lambda: b"SQLite format 3\0",
        "noise": lambda: b"SQLite format 3\0" + random.Random(2).randbytes(100_000),
    }
    made |= {f"damaged {seed}": lambda seed=seed: _damaged(_database(), seed) for seed in range(4)}  # type: ignore[misc]
    return {f"zotero: {name}.sqlite": make for name, make in made.items()}


def pictures() -> Makers:
    size = struct.pack(">2L", 2**31 - 1, 2**31 - 1)
    made: Makers = {
        "huge.png": lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size + b"\x08\x06\0\0\0" + zlib.compress(b"\0" * 10**7),
        "named.pdf": lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size,
        "endless.gif": lambda: b"GIF89a\xff\xff\xff\xff\0\0\0" + b"\x21\xf9\x04\0" * 100_000,
        "comment.jpg": lambda: b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\xff\xfe\xff\xff" * 100_000,
        "circle.tiff": lambda: b"II*\0\x08\0\0\0\1\0" + b"\0" * 12 + b"\x08\0\0\0",
        "script.svg": lambda: b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        "entities.svg": lambda: b"<!DOCTYPE x [<!ENTITY a '&b;&b;'>]><svg>&a;</svg>",
        "words.png": lambda: b"no picture at all",
    }
    return {f"picture: {name}": make for name, make in made.items()}


def _docx(body: bytes, declared: bytes = b"", **parts: bytes) -> bytes:
    """A document of Word with this body, and other parts by the names of their files."""
    kind = b"application/vnd.openxmlformats-officedocument.wordprocessingml"
    space = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    package = b"http://schemas.openxmlformats.org/package/2006"
    to_document = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    types = (
        b'<Types xmlns="%s/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-'
        b'package.relationships+xml"/><Default Extension="xml" ContentType="%s.document.main+xml"/></Types>'
    )
    links = b'<Relationships xmlns="%s/relationships"><Relationship Id="r1" Type="%s" Target="word/document.xml"/>'
    return _zip(
        ("[Content_Types].xml", types % (package, kind)),
        ("_rels/.rels", links % (package, to_document) + b"</Relationships>"),
        ("word/document.xml", declared + b"<w:document %s><w:body>%s</w:body></w:document>" % (space, body)),
        *((f"word/{name}.xml", content) for name, content in parts.items()),
    )


def drafts() -> Makers:
    said = b"<w:p><w:r><w:t>Cats weigh 4 kg.</w:t></w:r></w:p>"
    doubling = b"".join(b'<!ENTITY e%d "&e%d;&e%d;">' % (n + 1, n, n) for n in range(40))
    field = b'<w:p><w:fldSimple w:instr="CITATION %s"><w:r><w:t>(Ames)</w:t></w:r></w:fldSimple></w:p>'
    begin = b'<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    includes = (
        ("a.tex", b"\\documentclass{article}\\input{b}"),
        ("b.tex", b"\\input{a}\\input{b}\\input{../a}" * 5_000),
    )
    made: Makers = {
        "entities.docx": lambda: _docx(
            b"<w:p><w:r><w:t>&e40;</w:t></w:r></w:p>", b'<!DOCTYPE w [<!ENTITY e0 "ha">%s]>' % doubling
        ),
        "file.docx": lambda: _docx(
            b"<w:p><w:r><w:t>&e;</w:t></w:r></w:p>", b'<!DOCTYPE w [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
        ),
        "deep.docx": lambda: _docx(b"<w:p>" * 100_000 + b"</w:p>" * 100_000),
        "deep within limits.docx": lambda: _docx((b"<w:p>" * 200 + said + b"</w:p>" * 200) * 500),
        "paragraphs.docx": lambda: _docx(said * 1_500_000),
        "one long word.docx": lambda: _docx(b"<w:p><w:r><w:t>" + b"x" * 9_000_000 + b"</w:t></w:r></w:p>"),
        "open fields.docx": lambda: _docx(b"<w:p>" + begin * 200_000 + b"</w:p>"),
        "many fields.docx": lambda: _docx(b"".join(field % (b"K%d" % n) for n in range(30_000))),
        "bomb.docx": lambda: _docx(said, media=b"\0" * 300_000_000),
        "without a document.docx": lambda: _zip(("word/document.xml", b"")),
        "includes itself.zip": lambda: _zip(*includes),
        "includes many.zip": lambda: _zip(
            *((f"{n}.tex", b"\\documentclass{article}\\input{%d} Cats." % (n + 1)) for n in range(150))
        ),
        "bibliographies.zip": lambda: _zip(
            ("a.md", b"Cats [@k1]."),
            *((f"{n}.bib", b"".join(b"@misc{k%d, title={T %d}}\n" % (k, k) for k in range(1000))) for n in range(50)),
        ),
        "braces.tex": lambda: b"\\documentclass{article}" + b"{" * 1_000_000,
        "environments.tex": lambda: b"\\begin{a}" * 100_000,
        "citations.tex": lambda: b"Cats \\cite{" + b"k," * 900_000 + b"}.",
        "formulas.tex": lambda: b"$" * 500_001,
        "sentences.md": lambda: b"Cats weigh 4 kg [@ames1999]. " * 60_000,
        "quotations.md": lambda: b'"Cats weigh four kilograms" [@ames1999]. ' * 40_000,
        "brackets.md": lambda: b"[@" * 900_000,
        "words.md": lambda: b"cat " * 8_000_000,
        "noise.txt": lambda: random.Random(3).randbytes(1_000_000),
        "circle.pdf": lambda: pdfs()["pdf: pages in a circle.pdf"](),
    }
    return {f"draft: {name}": make for name, make in made.items()}
