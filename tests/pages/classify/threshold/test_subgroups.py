"""The groups: every rate is that of the rows of the group, too few is said, many are counted, names stay names."""

import html
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore import find
from evalcore.classification import ConfusionCounts, ScoredLabels, accuracy, recall
from evalcore.inference import IntervalChoice, clopper_pearson, delong, wilson
from evalcore.readers import DataSet, roles_of
from evalcore.readers.samples import read_sample
from evalcore.wording.numbers import count_text, share_text
from pages.widgets.classify.threshold.equalised_rates import equality_frame, equality_of
from pages.widgets.classify.threshold.subgroup_rates import SHARES, Grouped, difference_to_rest, rate_of, rates_frame
from pages.widgets.classify.threshold.subgroups import few_words
from tests.pages.classify.threshold.panels import panels
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved

SAMPLE = "breast_cancer"
HELP = "such as sex, age band or site"


def of_groups(names: list[str], n: int = 600, seed: int = 0, **columns) -> str:
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
    return saved(DataSet.of(frame, "groups.csv", roles=roles))


def tables(test) -> list[list[list[str]]]:
    """The cells of the tables of the panel, as a reader sees them."""
    bodies = [e.proto.body for e in test.get("html") if 'class="groups"' in e.proto.body]
    rows = [re.findall(r"<tr.*?>(.*?)</tr>", body) for body in bodies]
    return [
        [[html.unescape(re.sub("<.*?>", "|", c)) for c in re.findall(r"<td.*?>(.*?)</td>", r)] for r in t] for t in rows
    ]


def words(test) -> str:
    return html.unescape(" ".join(e.value for e in (*test.main.markdown, *test.main.caption))).replace("\u2060", "")


def rows_of(group: str) -> ConfusionCounts:
    """The counts of a group of the sample at ½, row by row."""
    rows = read_sample(SAMPLE).frame
    rows = rows[rows["size_band"] == group]
    return ConfusionCounts.from_labels(rows["actual"] == "malignant", rows["logistic_regression"] >= 0.5, True)


def grouped_of(labels, scores, groups, threshold: float, weights=None) -> Grouped:
    names = tuple(dict.fromkeys(groups))
    states = [
        ScoredLabels.from_arrays(
            labels[groups == n], scores[groups == n], weights=None if weights is None else weights[groups == n]
        )
        for n in names
    ]
    counts = [state.counts_at(threshold) for state in states]
    together = ConfusionCounts(*([float(getattr(c, cell)) for c in counts] for cell in ("tp", "fp", "fn", "tn")))
    whole = ScoredLabels.from_arrays(labels, scores, weights=weights).counts_at(threshold)
    return Grouped(names, tuple(states), together, whole, f"test {labels.sum()} {len(labels)} {threshold}")


@pytest.fixture
def some() -> Grouped:
    rng = np.random.default_rng(7)
    labels = rng.random(500) < 0.4
    return grouped_of(labels, rng.normal(size=500) + labels, rng.choice(["a", "b", "c"], 500), 0.4)


# The numbers on the page


def test_every_rate_of_the_table_is_that_of_the_rows_of_the_group(monkeypatch) -> None:
    _, rates = tables(panels(monkeypatch, data=SAMPLE, t="0.5"))[:2]
    lines = {line[0]: line for line in rates if line}
    assert list(lines) == ["All rows", "small", "large", "medium"]
    for group in ("small", "medium", "large"):
        counts = rows_of(group)
        assert lines[group][1] == count_text(float(counts.total))
        assert lines[group][2] == count_text(float(counts.actual_positives))
        for key, cell in zip(SHARES, lines[group][3:], strict=False):
            measure = find(key)
            assert cell.split("|")[1] == share_text(float(measure(counts)))
            hits, n = (
                sum(float(getattr(counts, c)) for c in cells) for cells in (measure.numerator, measure.denominator)
            )
            interval = wilson(hits, n)
            assert cell.split("|")[-2] == f"{100 * interval.low:.1f} – {100 * interval.high:.1f}"


def test_few_positives_are_said_with_what_the_recall_can_be(monkeypatch) -> None:
    interval = wilson(4, 6)
    low, high = share_text(float(interval.low)), share_text(float(interval.high))
    assert f"**small** has only 6 actual positives: the recall can be anything between {low} and {high}." in words(
        panels(monkeypatch, data=SAMPLE, t="0.5")
    )


