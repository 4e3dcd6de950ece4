"""Groups on the pages of classes and of comparisons: each on its own rows, bands of a number in its order."""

import runpy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, find
from evalcore.analyses import (
    SHOWN_GROUPS,
    ClassGroups,
    ClassTable,
    GroupComparison,
    LabelPairs,
    RowGroups,
    Scores,
    Source,
    compare_systems,
)
from evalcore.inference import compare_auc, holm, mcnemar, wilson
from evalcore.readers import DataSet, ReadProblem, in_bands, read_sample, read_table
from tests.words import sentence_with

BANDS = ["<40", "40-59", "60+"]


def table(n: int = 600) -> pd.DataFrame:
    random = np.random.default_rng(4)
    actual, band = random.integers(0, 2, n), random.choice(BANDS, n, p=[0.2, 0.3, 0.5])
    gain = np.select([band == "<40", band == "40-59"], [2.5, 0.0], -1.5)
    noise = random.normal(size=(2, n))
    a, b = 1.5 * actual + noise[0], (1.5 + gain) * actual + noise[1]
    return pd.DataFrame({"actual": actual, "a": a, "b": b, "band": band})


def scores() -> Source:
    return Source.of(DataSet.of(table()).with_roles("actual~actual~~score~a~b~~group~band~~positive~1"))


def labels() -> Source:
    frame = table()
    for system in "ab":
        frame[system] = (frame[system] > 0.7).astype(int)
    return Source.of(DataSet.of(frame).with_roles("actual~actual~~predicted~a~b~~group~band~~positive~1"))


@pytest.mark.parametrize(
    ("texts", "ordered"),
    [
        (["60+", "<40", "40-59"], ["<40", "40-59", "60+"]),
        (["100-199", "0-99", ">=200"], ["0-99", "100-199", ">=200"]),
        (["under 18", "65 and older", "18 to 64"], ["under 18", "18 to 64", "65 and older"]),
        (["[40, 60)", "[20, 40)"], ["[20, 40)", "[40, 60)"]),
        (["10", "9"], ["9", "10"]),
        (["1", "north"], None),
        (["40-50", "40-60"], None),
        (["one"], None),
    ],
)
def test_bands_of_a_number_stand_in_its_order(texts: list[str], ordered: list[str] | None) -> None:
    assert in_bands(texts) == ordered


def test_other_groups_stand_by_size() -> None:
    assert RowGroups(Source.of(read_sample("breast_cancer")), np.arange(569)).names == ["small", "large", "medium"]
    assert RowGroups(scores(), np.arange(600)).names == BANDS
    with pytest.raises(ReadProblem, match="No column says"):
        RowGroups(Source.of(read_sample("digits")), np.arange(9))


@pytest.mark.parametrize(
    ("more", "words"), [(0, ""), (1, " 1 smaller group is not shown."), (2, " 2 smaller groups are not shown.")]
)
def test_groups_that_are_not_shown_are_counted(more: int, words: str) -> None:
    frame = pd.DataFrame({"actual": 0, "a": 0.5, "band": [f"site {i}" for i in range(SHOWN_GROUPS + more)]})
    source = Source.of(DataSet.of(frame).with_roles("actual~actual~~score~a~~group~band"))
    assert RowGroups(source, np.arange(len(frame))).left_out_note == words


def test_areas_are_compared_in_every_group_on_its_own_rows() -> None:
    groups = GroupComparison(compare_systems(scores()))
    assert groups.names == BANDS
    own = [table()[table()["band"] == band] for band in BANDS]
    expected = [compare_auc(one["actual"] == 1, one["a"], one["b"]) for one in own]
    assert [one.estimate for one in groups.differences] == pytest.approx([one.estimate for one in expected])
    assert groups.table["corrected p"] == pytest.approx(holm([one.p_value for one in expected]).tolist())
    assert groups.verdict.startswith("**No, b is worse than a by AUC in 60&#43;.**")
    assert "It is better in 1 of 3." in groups.verdict
    swapped = GroupComparison(compare_systems(scores(), "b", "a"))
    assert swapped.verdict.startswith("**No, a is worse than b by AUC in &#60;40.**")


def test_shares_are_compared_in_every_group_on_its_own_rows() -> None:
    groups = GroupComparison(compare_systems(labels(), measure=find("accuracy")))
    frame = labels().frame
    for band, one in zip(BANDS, groups.differences, strict=True):
        own = frame[frame["band"] == band]
        test = mcnemar(own["a"] == own["actual"], own["b"] == own["actual"])
        assert (one.estimate, one.test.p_value) == pytest.approx((test.estimate, test.p_value))


