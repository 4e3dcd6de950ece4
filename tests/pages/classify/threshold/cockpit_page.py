"""The threshold page opened for a test, and what goes to the browser read back as the browser reads it."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.classification import ConfusionCounts, ScoredLabels
from evalcore.readers.samples import read_sample
from tests.pages.uploads import stored

ROOT = Path(__file__).parents[4]
CELLS = ("tp", "fp", "fn", "tn")
INF = float("inf")
THIN = "\u202f"


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/threshold.py").run()
    assert not test.exception
    return test


def of_scores(positives: list[float], negatives: list[float]) -> str:
    rows = [f"1,{score!r}" for score in positives] + [f"0,{score!r}" for score in negatives]
    return stored("actual,score\n" + "\n".join(rows) + "\n")


def payload(test: AppTest) -> dict:
    """What goes to the browser, refusing nan as a browser does."""
    refuse = {"parse_constant": lambda constant: pytest.fail(f"{constant} in the payload")}
    sheet, main = (json.loads(element.proto.json, **refuse) for element in test.get("bidi_component"))
    assert main["sheet"] == sheet["name"]
    return main | {"sheet": json.loads(sheet["sheet"], **refuse), "over": json.loads(main["over"], **refuse)}


def places(text: str) -> list[float]:
    """Codes read back as the browser reads them."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    pairs = [text[k : k + 2] for k in range(0, len(text), 2)]
    return [np.nan if p == ".." else (letters.index(p[0]) * 64 + letters.index(p[1])) / 4095 for p in pairs]


def written(column: list[str]) -> list[str]:
    """Texts read back as the browser reads them."""
    if len(column) == 3:
        return [column[1]] * int(column[2])
    found, before = [], ""
    for part in column[1].split("|"):
        before = before[: int(part[0])] + part[1:]
        found.append(before if before == "undefined" else before.replace("_", THIN) + column[0])
    return found


def number(text: str) -> float:
    return float(text.replace(THIN, "").replace("−", "-").replace("∞", "inf"))


def cells_of(columns: dict) -> list[tuple[float, ...]]:
    return list(zip(*(map(number, written(columns["cells"][cell])) for cell in CELLS), strict=True))


def outcomes(test: AppTest) -> tuple[float, ...]:
    """The four counts at the threshold in use."""
    return cells_of(payload(test)["now"]["row"])[0]


def thresholds(columns: dict) -> list[float]:
    return list(map(number, written(columns["t"])))


def drawn(test: AppTest) -> tuple[float, float]:
    """Rows above and below the base line, as a reader of the picture would add them up."""
    density = payload(test)["sheet"]["density"]
    if density["kind"] == "dots":
        return float(sum(density["up"])), float(len(density["up"]) - sum(density["up"]))
    said = [text.rpartition(": ")[2].split(", ") for text in density["said"]]
    return tuple(float(sum(number(pair[k].split(" ")[0]) for pair in said)) for k in (0, 1))


def state(sample: str, system: str | None = None, higher: bool = True) -> ScoredLabels:
    rows = read_sample(sample).scored_arrays(system)
    return ScoredLabels.from_arrays(rows.labels, rows.scores, weights=rows.weights, higher_is_positive=higher)


def four(counts: ConfusionCounts) -> tuple[float, ...]:
    return tuple(float(getattr(counts, cell)) for cell in CELLS)
