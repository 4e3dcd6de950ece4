"""The groups: every rate is that of the rows of the group, too few is said, many are counted, names stay names."""

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, MetricDef, find
from evalcore.analyses import (
    EqualisedRates,
    Scores,
    Source,
    Subgroups,
    group_differences,
    group_rates,
    pinned,
    subgroups_of,
    thresholds_of_groups,
    with_changes,
)
from evalcore.analyses.subgroups import few_text
from evalcore.classification import ConfusionCounts, ScoredLabels, accuracy, recall
from evalcore.inference import IntervalChoice, clopper_pearson, compare_independent_auc, delong, wilson
from evalcore.readers import DataSet, ReadProblem, read_sample, roles_of
from evalcore.wording import count_text, html_table, share_text
from tests.analyses.small_scores import plain_text, scores_of, small_scores
from tests.pages.nasty_names import NASTY
from tests.words import facts, sentence_with

SAMPLE = scores_of("breast_cancer")
CELLS = ("tp", "fp", "fn", "tn")
KEYS = ("prevalence", "predicted_prevalence", "recall", "fall_out", "specificity", "precision")


def of_groups(names: list[str], n: int = 600, seed: int = 0, **columns) -> DataSet:
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.4
    frame = pd.DataFrame(
        {
            "actual": np.where(ill, "ill", "well"),
            "score": np.round(rng.normal(size=n) + ill, 2),
            "site": np.array(names, dtype=object)[rng.integers(0, len(names), n)],
        }
        | columns
    ).assign(site=lambda f: f["site"].astype("str"))
    roles = roles_of(actual="actual", score=("score",), group="site", positive="ill", weight="w" if columns else None)
    return DataSet.of(frame, "groups.csv", roles=roles)


def rows_of(group: str) -> ConfusionCounts:
    """The counts of a group of the sample at ½, row by row."""
    rows = read_sample("breast_cancer").frame
    rows = rows[rows["size_band"] == group]
    return ConfusionCounts.from_labels(rows["actual"] == "malignant", rows["logistic_regression"] >= 0.5, True)


def grouped(scores: Scores, t: float = 0.4, method: str = "wilson", level: float = 0.95) -> Subgroups:
    return subgroups_of(scores, t, IntervalChoice(method, level))


def equalised(groups: Subgroups, measure: MetricDef, value: float) -> EqualisedRates:
    choices = thresholds_of_groups(groups.states.values(), measure, value)
    return EqualisedRates(groups, measure, value, choices)


@pytest.fixture(scope="module")
def some() -> Scores:
    return scores_of(of_groups(["a", "b", "c"], 500, seed=7))


# The numbers


def test_every_rate_of_the_table_is_that_of_the_rows_of_the_group() -> None:
    lines = {getattr(row.cells[0], "text", row.cells[0]): row.cells for row in group_rates(grouped(SAMPLE, 0.5))[1]}
    assert list(lines) == ["All rows", "small", "large", "medium"]
    for group in ("small", "medium", "large"):
        counts = rows_of(group)
        assert lines[group][1] == count_text(float(counts.total))
        assert lines[group][2] == count_text(float(counts.actual_positives))
        for key, cell in zip(KEYS, lines[group][3:], strict=False):
            measure = find(key)
            assert cell.text == share_text(float(measure(counts)))
            hits, n = (
                sum(float(getattr(counts, c)) for c in cells) for cells in (measure.numerator, measure.denominator)
            )
            interval = wilson(hits, n)
            assert cell.below == f"{100 * interval.low:.1f}–{100 * interval.high:.1f}"


def test_the_group_with_the_worst_rate_beyond_chance_is_named() -> None:
    groups = grouped(SAMPLE, 0.5)
    own, rest = share_text(28 / 39), share_text((4 + 154) / (6 + 167))
    assert facts(groups.verdict(METRICS["recall"])) == f"{own} {rest} 0.004".replace("\u202f", "")
    assert sentence_with(groups.verdict(METRICS["fall_out"]), "No group", "higher")
    assert sentence_with(groups.verdict(METRICS["roc_auc"]), "No group", "lower")


def test_the_difference_to_the_rest_has_its_difference_to_the_pin() -> None:
    groups, by = grouped(SAMPLE, 0.5), METRICS["recall"]
    (pin,) = pinned(SAMPLE, [0.3])
    changes = pin.rest_changes(groups, groups.states, by)
    rows = with_changes(group_differences(groups, by), changes)[1]
    then = dict(zip(groups.names, group_differences(grouped(SAMPLE, 0.3), by)[1], strict=True))
    number = lambda cell: float(getattr(cell, "text", cell).replace("−", "-").split("\u202f")[0])  # noqa: E731
    for name, row in zip(groups.names, rows, strict=True):
        for now, before in zip(row.cells[1:3], then[name].cells[1:3], strict=True):
            aside = float(now.aside.replace("−", "-").split("\u202f")[0])
            assert aside == pytest.approx(number(now) - number(before), abs=0.15)
    assert pin.rest_changes(groups, groups.states, METRICS["roc_auc"]) == [[]] * 3
    assert pin.rest_changes(groups, {}, by) == [[]] * 3
    undefined = grouped(scores_of(of_groups(["a"] * 3 + ["b"] * 3, 6, seed=1)), 2.0)
    undefined_at = pinned(undefined.scores, [0.5])[0].rest_changes(undefined, undefined.states, METRICS["precision"])
    assert undefined_at == [[]] * len(undefined)


