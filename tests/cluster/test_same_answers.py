"""The tests of search that the embedded engine passes, on the cluster: the same bodies."""

import inspect
from types import ModuleType

from tests.papercore.retrieval import (
    test_bounds,
    test_facets,
    test_known_items,
    test_passages,
    test_properties,
    test_search,
    test_slips,
)

# Its subject is tantivy's own way to fail.
NOT_HERE = {"test_a_panic_of_the_engine_is_an_error_that_can_be_answered"}


def _bodies(module: ModuleType, fixture: str) -> dict[str, object]:
    """The tests that ask the index they are given, rather than build one in a folder."""
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_") and name not in NOT_HERE}
    return {name: test for name, test in tests.items() if fixture in inspect.signature(test).parameters}


for _module in (test_search, test_properties, test_bounds):
    globals().update(_bodies(_module, "index"))
globals().update(_bodies(test_passages, "passages"))
globals().update(_bodies(test_facets, "many_authors"))
globals().update(_bodies(test_slips, "slips"))
globals().update(_bodies(test_known_items, "known"))
