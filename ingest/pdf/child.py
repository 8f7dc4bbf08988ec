"""The process that reads PDFs: takes paths from its standard input, one after the other, and answers."""

from pathlib import Path

from msgspec import to_builtins

from ingest.pdf.reading import CannotReadPdf, read_pdf
from papercore import limits
from papercore.processes.children import answer_parent


def main() -> None:
    answer_parent(_answer, limits.PDF_SECONDS, limits.PDF_MEMORY_BYTES)


def _answer(message: bytes) -> dict[str, object]:
    try:
        text = read_pdf(Path(message.decode()))
    except CannotReadPdf as error:
        return {"failure": str(error)}
    except MemoryError:
        return {"failure": "it needs too much memory"}
    except Exception as error:  # noqa: BLE001 (any file must get an answer)
        return {"failure": f"reading it failed ({type(error).__name__})"}
    answer: dict[str, object] = to_builtins(text)
    return answer


if __name__ == "__main__":
    main()
