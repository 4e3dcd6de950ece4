"""Two data sets, or two systems of a file of counts, compared as independent samples."""

import contextlib
import io

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import (
    Margin,
    SampleComparison,
    Source,
    compare_samples,
    fitted_source,
    group_columns,
    group_of,
    groups_apart,
)
from evalcore.inference import compare_independent_auc, compare_shares
from evalcore.readers import DataSet, ReadProblem, read_sample, reassigned
from tests.analyses.ranked import run_script
from tests.words import sentence_with


def of(*rows: tuple[str, int, int, int, int]) -> Source:
    return Source.of(DataSet.of(pd.DataFrame(rows, columns=["system", "TP", "FP", "FN", "TN"])))


def pair(source: Source, **options) -> SampleComparison:
    return compare_samples(source.of_system("a"), source.of_system("b"), **options)


def sample(name: str, system: str | None = None) -> Source:
    return Source.of(read_sample(name), system, name)


def patients(seed: int, rows: int, share: float, shift: float, **words) -> Source:
    random = np.random.default_rng(seed)
    ill = random.random(rows) < share
    scores = {
        f"{name}": sign * (ill * shift + random.normal(size=rows)) for name, sign in words.get("columns", {}).items()
    }
    truth = np.where(ill, words.get("positive", "ill"), words.get("negative", "well"))
    return Source.of(DataSet.of(pd.DataFrame({"truth": truth, **scores}), f"{seed}.csv"))


def test_differences_of_counts_are_newcombes() -> None:
    comparison = pair(of(("a", 48, 20, 32, 180), ("b", 56, 10, 14, 190)))
    recall = comparison.difference
    # Newcombe 1998, 56/70 against 48/80: 0.0524 to 0.3339.
    assert (round(recall.low, 4), round(recall.high, 4)) == (0.0524, 0.3339)
    assert recall.test.p_value == pytest.approx(float(compare_shares(56, 70, 48, 80).p_values))
    assert recall.test.n == 150
    assert comparison.verdict.startswith("**b is better by recall: +20.0")
    assert "Counts do not show which rows the systems share" in comparison.note
    assert "B minus A" in pair(of(("a", 8, 2, 3, 18), ("b", 6, 1, 4, 9)), margin=Margin("noninferior", 0.5)).verdict


def test_no_yes_where_another_share_falls_and_none_of_chance() -> None:
    verdict = pair(of(("a", 60, 10, 40, 190), ("b", 90, 60, 10, 140))).verdict
    assert verdict.startswith("**No clear winner: b is better by recall, but worse by specificity")
    same = pair(of(("a", 6, 1, 4, 9), ("b", 7, 1, 3, 9)))
    assert same.verdict.startswith("**No clear winner by recall")
    undefined = pair(of(("a", 0, 0, 4, 9), ("b", 2, 1, 2, 8)))
    precision = next(one for one in undefined.all_differences if one.measure.key == "precision")
    assert precision.undefined == "nothing was predicted positive"


def test_last_quarter_against_this_quarter() -> None:
    a, b = (patients(seed, n, share, 1.5, columns={"risk": 1}) for seed, n, share in ((1, 300, 0.4), (2, 250, 0.1)))
    comparison = compare_samples(a, fitted_source(a, b), threshold=0.7)
    direct = compare_independent_auc(a.dataset.scored(), b.dataset.scored())
    assert comparison.measure.key == "roc_auc"
    assert comparison.difference.test.p_value == direct.p_value
    # The threshold of A is taken across.
    assert comparison.cut == "page"
    assert (comparison.a.threshold, comparison.b.threshold) == (0.7, 0.7)
    recalls = [one for one in comparison.main_differences if one.measure.key == "recall"]
    assert recalls[0].value_b == float(b.dataset.scored().counts_at(0.7).tp) / b.dataset.scored().positives
    assert "The prevalence differs" in comparison.note
    assert "(A: 1&#46;csv, 300 cases," in comparison.note
    flagged = compare_samples(a, b, cut="flagged")
    shares = [float(side.counts(None).predicted_positives / side.counts(None).total) for side in (flagged.a, flagged.b)]
    assert shares[1] <= shares[0] < shares[1] + 1 / 250


def test_roles_of_a_are_taken_to_b_where_they_fit() -> None:
    a = patients(1, 60, 0.4, 1.0, columns={"risk": 1, "other": 1})
    chosen = Source.of(a.dataset.with_roles("actual~truth~~score~other~~positive~well~~higher_is_positive~False"))
    b = fitted_source(chosen, patients(2, 60, 0.4, 1.0, columns={"risk": 1, "other": 1}))
    assert (b.positive, b.system, b.higher_is_positive) == ("well", "other", False)
    renamed = fitted_source(chosen, patients(3, 60, 0.4, 1.0, columns={"score": 1}))
    assert (renamed.positive, renamed.system) == ("well", "score")
    assert ".with_roles(" in compare_samples(chosen, renamed).code