def test_a_picture_shows_the_rate_that_is_chosen(monkeypatch) -> None:
    chart = (
        panels(monkeypatch, data=SAMPLE, t="0.5", group_rate="Area under the ROC curve").get("plotly_chart")[0].proto
    )
    assert "Area under the ROC curve of each group" in chart.alt
    assert "small 0.946" in chart.alt


@pytest.mark.parametrize("data", ["roc_20", "glucose_10"])
def test_without_groups_it_says_what_it_needs(monkeypatch, data: str) -> None:
    said = words(panels(monkeypatch, data=data))
    assert HELP in said
    assert "(pages/start/data.py)" in said


def test_one_group_and_an_identifier_are_no_groups(monkeypatch) -> None:
    assert "nothing to compare" in words(panels(monkeypatch, data=of_groups(["only"])))
    frame = pd.DataFrame({"actual": [1, 0] * 5250, "score": np.arange(10_500.0), "id": np.arange(10_500)})
    many = saved(
        DataSet.of(frame, "ids.csv", roles=roles_of(actual="actual", score=("score",), group="id", positive=1))
    )
    assert "looks like an identifier" in words(panels(monkeypatch, data=many))


def test_of_many_groups_the_largest_are_drawn_and_the_others_counted(monkeypatch) -> None:
    test = panels(monkeypatch, data=of_groups([f"site {i}" for i in range(100)], n=3000), equal="recall")
    assert "The 30 largest of 100 groups are shown; the other 70 have" in words(test)
    assert [len(table) for table in tables(test)] == [31, 32, 31]


def test_names_of_groups_stay_names(monkeypatch) -> None:
    names = list(NASTY[:28])
    test = panels(monkeypatch, data=of_groups(names, n=900), t="0.5", equal="recall", equal_at="97")
    shown = {line[0] for line in tables(test)[1] if line}
    assert {" ".join(name.split())[:40] for name in names if len(name) <= 40} <= shown
    assert not [e for e in test.get("html") if "<script" in e.proto.body or "<b>x</b>" in e.proto.body]
    said = " ".join(e.value for e in test.main.markdown)
    assert "http://" not in said
    assert "$x^2$" not in said


def test_lower_scores_and_weights_are_those_of_the_page(monkeypatch) -> None:
    w = np.random.default_rng(2).integers(1, 4, 600)
    data = of_groups(["a", "b"], w=w, n=600)
    roles = roles_of(
        actual="actual", score=("score",), group="site", positive="ill", weight="w", higher_is_positive=False
    )
    for higher in (True, False):
        text = replace(roles, higher_is_positive=higher).to_text()
        rates = tables(panels(monkeypatch, data=data, roles=text, t="0.5"))[1]
        sums = [float(line[1].replace("\u202f", "")) for line in rates if line]
        assert sums[0] == sum(sums[1:]) == w.sum()


# The numbers to take away


def test_each_way_of_intervals_is_its_own(some: Grouped) -> None:
    exact, rows = rate_of(find("recall"), some, IntervalChoice("clopper", 0.9))
    expected = clopper_pearson(some.counts.tp, some.counts.actual_positives, 0.9)
    assert np.array_equal(exact.low, expected.low)
    assert rows.tolist() == some.counts.actual_positives.tolist()
    drawn, _ = rate_of(find("recall"), some, IntervalChoice("bootstrap", 0.9))
    own = IntervalChoice("bootstrap", 0.9).of(find("recall"), some.counts[1])[0]
    assert (drawn.low[1], drawn.high[1]) == (own.low, own.high)
    area, _ = rate_of(find("AUC"), some, IntervalChoice("wilson", 0.9))
    assert area.low.tolist() == [float(delong(state, 0.9).low) for state in some.states]


def test_the_difference_is_to_all_other_rows(some: Grouped) -> None:
    found, corrected, rest = difference_to_rest(find("recall"), some, 0.95)
    others = some.counts.tp[1:].sum() / some.counts.actual_positives[1:].sum()
    assert rest[0] == pytest.approx(others)
    assert found.interval.estimate[0] == pytest.approx(float(recall(some.counts[0])) - others)
    assert (corrected >= found.p_values).all()


def test_of_two_groups_there_is_one_test() -> None:
    rng = np.random.default_rng(1)
    labels = rng.random(300) < 0.5
    two = grouped_of(labels, rng.normal(size=300) + labels, rng.choice(["a", "b"], 300), 0.5)
    found, corrected, _ = difference_to_rest(find("recall"), two, 0.95)
    assert corrected.tolist() == found.p_values.tolist()
    assert corrected[0] == pytest.approx(corrected[1])


