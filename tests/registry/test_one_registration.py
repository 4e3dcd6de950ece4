"""A measure registered once stands in every table of its family, in the formulas, the scripts and the properties."""

import contextlib
import copy
import html
import io
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evalcore import METRICS, find, metric
from evalcore.analyses import DecisionRecord, Scores, Source, definitions
from evalcore.glossary import entries, entry_of, relations
from evalcore.numeric import ratio
from evalcore.readers import read_sample
from evalcore.registry import measures as names
from evalcore.wording import entry_link, linked_mentions
from pages.widgets.classify.threshold import threshold
from pages.widgets.session.address import written
from tests.pages.application import application, unfold
from tests.pages.application import tables as shown_tables
from tests.pages.test_every_page import problem
from tests.registry import test_properties
from tests.registry.families import each_of, of_family

pytestmark = pytest.mark.usefixtures("fewer_resamples")
NAMES = {
    "counts": ("detected_share", "Detected share", "DSH"),
    "matrix": ("least_recall", "Least recall", "minTPR"),
    "scores": ("top_half_share", "Share in the top half", "TOPH"),
    "probabilities": ("own_probability", "Probability of the own class", "OWNP"),
    "label sets": ("labels_predicted", "Labels predicted per row", "LPR"),
    "label scores": ("labels_scored", "Labels with a score", "LWS"),
    "retrieval": ("first_grade", "Grade of the first", "G1"),
}
FACTS = {"formula": r"\frac{TP}{n}", "lowest": 0, "highest": 1, "better": "higher", "reference": "powers2011"}


def detected_share(counts):
    """Share of all rows that are true positives."""
    return ratio(counts.tp, counts.total)


def least_recall(matrix):
    """The lowest recall of any class."""
    recalls = ratio(np.diagonal(matrix.counts), matrix.counts.sum(axis=1))
    return float(np.nanmin(recalls)) if np.isfinite(recalls).any() else float("nan")


