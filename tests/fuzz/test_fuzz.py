"""What the fuzzer has found stays fixed, and a little of its input is tried in every run of the tests."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.findings import CASES, names
from tests.fuzz.targets import TARGETS

FOUND = [(path.parent.name, path.name) for path in sorted(CASES.glob("*/*"))]


def test_every_target_has_cases_to_start_from() -> None:
    assert names() == sorted(TARGETS)
    assert {target for target, _ in FOUND} == set(TARGETS)


@pytest.mark.parametrize(("target", "case"), FOUND)
def test_a_case_that_was_found_stays_fixed(target: str, case: str) -> None:
    TARGETS[target].check((CASES / target / case).read_bytes())


@pytest.mark.parametrize("target", TARGETS)
@given(data=st.data())
@settings(max_examples=25, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_input_is_read(target: str, data: st.DataObject) -> None:
    TARGETS[target].check(data.draw(TARGETS[target].inputs))
