"""Tables of estimates: columns by their names, what is told of them, and the step that makes two classes."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, end_columns, roles_of
from tests.words import facts

RANDOM = np.random.default_rng(3)
TRUTH = np.round(RANDOM.gamma(4, 5, 40), 2) + 0.5


def codes(**columns: object) -> list[str]:
    return [finding.code for finding in DataSet.of(pd.DataFrame(columns)).findings]


def test_ends_and_quantiles_are_no_systems_unless_there_are_no_others() -> None:
    ends = {"truth": TRUTH, "model": TRUTH * 1.1, "lower": TRUTH - 1.5, "upper": TRUTH + 2.5}
    assert DataSet.of(pd.DataFrame(ends)).systems == ("model",)
    quantiles = {"truth": TRUTH, "q10": TRUTH - 1.5, "q50": TRUTH + 0.2, "q90": TRUTH + 2.5}
    assert DataSet.of(pd.DataFrame(quantiles)).systems == ("q50",)
    models = {"truth": TRUTH, "p1": TRUTH - 1.5, "p2": TRUTH + 0.2}
    assert DataSet.of(pd.DataFrame(models)).systems == ("p1", "p2")
    assert [(one.low, one.high, one.level) for one in end_columns(["Lo 80", "Hi 80", "Lo 95", "Hi 95"])] == [
        ("Lo 95", "Hi 95", 0.95), ("Lo 80", "Hi 80", 0.8)
    ]  # fmt: skip


def test_what_makes_measures_undefined_is_told_with_its_rows() -> None:
    truth = TRUTH.copy()
    truth[:3], truth[3:5] = 0, -1.5
    found = {one.code: one for one in DataSet.of(pd.DataFrame({"truth": truth, "estimate": truth + 0.3})).findings}
    assert facts(found["zeros"].sentence) == "truth 0 3"
    assert found["negative numbers"].count == 2
    assert "R² is undefined" in " ".join(
        one.sentence for one in DataSet.of(pd.DataFrame({"truth": [2.5] * 4, "estimate": [1.5, 2, 3, 4]})).with_roles(
            roles_of(truth="truth", estimate=("estimate",))
        ).findings
    )  # fmt: skip


def test_numbers_in_another_unit_are_suspected() -> None:
    noise = RANDOM.lognormal(0, 0.1, 40)
    grams = DataSet.of(pd.DataFrame({"truth": TRUTH, "estimate": TRUTH * 1000 * noise}))
    told = next(one for one in grams.findings if one.code == "another unit")
    assert "are about 1" in told.sentence
    assert "in another unit?" in told.sentence
    assert "another unit" not in codes(truth=TRUTH, estimate=TRUTH * noise)
    assert "another unit" not in codes(truth=TRUTH, estimate=RANDOM.permutation(TRUTH) * 3)


def test_names_tell_when_truth_and_estimate_changed_places() -> None:
    data = DataSet.of(pd.DataFrame({"actual": TRUTH, "predicted": TRUTH + 0.7}))
    assert "swapped truth" not in [one.code for one in data.findings]
    swapped = data.with_roles(roles_of(truth="predicted", estimate=("actual",)))
    assert "swapped truth" in [one.code for one in swapped.findings]


def test_a_limit_on_the_truth_makes_two_classes() -> None:
    data = DataSet.of(pd.DataFrame({"truth": [*TRUTH, None], "estimate": [*(TRUTH + 0.4), 3.0]}))
    classes = data.shaped("reach~truth~20").with_roles("actual~truth~~score~estimate~~positive~≥ 20")
    assert (classes.kind, classes.scored().positives) == ("scores", float((TRUTH >= 20).sum()))
    assert classes.left_out() == 1
    with pytest.raises(ReadProblem, match="limit"):
        data.shaped("reach~truth~*")
    with pytest.raises(ReadProblem, match='Column "word" holds text'):
        DataSet.of(pd.DataFrame({"truth": TRUTH, "word": ["a"] * 40})).shaped("reach~word~1")