def test_a_slow_measure_gives_way_to_one_that_needs_no_resampling() -> None:
    groups = GroupComparison(compare_systems(scores(), measure=find("average precision")))
    assert groups.measure.key == "roc_auc"
    assert sentence_with(groups.note, "a second per group")


def test_rows_without_a_group_are_a_group() -> None:
    frame = table()
    frame.loc[:49, "band"] = None
    source = Source.of(DataSet.of(frame).with_roles("actual~actual~~score~a~b~~group~band~~positive~1"))
    groups = GroupComparison(compare_systems(source))
    assert groups.names == [*BANDS, "(no group)"]
    assert sum(groups.table["n"]) == 600


def test_groups_that_cannot_tell_are_named() -> None:
    """Where no row is positive recall is undefined, and few positive rows tell nothing."""
    frame = table()
    frame.loc[frame["band"] == "<40", "actual"] = 0
    frame.loc[(frame["band"] == "60+") & (frame.index > 12), "actual"] = 0
    source = Source.of(DataSet.of(frame).with_roles("actual~actual~~score~a~b~~group~band~~positive~1"))
    recall = GroupComparison(compare_systems(source, measure=find("recall"), threshold=0.7))
    assert sentence_with(recall.verdict, "40", "Undefined")
    assert sentence_with(recall.verdict, "10", "60")
    areas = GroupComparison(compare_systems(source))
    assert sentence_with(areas.verdict, "10", "60")
    assert areas.heterogeneity.degrees == 1
    assert "No sign" in areas.verdict or "more than chance" in areas.verdict


def test_a_difference_that_varies_between_groups_is_told_from_one_that_is_only_significant_in_some() -> None:
    assert sentence_with(GroupComparison(compare_systems(scores())).verdict, "by more than chance")
    frame = table()
    frame["b"] = frame["a"] + 0.6 * frame["actual"] + np.random.default_rng(1).normal(size=600)
    same = Source.of(DataSet.of(frame).with_roles("actual~actual~~score~a~b~~group~band~~positive~1"))
    assert sentence_with(GroupComparison(compare_systems(same)).verdict, "No sign")


def test_a_measure_without_a_direction_makes_no_group_better() -> None:
    groups = GroupComparison(compare_systems(labels(), measure=find("predicted prevalence")))
    assert sentence_with(groups.verdict, "better", "direction")


@pytest.mark.parametrize("of_labels", [True, False])
def test_the_exported_python_finds_the_same_groups(of_labels: bool, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    table().to_csv("table.csv", index=False)
    roles = "predicted~x~y" if of_labels else "score~a~b"
    frame = table().assign(x=lambda rows: rows["a"] > 0.7, y=lambda rows: rows["b"] > 0.7)
    frame.to_csv("table.csv", index=False)
    detected = read_table("table.csv")
    data = detected.with_roles(f"actual~actual~~{roles}~~group~band~~positive~1")
    source = replace(Source.of(data), detected_roles=detected.roles)
    codes = [GroupComparison(compare_systems(source)).code]
    if of_labels:
        codes.append(ClassGroups(ClassTable.of(source, "x", LabelPairs.of(source, "x")), "1").code)
    else:
        one = Scores.of(source, "b")
        codes.append(ClassGroups(ClassTable.of(source, None, LabelPairs.at(one, 0.4), (), (one, 0.4)), "1").code)
    for code in codes:
        assert "groups" in code
        Path("groups.py").write_text(code)
        runpy.run_path("groups.py")


def test_the_classes_of_every_group_are_those_of_its_rows() -> None:
    source = labels()
    groups = ClassGroups(ClassTable.of(source, "a", LabelPairs.of(source, "a")), "1")
    assert groups.table["group"] == BANDS
    for place, band in enumerate(BANDS):
        own = source.frame[source.frame["band"] == band]
        right, hits = (own["a"] == own["actual"]).sum(), ((own["a"] == 1) & (own["actual"] == 1)).sum()
        assert groups.table["accuracy"][place] == pytest.approx(right / len(own))
        assert groups.table["accuracy low"][place] == pytest.approx(float(wilson(right, len(own)).low))
        assert groups.table["recall"][place] == pytest.approx(hits / (own["actual"] == 1).sum())
    assert METRICS["precision"].short in groups.table
    assert not ClassGroups.offered(ClassTable.of(source, None, None))
