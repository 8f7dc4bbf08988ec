"""Ranges of bytes, as browsers ask for them."""

import pytest

from papercore.snapshot.assets import ByteRange, RangeNotSatisfiable, requested_range, sent_range


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("bytes=0-", ByteRange(0, 99, 100)),
        ("bytes=0-0", ByteRange(0, 0, 100)),
        ("bytes=10-19", ByteRange(10, 19, 100)),
        ("bytes=99-99", ByteRange(99, 99, 100)),
        ("bytes=90-1000", ByteRange(90, 99, 100)),
        ("bytes=-10", ByteRange(90, 99, 100)),
        ("bytes=-1000", ByteRange(0, 99, 100)),
        ("", None),
        ("bytes=-", None),
        ("bytes=19-10", None),
        ("bytes=0-9,20-29", None),
        ("lines=0-9", None),
        ("bytes=a-b", None),
        ("bytes=٣-٤", None),
        (f"bytes={'9' * 30}-", None),
    ],
)
def test_one_range_is_understood_and_anything_else_is_the_whole_file(header: str, found: ByteRange | None) -> None:
    assert requested_range(header, 100) == found


@pytest.mark.parametrize(("header", "total"), [("bytes=100-", 100), ("bytes=0-", 0), ("bytes=-0", 100)])
def test_a_range_after_the_end_is_refused(header: str, total: int) -> None:
    with pytest.raises(RangeNotSatisfiable) as caught:
        requested_range(header, total)
    assert caught.value.details["content_range"] == f"bytes */{total}"


def test_what_is_sent_is_read_again() -> None:
    part = ByteRange(10, 19, 100)
    assert sent_range(str(part)) == part
    assert part.length == 10
    assert sent_range("bytes 0-9/*") is None
