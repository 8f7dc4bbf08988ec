"""The search is one code for every engine: only an engine's own room knows its queries."""

import ast
from pathlib import Path

from papercore import retrieval

ROOM = Path(retrieval.__file__).parent
# Text is analysed by tantivy's analyzers whatever the engine, so that all engines find the same terms.
SHARED = {"analysis.py"}


def test_only_the_embedded_engine_knows_tantivy() -> None:
    outside = [path for path in ROOM.rglob("*.py") if path.name not in SHARED and path.parent.name != "embedded"]
    assert outside
    assert {path.name for path in outside if "tantivy" in _imported(path)} == set()


def _imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