def test_few_positives_are_said_with_what_the_recall_can_be() -> None:
    interval = wilson(4, 6)
    low, high = share_text(float(interval.low)), share_text(float(interval.high))
    said = f"**small** has only 6 actual positives: its recall could be anywhere from {low} to {high}."
    assert grouped(SAMPLE, 0.5).few_verdict(METRICS["recall"]) == said


def test_a_fifth_group_with_few_rows_is_counted_as_one() -> None:
    few = [
        grouped(scores_of(of_groups(list(names), n=20))).few_verdict(METRICS["recall"]) for names in ("abcde", "abcdef")
    ]
    assert few[0].endswith(" 1 more group has too few rows.")
    assert few[1].endswith(" 2 more groups have too few rows.")


def test_an_identifier_is_no_group() -> None:
    frame = pd.DataFrame({"actual": [1, 0] * 5250, "score": np.arange(10_500.0), "id": np.arange(10_500)})
    many = DataSet.of(frame, "ids.csv", roles=roles_of(actual="actual", score=("score",), group="id", positive=1))
    with pytest.raises(ReadProblem, match="looks like an identifier"):
        grouped(scores_of(many))


def test_without_a_column_of_groups_there_are_none() -> None:
    with pytest.raises(ReadProblem, match="No column"):
        grouped(scores_of("roc_20"))


def test_of_many_groups_the_largest_are_drawn_and_the_others_counted() -> None:
    many = grouped(scores_of(of_groups([f"site {i}" for i in range(100)], n=3000)))
    assert sentence_with(many.note, "30", "100", "70")
    assert [len(group_differences(many, METRICS["recall"])[1]), len(group_rates(many)[1])] == [30, 31]
    assert len(equalised(many, METRICS["recall"], 0.5).changes[1]) == 30


def test_names_of_groups_stay_names() -> None:
    names = list(NASTY[:28])
    groups = grouped(scores_of(of_groups(names, n=900)), 0.5)
    lines = group_rates(groups)[1]
    assert {" ".join(name.split())[:40] for name in names if len(name) <= 40} <= {
        row.cells[0].text for row in lines[1:]
    }
    equal = equalised(groups, METRICS["recall"], 0.97)
    written = html_table([], [*lines, *equal.changes[1], *group_differences(groups, METRICS["recall"])[1]])
    assert "<script" not in written
    assert "<b>x</b>" not in written
    said = equal.short_verdict + groups.few_verdict(METRICS["recall"])
    assert "http://" not in said
    assert "$x^2$" not in said


def test_lower_scores_and_weights_are_those_of_the_scores() -> None:
    w = np.random.default_rng(2).integers(1, 4, 600)
    data = of_groups(["a", "b"], w=w, n=600)
    for higher in (True, False):
        groups = grouped(scores_of(data, higher_is_positive=higher), 0.5)
        assert float(groups.whole.total) == groups.counts.total.sum() == w.sum()


def test_each_way_of_intervals_is_its_own(some: Scores) -> None:
    groups = grouped(some, method="clopper", level=0.9)
    exact, rows = groups.rate(find("recall"))
    expected = clopper_pearson(groups.counts.tp, groups.counts.actual_positives, 0.9)
    assert np.array_equal(exact.low, expected.low)
    assert rows.tolist() == groups.counts.actual_positives.tolist()
    drawn, _ = grouped(some, method="bootstrap", level=0.9).rate(find("recall"))
    own = IntervalChoice("bootstrap", 0.9).of(find("recall"), groups.counts[1])[0]
    assert (drawn.low[1], drawn.high[1]) == (own.low, own.high)
    area, _ = groups.rate(find("AUC"))
    assert area.low.tolist() == [float(delong(state, 0.9).low) for state in groups.states.values()]


def test_the_difference_is_to_all_other_rows(some: Scores) -> None:
    groups = grouped(some)
    found, corrected, rest = groups.difference_to_rest(find("recall"))
    others = groups.counts.tp[1:].sum() / groups.counts.actual_positives[1:].sum()
    assert rest[0] == pytest.approx(others)
    assert found.interval.estimate[0] == pytest.approx(float(recall(groups.counts[0])) - others)
    assert (corrected >= found.p_values).all()


@pytest.mark.parametrize("key", ["recall", "roc_auc"])
def test_the_difference_to_the_rest_is_found_once_for_all_that_show_it(key: str) -> None:
    groups = grouped(SAMPLE, 0.5)
    assert groups.difference_to_rest(METRICS[key]) is groups.difference_to_rest(METRICS[key])


