"""Links that were sent before still open a screen of the same controls and numbers.

`old_links.json` holds for each page and setting the link as version 0.1.0 wrote it, and what the address line, the
controls, the charts and the tables hold after the run: finite numbers are counted, with their sum to six digits.
``python -m tests.pages.test_old_links`` writes it anew where a page shows something else on purpose.
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
    now = screen(old["page"], old["link"])
    assert now["address"] == old["address"]
    assert not Counter(map(tuple, old["values"])) - Counter(map(tuple, now["values"]))  # there may be new controls
    assert [now["charts"], now["tables"]] == [old["charts"], old["tables"]]


def screen(page: str, link: dict[str, str]) -> dict:
    """What the address, the controls, the charts and the tables of a page hold after its link was opened."""
    test = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    test.query_params.update(link)
    test.switch_page(page).run()
    assert not test.exception
    address = {key: value[0] if isinstance(value, list) else value for key, value in test.query_params.items()}
    charts = [trace.get(axis) for chart in plotly(test) for trace in chart["data"] for axis in "xyz"]
    drawn = {"charts": digest(numbers(charts)), "tables": digest(in_tables(test))}
    return {"page": page, "link": link, "address": address, "values": controls(test), **drawn}


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


if __name__ == "__main__":
    screens = [screen(old["page"], old["link"]) for old in LINKS]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in screens)
    Path(__file__).with_name("old_links.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
