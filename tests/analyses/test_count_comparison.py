"""Two systems of a file of counts: compared as independent samples, and said so."""

import contextlib
import io

import pandas as pd
import pytest

from evalcore.analyses import CountComparison, Source
from evalcore.inference import compare_shares
from evalcore.readers import DataSet
from evalcore.readers.samples import read_sample


def of(*rows: tuple[str, int, int, int, int]) -> Source:
    return Source.of(DataSet.of(pd.DataFrame(rows, columns=["system", "TP", "FP", "FN", "TN"])))


def test_the_differences_are_newcombes_of_independent_samples() -> None:
    comparison = CountComparison(of(("a", 48, 20, 32, 180), ("b", 56, 10, 14, 190)), "a", "b", correction="none")
    recall = comparison.differences[0]
    # Newcombe 1998, 56/70 against 48/80: 0.0524 to 0.3339.
    assert (round(recall.low, 4), round(recall.high, 4)) == (0.0524, 0.3339)
    assert recall.test.p_value == pytest.approx(float(compare_shares(56, 70, 48, 80).p_values))
    assert recall.test.n == 150
    assert comparison.verdict.startswith("**Yes: b is better than a by recall")
    assert CountComparison(comparison.source, "b", "a", correction="none").verdict.startswith("**No: a is worse than b")
    assert "compared as independent samples: Newcombe's interval" in comparison.note


def test_no_yes_where_another_share_falls_and_none_of_chance() -> None:
    comparison = CountComparison(of(("a", 60, 10, 40, 190), ("b", 90, 60, 10, 140)), "a", "b")
    assert "**No clear answer: b is better than a by recall" in comparison.verdict
    assert "but worse by specificity" in comparison.verdict
    same = CountComparison(of(("a", 6, 1, 4, 9), ("b", 7, 1, 3, 9)), "a", "b")
    assert same.verdict == "**Unclear: all differences between a and b could be due to chance.**"


def test_a_share_of_nothing_is_undefined() -> None:
    comparison = CountComparison(of(("a", 0, 0, 4, 9), ("b", 2, 1, 2, 8)), "a", "b")
    precision = comparison.differences[2]
    assert precision.undefined == "nothing was predicted positive"
    assert "nan" not in comparison.verdict


def test_the_python_to_take_away_runs() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(CountComparison(Source.of(read_sample("four_methods")), "A", "D").code, {})  # noqa: S102
    assert printed.getvalue().startswith("Recall -0.35")