def test_of_two_groups_there_is_one_test() -> None:
    groups = grouped(scores_of(of_groups(["a", "b"], 300, seed=1)))
    found, corrected, _ = groups.difference_to_rest(find("recall"))
    assert "Fisher" in groups.difference_note(find("recall"))
    assert "Holm" not in groups.difference_note(find("recall"))
    assert corrected.tolist() == found.p_values.tolist()
    assert corrected[0] == pytest.approx(corrected[1])


def test_the_table_has_every_group_and_all_rows_first(some: Scores) -> None:
    groups = grouped(some)
    table = groups.table
    assert table["group"] == ["(all rows)", *groups.names]
    assert table["n"][0] == table["n"][1:].sum() == 500
    assert table["TPR"][0] == float(recall(groups.whole))
    assert table["AUC"][1:].tolist() == [float(delong(state).estimate) for state in groups.states.values()]
    assert {"TPR minus rest", "TPR p (Holm)", "AUC low", "interval"} <= set(table)


@pytest.mark.parametrize(
    ("key", "rows", "bounds", "said"),
    [
        ("recall", 0, (0.0, 0.0), "no actual positives"),
        ("recall", 1, (0.2, 1.0), "only 1 actual positive"),
        ("precision", 3, (float("nan"),) * 2, "only 3 predicted positives"),
        ("negative_predictive_value", 1, (0.2, 1.0), "only 1 predicted negative"),
        ("roc_auc", 2, (0.2, 1.0), "has only 2 rows"),
    ],
)
def test_too_few_in_words(key: str, rows: float, bounds, said: str) -> None:
    assert sentence_with(few_text(find(key), "x", rows, bounds), said)


# What equal rates would cost


@pytest.mark.parametrize("key", ["recall", "fall_out", "precision", "predicted_prevalence"])
def test_after_it_each_group_has_the_counts_of_its_own_threshold(some: Scores, key: str) -> None:
    groups = grouped(some)
    table = equalised(groups, find(key), 0.5).table
    for place, state in enumerate(groups.states.values()):
        counts = state.counts_at(table["threshold"][place])
        for cell in CELLS:
            assert float(getattr(counts, cell)) == table[f"{cell} after"][place]
        assert abs(table[f"{find(key).label} after"][place] - 0.5) < 0.02


def test_what_it_changes_is_said_in_total() -> None:
    equal = equalised(grouped(SAMPLE, 0.5), find("recall"), 186 / 212)
    assert sentence_with(equal.verdict, f"{share_text(186 / 212)}", "possible")
    missed, alarms = (sum(int(row[column].text) for row in equal.changes[1]) for column in (3, 4))
    before = [rows_of(group) for group in ("small", "large", "medium")]
    change = missed - sum(float(c.fn) for c in before)
    assert (f"**{change:.0f} more missed**" if change else "**no more missed**") in equal.verdict
    assert f"**{alarms - sum(float(c.fp) for c in before):.0f} more false alarms**" in equal.verdict
    right = 569 - missed - alarms
    assert f"to {share_text(right / 569)}" in equal.verdict
    assert float(accuracy(ConfusionCounts(186, 1, 26, 356))) == pytest.approx(542 / 569)


def test_a_group_that_cannot_reach_it_is_named_with_the_closest() -> None:
    said = equalised(grouped(SAMPLE, 0.5), find("recall"), 186 / 212).short_verdict
    assert sentence_with(said, f"{share_text(5 / 6)}", "5", "6")


def test_a_group_without_positives_keeps_its_threshold() -> None:
    scores = small_scores([1, 0] * 20 + [0] * 10, np.arange(50.0), groups=["a"] * 40 + ["b"] * 10)
    said = plain_text(equalised(grouped(scores, 12), find("recall"), 0.8).short_verdict)
    assert sentence_with(said, "b keeps its threshold")


def test_areas_are_compared_with_those_of_all_other_rows() -> None:
    """By DeLong for independent areas, over the rows that are no part of the group."""
    source = Source.of(read_sample("breast_cancer"))
    groups = subgroups_of(Scores.of(source, "logistic_regression"), 0.5)
    differences, corrected, rest = groups.difference_to_rest(find("roc_auc"))
    rows = read_sample("breast_cancer").frame
    for index, name in enumerate(groups.names):
        inside = rows["size_band"] == name
        own, others = (
            ScoredLabels.from_arrays(part["actual"] == "malignant", part["logistic_regression"])
            for part in (rows[inside], rows[~inside])
        )
        expected = compare_independent_auc(others, own)
        assert rest[index] == pytest.approx(float(delong(others).estimate))
        assert differences.interval.low[index] == pytest.approx(float(expected.interval.low), nan_ok=True)
        assert differences.p_values[index] == pytest.approx(expected.p_value, nan_ok=True)
        assert not corrected[index] < expected.p_value
    assert groups.table["AUC minus rest"][1:] == pytest.approx(differences.interval.estimate)
    lines = group_differences(groups, find("roc_auc"))[1]
    assert len(lines) == len(groups.names)