def test_the_csv_has_every_group_and_all_rows_first(some: Grouped) -> None:
    area = delong(some.states[0])
    frame = rates_frame(some, IntervalChoice(), area)
    assert frame["group"].tolist() == ["(all rows)", *some.names]
    assert frame["n"][0] == frame["n"][1:].sum() == 500
    assert frame["TPR"][0] == float(recall(some.whole))
    assert frame["AUC"][1:].tolist() == [float(delong(state).estimate) for state in some.states]
    assert {"TPR minus rest", "TPR p (Holm)", "AUC low", "interval"} <= set(frame)


@pytest.mark.parametrize(
    ("key", "rows", "bounds", "said"),
    [
        ("recall", 0, (0.0, 0.0), "**x** has no actual positives: its recall is undefined."),
        ("recall", 1, (0.2, 1.0), "**x** has only 1 actual positive: the recall can be anything between"),
        (
            "precision",
            3,
            (float("nan"),) * 2,
            "**x** has only 3 predicted positives, too few for an interval of its precision.",
        ),
        ("negative_predictive_value", 1, (0.2, 1.0), "**x** has only 1 predicted negative: the NPV can be"),
    ],
)
def test_too_few_in_words(key: str, rows: float, bounds, said: str) -> None:
    assert few_words(find(key), "x", rows, bounds).startswith(said)


# What equality would need


@pytest.mark.parametrize("key", ["recall", "fall_out", "precision", "predicted_prevalence"])
def test_after_it_each_group_has_the_counts_of_its_own_threshold(some: Grouped, key: str) -> None:
    found = equality_of(some, find(key), 0.5)
    frame = equality_frame(0.4, some, found)
    for place, state in enumerate(some.states):
        counts = state.counts_at(frame["threshold"][place])
        for cell in ("tp", "fp", "fn", "tn"):
            assert float(getattr(counts, cell)) == frame[f"{cell} after"][place]
        assert abs(frame[f"{find(key).label} after"][place] - 0.5) < 0.02


def test_what_it_changes_is_said_in_all(monkeypatch) -> None:
    test = panels(monkeypatch, data=SAMPLE, t="0.5", equal="recall")
    before = [rows_of(group) for group in ("small", "large", "medium")]
    assert f"recall of **{share_text(186 / 212)}** in every group" in words(test)
    lines = [line for line in tables(test)[2] if line]
    missed = sum(int(line[3].split("|")[1]) for line in lines)
    alarms = sum(int(line[4].split("|")[1]) for line in lines)
    change = missed - sum(float(c.fn) for c in before)
    assert (f"{change:.0f} more missed" if change else "as many missed") in words(test)
    assert f"**{alarms - sum(float(c.fp) for c in before):.0f} more false alarms**" in words(test)
    right = 569 - missed - alarms
    assert f"to {share_text(right / 569)}" in words(test)
    assert float(accuracy(ConfusionCounts(186, 1, 26, 356))) == pytest.approx(542 / 569)


def test_a_group_that_cannot_reach_it_is_named_with_the_nearest(monkeypatch) -> None:
    said = words(panels(monkeypatch, data=SAMPLE, t="0.5", equal="recall"))
    assert f"**small** cannot reach it: the nearest its scores allow is {share_text(5 / 6)} (5 of 6)." in said
    assert "Recall and false positive rate both equal cannot" in said


def test_a_group_without_positives_keeps_its_threshold(monkeypatch) -> None:
    frame = pd.DataFrame({"actual": [1, 0] * 20 + [0] * 10, "score": np.arange(50.0), "site": ["a"] * 40 + ["b"] * 10})
    data = saved(DataSet.of(frame.assign(site=frame["site"].astype("str")), "x.csv"))
    said = words(panels(monkeypatch, data=data, t="12", equal="recall", equal_at="80"))
    assert "**b** keeps its threshold, as its recall is undefined everywhere." in said


@pytest.mark.parametrize("bad", [{"equal": "nonsense"}, {"equal_at": "x"}, {"equal": "recall", "equal_at": "900"}])
def test_an_address_that_means_nothing_is_no_harm(monkeypatch, bad) -> None:
    assert "What equality would need" in words(panels(monkeypatch, data=SAMPLE, group_rate="?", **bad))