def test_what_does_not_fit_is_said() -> None:
    a = patients(1, 80, 0.4, 1.0, columns={"risk": 1})
    turned = patients(2, 80, 0.4, 2.0, columns={"distance": -1}, positive="yes", negative="no")
    turned = Source.of(
        turned.dataset.with_roles("actual~truth~~score~distance~~positive~yes~~higher_is_positive~False")
    )
    comparison = compare_samples(a, turned, measure=compare_samples(a, turned).measures()[0])
    assert comparison.cut == "youden"
    assert sentence_with(comparison.note, "ill in A and “yes”")
    assert sentence_with(comparison.note, "lower ones")
    assert "Predicted positive at scores ≥" in comparison.note
    with pytest.raises(ReadProblem, match=r"different classes.*Cat"):
        compare_samples(sample("digits"), sample("cat_fish_hen"))
    fewer = Source.of(DataSet.of(pd.DataFrame({"actual": [*"12345"] * 9, "predicted": [*"12344"] * 9})))
    assert sentence_with(compare_samples(sample("digits"), fewer).note, "0", "6", "7", "8")


def test_several_classes_and_one_of_them() -> None:
    a, b = sample("digits", "naive_bayes"), sample("digits_probabilities")
    comparison = compare_samples(a, b)
    assert comparison.verdict.startswith("**most probable is better by overall accuracy: +18.6")
    assert len(comparison.class_differences) == 10
    assert sentence_with(comparison.note, "same order")
    one = compare_samples(a, b, target="3")
    assert one.measure.key == "recall"
    assert one.difference.test.n == 2 * 183


@pytest.mark.parametrize(
    "comparison",
    [
        lambda: compare_samples(sample("four_methods", "A"), sample("four_methods", "D")),
        lambda: compare_samples(
            sample("roc_20"), sample("roc_ties_10"), cut="flagged", margin=Margin("equivalent", 0.2)
        ),
        lambda: compare_samples(sample("digits"), sample("digits_probabilities"), target="3"),
    ],
)
def test_the_python_to_take_away_runs(comparison) -> None:
    made = comparison()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(made.code, {})  # noqa: S102
    assert made.verdict in printed.getvalue()


def test_groups_of_one_table_are_compared_as_two_files_are(tmp_path, monkeypatch) -> None:
    random, n = np.random.default_rng(5), 300
    frame = pd.DataFrame({"actual": np.repeat([1, 0], n // 2), "score": random.random(n).round(3)})
    frame["score"] += frame["actual"] / 3
    frame["site"] = random.choice(["north", "south"], n)
    frame["age"], frame["patient"] = random.integers(20, 90, n), np.arange(n) % 200
    data = DataSet.of(frame, "table.csv")
    source = Source.of(data)
    groups = group_columns(source)
    assert list(groups) == ["site", "age"]
    # Ranges of a number may overlap: those that do are no pair.
    for text, one in groups["age"].items():
        for other in groups_apart(source, "age", text):
            assert not (one.mask(frame) & groups["age"][other].mask(frame)).any()
    a, b = (group_of(source, one) for one in groups["site"].values())
    comparison = compare_samples(a, b)
    alone = [
        Source.of(DataSet.of(frame[frame["site"] == one.title.removeprefix("site ")].reset_index(drop=True), one.title))
        for one in (a, b)
    ]
    apart = compare_samples(*alone, threshold=comparison.a.threshold)
    np.testing.assert_equal(comparison.table, apart.table)
    assert comparison.names == (a.title, b.title)
    assert sentence_with(comparison.note, "groups of one table")
    frame.to_csv(tmp_path / "table.csv", index=False)
    monkeypatch.chdir(tmp_path)
    run_script(comparison.code, tmp_path)
    of_patients = Source.of(data.with_roles(reassigned(data.roles, "cluster", "patient", frame)))
    shared = len(set(frame["patient"][frame["site"] == "north"]) & set(frame["patient"][frame["site"] == "south"]))
    whole = compare_samples(*(group_of(of_patients, one) for one in groups["site"].values()))
    assert sentence_with(whole.note, f"{shared}", "patients")
    one_class = Source.of(DataSet.of(frame.assign(site=np.where(frame["actual"] == 1, "north", "south"))))
    south = next(one for one in group_columns(one_class)["site"].values() if "south" in one.condition)
    with pytest.raises(ReadProblem, match=r'"site south".*No row'):
        group_of(one_class, south)
