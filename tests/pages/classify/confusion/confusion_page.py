"""Reading the confusion page under test: what its frame, its table of measures and its captions say."""

import html
import json
import re
from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[4]
CELLS = ("tp", "fp", "fn", "tn")
RATIOS = (
    *("precision", "false_discovery_rate", "false_omission_rate", "negative_predictive_value", "recall", "miss_rate"),
    *("fall_out", "specificity", "accuracy", "error_rate"),
)
COUNTED = {  # by hand, in the order TP, FP, FN, TN
    "cancer_test": (20, 180, 10, 1820),
    "virus_test": (595, 4965, 105, 94335),
    "always_negative": (0, 0, 10, 9990),
    "four_methods": (95, 30, 5, 70),
    "two_classifiers": (70, 140, 30, 860),
    "woman_man_child": (13, 6, 7, 74),
    "cat_fish_hen": (4, 9, 2, 10),
    "eight_labels": (1, 1, 2, 4),
    "oracle_false": (1, 1, 0, 4),
    "roc_20": (6, 4, 4, 6),
    "roc_ties_10": (4, 4, 1, 1),
    "glucose_10": (4, 1, 1, 4),
}


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    test.session_state["formulas"] = test.session_state["all measures"] = True  # unfolded
    test.switch_page("pages/classify/confusion.py").run()
    assert not test.exception
    return test


def frame(test: AppTest) -> dict:
    """What the component is given."""
    return json.loads(test.get("bidi_component")[0].proto.json)


def cells(test: AppTest) -> tuple[float, ...]:
    return tuple(cell["value"] for cell in frame(test)["cells"])


def shown(text: str) -> str:
    """What a reader sees of a label: its character references read, its invisible joiners gone."""
    return html.unescape(text).replace("\u2060", "").replace("\u202f", "")


def measures(test: AppTest) -> dict[str, tuple[str, str, str]]:
    """The table of measures: value, interval and n by name."""
    body = next(e.proto.body for e in test.get("html") if 'class="measures"' in e.proto.body)
    rows = re.findall(
        r"<tr><td><a [^>]*>(.+?)</a>(?: <span.*?)?</td><td.*?>(.*?)</td><td.*?>(.*?)</td><td>(.*?)</td><td>.*?</tr>",
        body,
    )
    return {shown(name): tuple(shown(re.sub("<.*?>", "", cell)) for cell in rest) for name, *rest in rows}


def captions(test: AppTest) -> str:
    return shown(" ".join(caption.value for caption in test.main.caption))


def formulas(test: AppTest) -> str:
    return next(m.value for m in test.markdown if r"$\displaystyle" in m.value).replace("\\,", "")
