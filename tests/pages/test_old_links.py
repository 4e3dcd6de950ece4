"""Links that were sent before still open the same screen.

`old_links.json` was recorded with the application as it was before its rooms were moved (version 0.1.0): for each page
and setting the link, what the address line held after the run, the values of all controls, and how many finite numbers
the charts and the tables hold, with their sum to six digits. Only where a link names no measure to compare scores by,
it is now the AUC; an option that was renamed has its new name in the address; and the slider of a threshold stands at
the threshold itself.
"""

import base64
import json
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
LINKS = json.loads(Path(__file__).with_name("old_links.json").read_text(encoding="utf-8"))
CONTROLS = "selectbox number_input toggle multiselect slider select_slider button_group radio checkbox".split()


@pytest.mark.parametrize("old", LINKS, ids=lambda old: f"{old['page'].removeprefix('pages/')} {old['link']}")
def test_an_old_link_opens_the_same_screen(old: dict) -> None:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    test.query_params.update(old["link"])
    test.switch_page(old["page"]).run()
    assert not test.exception
    address = {key: value[0] if isinstance(value, list) else value for key, value in test.query_params.items()}
    assert address == old["address"]
    gone = Counter(map(tuple, old["values"])) - Counter(map(tuple, controls(test)))
    assert not gone  # there may be new controls
    charts = [trace.get(axis) for chart in plotly(test) for trace in chart["data"] for axis in "xyz"]
    assert digest(numbers(charts)) == old.get("charts", digest(numbers(charts)))
    assert digest(in_tables(test)) == old["tables"]


def controls(test: AppTest) -> list[list[str]]:
    """Kind and value of every control that is not in the side bar."""
    found = [(kind, widget) for kind in CONTROLS for widget in test.get(kind)]
    return sorted([kind, repr(w.value)] for kind, w in found if not str(w.key).startswith("sidebar"))


def plotly(test: AppTest) -> list[dict]:
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def in_tables(test: AppTest) -> list[float]:
    frames = [frame.value for frame in test.get("arrow_data_frame")]
    columns = [frame[name] for frame in frames for name in frame.columns if frame[name].dtype.kind in "iuf"]
    return [float(value) for column in columns for value in column]


def numbers(part: object) -> Iterator[float]:
    if isinstance(part, dict) and "bdata" in part:
        yield from map(float, np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"]))
    elif isinstance(part, dict):
        yield from numbers(list(part.values()))
    elif isinstance(part, list):
        for inner in part:
            yield from numbers(inner)
    elif isinstance(part, (int, float)) and not isinstance(part, bool):
        yield float(part)


def digest(values: Iterator[float] | list[float]) -> list[float]:
    finite = [value for value in values if math.isfinite(value)]
    return [len(finite), float(f"{math.fsum(finite):.6g}")]
