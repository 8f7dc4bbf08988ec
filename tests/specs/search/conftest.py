"""A served folder with an index."""

from pathlib import Path

import pytest

from papersite.command.commands import call_command
from tests.specs.folders import write

CHINESE = "## Purpose\n管理导出。\n## Requirements\n### Requirement: 导出文献\n系统 SHALL 导出全部文献条目。\n"
CHINESE += "#### Scenario: 空列表\n- **WHEN** 没有条目\n- **THEN** 返回空文件\n"


@pytest.fixture
def indexed(openspec: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The folder of three specs, one of them in Chinese, with an index of their four requirements."""
    write(openspec, {"specs/export/spec.md": CHINESE})
    call_command("build_spec_index")
    return openspec
