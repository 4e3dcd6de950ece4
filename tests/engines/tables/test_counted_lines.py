"""Lists of rows of a table that was counted: its lines are counts, and say for how many rows they stand."""

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.analyses import (
    ClassTable,
    Disagreement,
    ErrorGroups,
    EstimateRows,
    LabelPairs,
    Losses,
    ProbabilitySource,
    RowsOfErrors,
    Slices,
    Source,
    compare_systems,
    search_slices,
    usual_distributions,
    ways_to_compare,
)
from evalcore.engines import summary_dataset
from evalcore.readers import roles_of, slice_columns
from evalcore.wording import count_text, number_text
from tests.words import sentence_with

ROWS = 2000


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    random = np.random.default_rng(2)
    score = random.random(ROWS)
    words = {"actual": random.random(ROWS) < score, "a": score > 0.5, "b": score + random.random(ROWS) / 4 > 0.7}
    columns = {name: np.where(values, "ill", "well") for name, values in words.items()}
    return pd.DataFrame(
        columns | {"score": score, "estimate": (score * 4).round(), "site": random.integers(0, 3, ROWS)}
    )


def test_labels_are_in_the_order_of_their_rows() -> None:
    frame = pd.DataFrame({"actual": list("aabbbbbcccc"), "predicted": list("abbbbbbabca")})
    counted = summary_dataset(frame, roles_of(actual="actual", predicted=("predicted",)))
    assert counted.labels == ["b", "c", "a"]  # in lines of counts c has three, a two and b one


def test_disagreements_of_counted_labels_are_numbers_of_rows(frame: pd.DataFrame) -> None:
    counted = summary_dataset(frame, roles_of(actual="actual", predicted=("a", "b"), positive="ill", group="site"))
    only_b = int(((frame["b"] == frame["actual"]) & (frame["a"] != frame["actual"])).sum())
    said = Disagreement(compare_systems(Source.of(counted))).selection("b").title
    assert said.startswith(f"**{only_b}** of 2\u202f000 rows: B right, A wrong.")
    assert sentence_with(said, "as rows says")
    source = Source.of(counted)
    table = ClassTable.of(source, "a", LabelPairs.of(source, "a"))
    slices = Slices(table, "ill", METRICS["recall"], search_slices(table, "ill", METRICS["recall"]))
    assert sentence_with(slices.verdict, "not loaded")


def test_the_other_end_of_a_bin_cuts_no_slices(frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalcore.engines.scores._FEW_SCORES", 0)
    counted = summary_dataset(frame, roles_of(actual="actual", score=("score",), positive="ill", group="site"))
    assert "other end of score" in counted.frame
    assert [column.name for column in slice_columns(counted)[0]] == ["site"]


def test_columns_that_counting_adds_are_not_compared(frame: pd.DataFrame) -> None:
    scores = Source.of(summary_dataset(frame, roles_of(actual="actual", score=("score",), positive="ill")))
    assert list(ways_to_compare(scores)) == ["groups", "typed"]
    samples = usual_distributions(scores).samples
    sizes = [(frame["actual"] == label).sum() for label in ("ill", "well")]
    assert [samples.weights_p.sum(), samples.weights_q.sum()] == sizes
    estimates = Source.of(summary_dataset(frame, roles_of(truth="estimate", estimate=("site",), group="actual")))
    assert list(ways_to_compare(estimates)) == ["typed"]
    groups = ErrorGroups(EstimateRows.of(estimates), 0.95)
    assert sorted(groups.table["rows"]) == sorted(frame["actual"].value_counts())


def test_rows_that_gave_nothing_to_their_class_are_counted_and_weights_say_what_they_are(frame: pd.DataFrame) -> None:
    rounded = frame.assign(score=frame["score"].round(), weight=0.5 + frame["score"])
    roles = {"actual": "actual", "score": ("score",), "positive": "ill"}
    source = Source.of(summary_dataset(rounded, roles_of(**roles)))
    wrong = int(((rounded["score"] == 1) != (rounded["actual"] == "ill")).sum())
    losses = Losses.of(ProbabilitySource.of(source).table)
    assert (losses.clipped, losses.impossible) == (wrong, wrong)
    weighted = Source.of(summary_dataset(rounded, roles_of(**roles, weight="weight")))
    effective = rounded["weight"].sum() ** 2 / (rounded["weight"] ** 2).sum()
    assert (weighted.rows, weighted.positives, weighted.size) == (2000, None, "2\u202f000 rows")
    total, worth = count_text(rounded["weight"].sum()), number_text(effective)
    assert sentence_with(weighted.weights_text, total, worth)
    assert sentence_with(weighted.rows_note, "effective number")


def test_errors_of_cells_are_those_of_their_rows(frame: pd.DataFrame) -> None:
    counted = summary_dataset(frame, roles_of(truth="estimate", estimate=("site",)))
    estimates = EstimateRows.of(Source.of(counted))
    every = RowsOfErrors(estimates, np.arange(len(estimates.state)), brushed=True)
    assert every.verdict.startswith("**2\u202f000 rows** in the rectangle")