def top_half_share(scored):
    """Share of the positives among the rows with the highest half of the thresholds."""
    return float(ratio(scored.steps.tp[len(scored.steps.tp) // 2], scored.positives))


def own_probability(table):
    """Mean of the probability that each row gives to its own class."""
    return table.mean(table.of_actual)


def labels_predicted(sets):
    """Labels predicted per row."""
    return float(ratio(len(sets.predicted), sets.rows))


def labels_scored(scores):
    """Labels that have a score."""
    return float(len(scores.classes)) if scores.rows else float("nan")


def first_grade(hits):
    """Whether the first document was judged relevant."""
    found = np.zeros(len(hits))
    found[hits.query[(hits.rank == 1) & (hits.grade >= 1)]] = 1
    return found


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """One measure of each family, gone after the tests of this file."""
    # As a page may have asked before.
    assert all((entries(), relations(), definitions(), linked_mentions("recall"), threshold._DRAWABLE))
    before = copy.deepcopy((dict(METRICS), names._names, names._patterns))
    for family, (function, name, symbol) in NAMES.items():
        reads = ("tp", "tp fp fn tn") if family == "counts" else ()
        metric(name=name, symbol=symbol, family=family, reads=reads, undefined_when="there are no rows", **FACTS)(
            globals()[function]
        )
    _forget()
    yield
    screen.cache_clear()
    for kept, now in zip(before, (METRICS, names._names, names._patterns), strict=True):
        now.clear()
        now.update(kept)
    _forget()


def _forget() -> None:
    """What Streamlit keeps was made with other measures."""
    st.cache_data.clear()
    st.cache_resource.clear()


@cache
def screen(page: str, **address: str) -> AppTest:
    """A page with all that is folded on it."""
    test = application()
    test.query_params.update(address)
    assert problem(unfold(test.switch_page(page))) == ""
    return test


WHOLE = {"classes_part": "Overall measures"}


def tables(test: AppTest) -> str:
    """Everything in tables: their HTML, and the columns and texts of data frames."""
    words = [str(word) for frame in shown_tables(test) for word in (*frame.columns, *frame.iloc[:, 0])]
    return html.unescape(" ".join([*(element.proto.body for element in test.get("html")), *words]))


def formulas(test: AppTest) -> str:
    return "\n".join(element.value for element in test.main.markdown)


def options(test: AppTest) -> list[str]:
    return [option for box in (*test.main.selectbox, *test.main.multiselect) for option in box.options]


def printed_by(code: str, folder: Path) -> str:
    printed, script = io.StringIO(), folder / "script.py"
    script.write_text(code, encoding="utf-8")
    with contextlib.redirect_stdout(printed):
        runpy.run_path(str(script))
    return printed.getvalue()


@pytest.mark.parametrize(
    ("family", "page", "address"),
    [
        ("counts", "pages/classify/confusion.py", {"data": "cancer_test"}),
        ("counts", "pages/classify/classes.py", {"data": "digits"}),
        ("counts", "pages/classify/compare.py", {"data": "breast_cancer", "compare_part": "Every measure"}),
        ("matrix", "pages/classify/classes.py", {"data": "digits"} | WHOLE),
        ("matrix", "pages/classify/compare.py", {"data": "digits", "compare_part": "Every measure"}),
        ("scores", "pages/classify/curves.py", {"data": "breast_cancer"}),
        ("scores", "pages/classify/curves.py", {"data": "digits_probabilities"}),
        ("scores", "pages/classify/compare.py", {"data": "breast_cancer", "compare_part": "Threshold-free"}),
        ("label sets", "pages/classify/classes.py", {"data": "digits_label_sets"} | WHOLE),
        ("label scores", "pages/classify/classes.py", {"data": "digits_labels"} | WHOLE),
        ("probabilities", "pages/classify/probabilities.py", {"data": "breast_cancer"}),
        ("probabilities", "pages/classify/probabilities.py", {"data": "digits_probabilities"}),
        ("probabilities", "pages/classify/probabilities.py", {"data": "roc_20", "probabilities_part": "Recalibrate"}),
    ],
)
def test_it_stands_in_the_tables(family: str, page: str, address: dict[str, str]) -> None:
    _, name, symbol = NAMES[family]
    shown = tables(screen(page, **address))
    assert name in shown or symbol in shown


@pytest.mark.parametrize(
    ("family", "page", "data"),
    [
        ("counts", "pages/classify/confusion.py", "cancer_test"),
        ("counts", "pages/classify/classes.py", "digits"),
        ("matrix", "pages/classify/classes.py", "digits"),
        ("scores", "pages/classify/curves.py", "breast_cancer"),
        ("label sets", "pages/classify/classes.py", "digits_labels"),
        ("label scores", "pages/classify/classes.py", "digits_labels"),
        ("probabilities", "pages/classify/probabilities.py", "breast_cancer"),
    ],
)
def test_it_stands_in_the_formulas_and_the_script(family: str, page: str, data: str, tmp_path: Path) -> None:
    key, name, symbol = NAMES[family]
    test = screen(page, data=data)
    assert f"**{name}**" in formulas(test)
    code = test.code[0].value
    printed = printed_by(code, tmp_path)
    assert key in code or name in printed or symbol in printed


def test_a_measure_of_counts_stands_at_a_threshold_and_in_its_record() -> None:
    assert f"**{NAMES['counts'][1]}**" in formulas(screen("pages/classify/threshold.py", data="breast_cancer"))
    scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    decision = DecisionRecord(scores, 0.5)
    assert decision.record["measures"][NAMES["counts"][0]]["interval"] == "Wilson"
    assert NAMES["counts"][0] in decision.code


@pytest.mark.parametrize(
    ("family", "data"), [("counts", "breast_cancer"), ("matrix", "digits"), ("scores", "breast_cancer")]
)
def test_two_systems_are_better_by_it(family: str, data: str, tmp_path: Path) -> None:
    key, name, _ = NAMES[family]
    assert name in options(screen("pages/classify/compare.py", data=data))
    test = screen("pages/classify/compare.py", data=data, by=name)
    assert name.lower() in formulas(test).lower()
    assert f"METRICS[{key!r}]" in test.code[0].value
    assert name.lower() in printed_by(test.code[0].value, tmp_path).lower()


def test_rankings_are_measured_and_compared_by_it(tmp_path: Path) -> None:
    _, name, symbol = NAMES["retrieval"]
    offered = screen("pages/retrieve/ranking.py", data="two_methods")
    assert any(name in option for option in options(offered))
    chosen = screen("pages/retrieve/ranking.py", data="two_methods", columns=written([[symbol]]))
    assert f"[**{name}**](" in formulas(chosen)
    assert symbol in tables(chosen)
    assert symbol in chosen.code[0].value
    printed_by(chosen.code[0].value, tmp_path)
    compared = screen("pages/retrieve/compare.py", data="two_methods")
    assert any(name in option for option in options(compared))


@pytest.mark.parametrize("family", NAMES)
def test_it_is_found_by_its_names_and_has_its_properties_tested(family: str) -> None:
    key, name, symbol = NAMES[family]
    definition = METRICS[key]
    assert find(name, family=family).key == find(symbol, family=family).key == key
    assert definition in of_family(family)
    assert definition in each_of(family).args[1]
    assert definition.help == definition.summary
    assert entry_of(name) == entries()[key]
    assert f"\n{key}\t{name}\t" in definitions()
    assert linked_mentions(name) == f"[{name}]({entry_link(key)})"


def test_the_properties_hold_for_it() -> None:
    test_properties.test_the_shape_is_the_axis(METRICS["detected_share"])
    test_properties.test_values_of_classes_stay_in_their_range_or_are_undefined(METRICS["least_recall"])
    test_properties.test_neither_the_order_of_the_classes_nor_the_unit_of_the_counts_matters(METRICS["least_recall"])
    test_properties.test_values_of_scores_stay_in_their_range_or_are_undefined(METRICS["top_half_share"])


def test_what_is_derived_from_a_share_follows_from_its_cells() -> None:
    definition = METRICS["detected_share"]
    facts = (definition.share_of, definition.group, definition.interval, definition.paired_test, definition.percent)
    assert facts == ("rows", "Of all rows", "share", "share", True)
