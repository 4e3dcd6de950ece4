"""A data set made of a summary gives the numbers of the rows, with their intervals."""

import numpy as np
import pyarrow as pa
import pytest

from evalcore.classification import accuracy, roc_auc
from evalcore.engines import auc_bounds, open_stored, roles_in, score_keys, summary_dataset
from evalcore.engines.scores import ScoreCounts
from evalcore.inference import delong
from evalcore.readers import DataSet, ReadProblem, roles_of

N = 3000


@pytest.fixture(scope="module")
def table() -> pa.Table:
    random = np.random.default_rng(5)
    ill = random.random(N) < 0.3
    return pa.table(
        {
            "ill": pa.array(np.where(ill, "ja", "nein"), mask=random.random(N) < 0.01),
            "score": np.round(random.beta(2 + ill, 3), 5),
            "predicted": np.where(ill ^ (random.random(N) < 0.2), "ja", "nein"),
            "rows": random.choice(["north", "süd"], N),
        }
    )


SCORES = roles_of(actual="ill", score=("score",), positive="ja", group="rows")
LABELS = roles_of(actual="ill", predicted=("predicted",), positive="ja", group="rows")


def test_scores_have_the_areas_and_intervals_of_the_rows(table: pa.Table) -> None:
    data, whole = summary_dataset(table, SCORES), DataSet.of(table.to_pandas(), roles=SCORES)
    ours, theirs = data.scored(), whole.scored()
    assert ours.steps.tp.tolist() == theirs.steps.tp.tolist()
    assert roc_auc(ours) == roc_auc(theirs)
    intervals = [delong(state) for state in (ours, theirs)]
    assert intervals[0].low == pytest.approx(intervals[1].low, rel=1e-12)
    assert data.tally() == (theirs.positives + theirs.negatives, theirs.positives)
    assert data.roles.weight == "rows counted"
    assert f"and {whole.left_out()} without a label" in data.findings[0].sentence


def test_bins_stand_where_their_counts_are_exact(table: pa.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    data, whole = summary_dataset(table, SCORES), DataSet.of(table.to_pandas(), roles=SCORES).scored()
    thresholds = data.scored().thresholds()
    assert len(thresholds) < len(whole.thresholds())
    assert data.scored().counts_at(thresholds).tp.tolist() == whole.counts_at(thresholds).tp.tolist()
    bounds = auc_bounds(ScoreCounts.of(table, "ill", "score", "ja"))
    assert bounds.low <= roc_auc(whole) <= bounds.high
    assert f"between {bounds.low:.6f} and {bounds.high:.6f}" in data.findings[0].sentence


def test_labels_have_the_matrix_and_intervals_of_the_rows(table: pa.Table) -> None:
    data, whole = summary_dataset(table, LABELS), DataSet.of(table.to_pandas(), roles=LABELS)
    assert data.matrix().counts.tolist() == whole.matrix().counts.tolist()
    shares = [one.matrix().right() for one in (data, whole)]
    assert accuracy(shares[0]) == accuracy(shares[1])
    assert len(data) == 8


def test_roles_are_recognised_in_a_file(table: pa.Table, tmp_path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table.drop_columns(["rows"]), tmp_path / "log.parquet")
    stored = open_stored(tmp_path / "log.parquet")
    assert roles_in(stored) == DataSet.of(table.drop_columns(["rows"]).to_pandas()).roles
    assert summary_dataset(stored.frame, roles_in(stored)).scored().positives > 0


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        (roles_of(actual="ill", score=("score",), positive="ja", weight="score"), "cannot be summed up yet"),
        (roles_of(actual="ill", score=("score",)), "Choose which label"),
        (roles_of(truth="score", estimate=("score",)), "A table of estimates cannot"),
    ],
)
def test_other_roles_are_refused(table: pa.Table, roles, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        summary_dataset(table, roles)
