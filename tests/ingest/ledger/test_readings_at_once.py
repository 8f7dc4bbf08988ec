"""Several imports open the file of readings at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ingest.ledger.readings import StoredReadings


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    def open_and_close(number: int) -> None:
        folder = tmp_path / str(number // 8)
        folder.mkdir(exist_ok=True)
        StoredReadings(folder).close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(open_and_close, range(160)))
