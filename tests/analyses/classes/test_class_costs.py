"""Costs of classes in words and code."""

import runpy
from pathlib import Path

import pytest

from evalcore.analyses import ClassCosts, ProbabilitySource, Source, read_costs, written_costs
from evalcore.readers import read_sample
from tests.words import sentence_with


def costs_of(changed: dict[tuple[int, int], float]) -> ClassCosts:
    return ClassCosts(ProbabilitySource.of(Source.of(read_sample("digits_probabilities"))), changed)


def test_equal_costs_change_no_decision() -> None:
    analysis = costs_of({})
    assert analysis.moved == 0
    assert sentence_with(analysis.verdict, "0.029", "probable")


def test_a_dear_error_is_avoided() -> None:
    analysis = costs_of({(8, 1): 20.0})
    assert sentence_with(analysis.verdict, "0.052", "0.082", "28")
    usual, cheapest, _ = analysis.matrices.values()
    assert cheapest.counts[8, 1] < usual.counts[8, 1]
    assert len(analysis.table["cheapest"]) == 1797


def test_where_one_decision_is_always_cheapest_it_is_said() -> None:
    analysis = costs_of({(i, j): -5.0 for i in range(10) for j in [3]})
    assert analysis.values["always the same"] == -5
    assert analysis.values["cheapest decision"] == -5


@pytest.mark.parametrize("written", ["1-2", "a-b-c", "0-99-1", "-1-0-1", "0-1-nan", "0-1-1e300"])
def test_a_spoilt_address_has_no_costs(written: str) -> None:
    assert read_costs(written, 10) is None


def test_the_address_holds_what_was_set() -> None:
    costs = {(0, 1): 5.0, (2, 2): -1.5, (1, 0): 1.0}
    assert read_costs(written_costs(costs), 3) == {(0, 1): 5.0, (2, 2): -1.5}


def test_the_code_decides_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3] / "sample_data")
    script = tmp_path / "costs.py"
    script.write_text(costs_of({(8, 1): 20.0}).code, encoding="utf-8")
    assert runpy.run_path(str(script))["costs"][8][1] == 20
