"""The page of classes opened for a test, and what it shows."""

import json
import os
from base64 import b64decode
from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from evalcore.readers import Workspace, read_table
from tests.pages.application import tables

ROOT = Path(__file__).parents[4]
DIGITS = pd.read_csv(ROOT / "sample_data" / "digits.csv", dtype=str)


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    test.switch_page("pages/classify/classes.py").run()
    assert not test.exception
    return test


def stored(table: pd.DataFrame | str) -> str:
    content = table if isinstance(table, str) else table.to_csv(index=False)
    return Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(read_table(content.encode(), "table.csv"))


def components(test: AppTest) -> list[dict]:
    return [json.loads(component.proto.json) for component in test.get("bidi_component")]


def picture(test: AppTest) -> dict:
    return next(data for data in components(test) if "shade" in data)


def frames(test: AppTest) -> list[list[float]]:
    """TP, FP, FN and TN of each collapse on the page."""
    return [[cell["value"] for cell in data["cells"]] for data in components(test) if "ratios" in data]


def told(test: AppTest, layer: int = 0) -> list[list[str]]:
    data = picture(test)
    chosen = data["layers"][layer]
    index = np.frombuffer(b64decode(chosen["index"]), dtype={2: "<u2", 4: "<u4"}[chosen["bytes"]])
    return [[chosen["texts"][place] for place in row] for row in index.reshape(data["k"], -1).tolist()]


def captions(test: AppTest) -> str:
    return " ".join(caption.value for caption in test.main.caption)


def table_of(test: AppTest, key: str) -> pd.DataFrame:
    """A table by one of its columns."""
    return next(table for table in tables(test) if key in table)


def count(actual: str, predicted: str, system: str = "logistic_regression") -> int:
    return int(((DIGITS.actual == actual) & (DIGITS[system] == predicted)).sum())
