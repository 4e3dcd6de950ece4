"""The page of curves in tests: opened at an address, and what it shows."""

import contextlib
import io
import json
import runpy
import tempfile
from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.readers import read_table
from pages.widgets.session.visitor import workspace
from tests.pages.application import application


def curves(data: str | None = None, **parameters: str) -> AppTest:
    test = application()
    test.query_params.update(({"data": data} if data else {}) | parameters)
    test.session_state["formulas"] = True  # unfolded
    test.switch_page("pages/classify/curves.py").run()
    assert not test.exception
    assert not test.error
    return test


def stored(csv: str) -> str:
    return workspace().save(read_table(csv.encode(), "table.csv"))


def text(test: AppTest) -> str:
    return "\n".join(element.value for element in (*test.main.markdown, *test.main.caption)).replace("\u202f", " ")


def charts(test: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def printed_by(code: str) -> str:
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
        script = Path(folder) / "curves.py"
        script.write_text(code)
        runpy.run_path(str(script))
    return printed.getvalue()
