"""Systems without limits of memory (Windows), or that refuse to set them (macOS): files are read, and time still ends.

The child process imports `resource` from the import path of its parent, so that a module before it can stand in for
what such a system has.
"""

from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from evalcore.readers import ReadProblem, read_table
from evalcore.readers.files import columnar
from tests.readers.trec.test_limits import TABLE, ods, xlsx

SYSTEMS = {
    "no such module": "raise ImportError",
    "limits that cannot be set": "RLIMIT_AS = RLIMIT_CPU = RLIMIT_CORE = 0\ndef setrlimit(*_): raise ValueError",
    "no such limit": "def setrlimit(*_): pass",
}


@pytest.fixture(params=SYSTEMS, autouse=True)
def system(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "resource.py").write_text("open(__file__ + '.asked', 'w').close()\n" + SYSTEMS[request.param])
    monkeypatch.syspath_prepend(tmp_path)
    yield
    assert (tmp_path / "resource.py.asked").exists()


def test_a_workbook_is_read() -> None:
    pd.testing.assert_frame_equal(read_table(xlsx(bytes), "x.xlsx").frame, TABLE)


def test_a_workbook_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "TASK_SECONDS", 1)
    cell = '<table:table-cell office:value-type="string"><text:p>a</text:p><office:annotation><text:p>'
    with pytest.raises(ReadProblem, match="takes longer than 1 second"):
        read_table(ods(f'<table:table table:name="x"><table:table-row>{cell}'), "x.ods")
