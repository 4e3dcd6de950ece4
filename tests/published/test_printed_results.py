"""What textbooks print, to half a unit of the last decimal they print."""

import math

import numpy as np
import pytest

from evalcore import find
from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    accuracy,
    best,
    corner_goal,
    f_beta,
    precision,
    recall,
    roc_curve,
    youden_goal,
)
from tests.published.rows import (
    ANIMALS,
    CAT,
    CHILD,
    EIGHT,
    FISH,
    GLUCOSE,
    HEN,
    METHODS,
    PEOPLE,
    PEOPLE_AS_PRINTED,
    ROWS,
    TIED,
    TWENTY,
    TWENTY_SCORES,
    WOMAN,
    Row,
)


def cells(counts: ConfusionCounts) -> list[int]:
    return [int(cell) for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.measure}, {row.source[:30]}")
def test_a_measure_gives_the_printed_value(row: Row) -> None:
    value = float(find(row.measure)(row.state))
    if row.printed is None:
        assert math.isnan(value), row.source
    else:
        assert abs(value - row.printed) <= row.tolerance, row.source


def test_people_in_images_class_by_class() -> None:
    assert cells(WOMAN) == [13, 6, 7, 74]
    assert cells(CHILD) == [57, 6, 3, 34]
    assert np.trace(PEOPLE.counts) / PEOPLE.counts.sum() == 85 / 100


def test_the_matrix_that_is_not_turned_swaps_misses_and_false_alarms() -> None:
    woman = ConfusionMatrix(PEOPLE.classes, PEOPLE_AS_PRINTED).one_vs_rest()[0]
    assert cells(woman) == [13, 7, 6, 74]


def test_averages_of_three_classes() -> None:
    each, sizes = ANIMALS.one_vs_rest(), ANIMALS.counts.sum(axis=1)
    summed = ConfusionCounts(*(getattr(each, cell).sum() for cell in ("tp", "fp", "fn", "tn")))
    assert float(precision(summed)) == float(recall(summed)) == 12 / 25
    for measure, macro, weighted in ((precision, 0.547, 0.581), (recall, 0.511, 0.480), (f_beta, 0.465, 0.464)):
        assert abs(float(measure(each).mean()) - macro) <= 0.0005
        assert abs(float(np.average(measure(each), weights=sizes)) - weighted) <= 0.0005
    assert [cells(counts) for counts in (CAT, FISH, HEN)] == [[4, 9, 2, 10], [2, 1, 8, 14], [6, 3, 3, 13]]


def test_the_method_below_the_diagonal_turned_round() -> None:
    b = METHODS["B"]
    inverted = ConfusionCounts(tp=b.fn, fp=b.tn, fn=b.tp, tn=b.fp)
    assert (float(recall(inverted)), float(find("FPR")(inverted))) == (0.6, 0.2)


def test_eight_labels_counted_by_hand() -> None:
    assert cells(EIGHT) == [1, 1, 2, 4]


def test_the_whole_table_of_twenty_instances() -> None:
    table = TWENTY.table()
    tp = [1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10]
    fp = [0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10]
    fn = [9, 8, 8, 7, 6, 5, 5, 5, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1, 0, 0]
    tn = [10, 10, 9, 9, 9, 9, 8, 7, 7, 6, 6, 5, 5, 4, 3, 2, 2, 1, 1, 0]
    percent = [55, 60, 55, 60, 65, 70, 65, 60, 65, 60, 65, 60, 65, 60, 55, 50, 55, 50, 55, 50]
    assert table.thresholds.tolist() == [math.inf, *TWENTY_SCORES]
    for cell, printed in (("tp", tp), ("fp", fp), ("fn", fn), ("tn", tn)):
        assert getattr(table.counts, cell)[1:].tolist() == printed
        assert getattr(TWENTY.counts_at(TWENTY_SCORES), cell).tolist() == printed
    assert accuracy(table.counts)[1:].tolist() == [share / 100 for share in percent]
    assert roc_curve(table).tpr[1:].tolist() == [hits / 10 for hits in tp]
    assert roc_curve(table).fpr[1:].tolist() == [alarms / 10 for alarms in fp]


def test_where_to_cut_the_twenty_instances() -> None:
    table = TWENTY.table()
    most_accurate = best(table, accuracy)
    assert (most_accurate.threshold, most_accurate.value, len(most_accurate.ties)) == (0.54, 0.7, 1)
    youden = youden_goal().choose(table)
    assert (youden.threshold, youden.value, len(youden.ties)) == (0.54, 0.4, 1)
    corner = corner_goal().choose(table)
    assert corner.value == 0.5
    assert corner.ties[:, 1].tolist() == [0.51, 0.4]


def test_equal_scores_are_one_step() -> None:
    # The slides step through the three instances at 0.85 one by one; no threshold can do that.
    table = TIED.table()
    assert table.thresholds.tolist() == [math.inf, 0.95, 0.93, 0.87, 0.85, 0.76, 0.53, 0.43, 0.25]
    assert table.counts.tp.tolist() == [0, 1, 2, 2, 3, 3, 4, 4, 5]
    assert table.counts.fp.tolist() == [0, 0, 0, 1, 3, 4, 4, 5, 5]
    assert cells(TIED.counts_at(1.0)) == [0, 0, 5, 5]


def test_scores_that_are_no_probabilities() -> None:
    counts = GLUCOSE.counts_at([28.9, 23.4])
    assert (counts.tp.tolist(), counts.fn.tolist(), counts.tn.tolist(), counts.fp.tolist()) == (
        [1, 1],
        [4, 4],
        [5, 4],
        [0, 1],
    )
    assert (recall(counts).tolist(), find("TNR")(counts).tolist()) == ([0.2, 0.2], [1.0, 0.8])
