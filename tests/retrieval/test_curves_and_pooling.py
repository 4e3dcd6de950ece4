"""Curves of lists, sets with their two averages, and what smaller judgments would have said."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalcore.retrieval import (
    Hits,
    Judgments,
    Run,
    check_match,
    evaluate,
    graded_table,
    mean_curve,
    ndcg,
    preference_agreement,
    ranked_curve,
    ranked_roc,
    set_averages,
    set_counts,
)
from evalcore.retrieval.stability import kendall_tau
from tests.retrieval.fewer_judgments import hide_judgments, pool
from tests.retrieval.small_runs import Case, cases, thorough

grades = st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=1, max_size=12)


@thorough
@given(found=grades, others=st.lists(st.sampled_from([0, 1]), max_size=4))
def test_the_curve_is_precision_and_recall_at_each_rank(found, others) -> None:
    hits = Hits.of_grades(found, others)
    curve = ranked_curve(hits)
    hit = [grade is not None and grade >= 1 for grade in found]
    total = sum(hit) + sum(others)
    assert curve.precision.tolist() == [sum(hit[:i]) / i for i in range(1, len(hit) + 1)]
    assert curve.recall.tolist() == [sum(hit[:i]) / total if total else 0 for i in range(1, len(hit) + 1)]
    assert (curve.interpolated >= curve.precision).all()
    assert (np.diff(curve.interpolated) <= 0).all()
    table = graded_table(hits)
    assert table.ndcg[-1] == pytest.approx(ndcg(hits, k=len(found))[0], abs=1e-12)


@thorough
@given(
    found=st.lists(st.sampled_from([None, 0, 1]), min_size=1, max_size=12),
    others=st.lists(st.sampled_from([0, 1]), max_size=4),
)
def test_with_two_grades_the_area_under_the_roc_is_the_preference_agreement(found, others) -> None:
    hits = Hits.of_grades(found, others)
    auc, agreement = ranked_roc(hits).auc, preference_agreement(hits)[0]
    assert auc == pytest.approx(agreement, abs=1e-12) if not math.isnan(auc) else agreement == 0


@thorough
@given(case=cases())
def test_mean_curves_are_the_means_of_the_measures(case: Case) -> None:
    hits = Hits.of(case.judgments, case.run)
    curve = mean_curve(hits, cuts=(1, 5))
    found = evaluate(case.judgments, case.run, ["P@1", "P@5", "R@1", "R@5", "IPrec@0", "IPrec@0.3", "IPrec@1"])
    together = [*curve.precision_at, *curve.recall_at, *curve.interpolated[[0, 3, 10]]]
    assert together == pytest.approx(list(found.means().values()), abs=1e-12)


@thorough
@given(case=cases())
def test_the_averages_of_sets(case: Case) -> None:
    hits = Hits.of(case.judgments, case.run)
    found, counts = set_averages(hits, size=50), set_counts(hits, size=50)
    assert (counts.total == 50).all()
    means = evaluate(case.judgments, case.run, ["set_P", "set_recall", "set_F"]).means()
    for key, name in (("set_precision", "set_P"), ("set_recall", "set_recall"), ("set_f", "set_F")):
        assert found[key].macro == pytest.approx(means[name], abs=1e-12)
    tp, fp, fn, tn = (float(cell.sum()) for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    assert found["set_precision"].micro == pytest.approx(tp / (tp + fp) if tp + fp else 0)
    assert found["set_recall"].micro == pytest.approx(tp / (tp + fn) if tp + fn else 0)
    assert found["set_fall_out"].micro == pytest.approx(fp / (fp + tn))
    f, p, r, g = (found[key].micro for key in ("set_fall_out", "set_precision", "set_recall", "generality"))
    assert f * p * (1 - g) == pytest.approx(r * g * (1 - p), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=8))
def test_kendall_is_that_of_scipy(pairs) -> None:
    a, b = zip(*pairs, strict=True)
    expected = stats.kendalltau(a, b).statistic if len(set(a)) > 1 and len(set(b)) > 1 else math.nan
    assert kendall_tau(a, b) == pytest.approx(expected, nan_ok=True)


def test_hidden_judgments_are_the_same_each_time_and_more_of_them_hold_the_fewer() -> None:
    judged = Judgments.from_arrays(["q"] * 100, range(100), [1, 0] * 50)
    left = [set(hide_judgments(judged, share).documents.texts()) for share in (0.0, 0.3, 0.6, 1.0)]
    assert [len(names) for names in left] == [100, 70, 40, 0]
    assert left[0] > left[1] > left[2]
    assert set(hide_judgments(judged, 0.3).documents.texts()) == left[1]
    assert set(hide_judgments(judged, 0.3, seed=1).documents.texts()) != left[1]


def test_a_pool_holds_what_any_system_ranked_high_enough() -> None:
    judged = Judgments.from_arrays(["1", "1", "1", "2"], ["a", "b", "c", "a"], [1, 0, 2, 1])
    runs = {
        "one": Run.from_arrays(["1", "1", "2"], ["a", "b", "z"], [2, 1, 1]),
        "two": Run.from_arrays(["1", "1"], ["b", "c"], [1, 1]),
    }
    shallow = pool(judged, runs, depth=1)
    assert list(zip(shallow.queries, [shallow.documents.texts()], strict=True)) == [("1", ["a", "c"])]
    assert shallow.grades.tolist() == [1, 2]
    assert sorted(pool(judged, runs, depth=2).documents.texts()) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("judged", "retrieved", "sentence"),
    [
        (("301", "a"), ("q301", "a"), "301 there and q301"),
        (("0301", "a"), ("301", "a"), "0301 there and 301"),
        (("301", "a"), ("301", "doc-a"), "doc-a"),
        (("301", "a"), ("301", "A"), "case or blanks"),
    ],
)
def test_ids_that_do_not_meet_are_shown_beside_each_other(judged, retrieved, sentence: str) -> None:
    one, two = ([[name] for name in names] for names in (judged, retrieved))
    assert sentence in check_match(Judgments.from_arrays(*one, [1]), Run.from_arrays(*two, [1]))


def test_ids_that_meet_are_no_problem() -> None:
    judged = Judgments.from_arrays(["301"], ["a"], [1])
    assert check_match(judged, Run.from_arrays(["301"], ["a"], [1])) is None
