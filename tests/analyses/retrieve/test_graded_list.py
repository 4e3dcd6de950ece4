"""Graded lists: the printed tables, gains and discounts of every kind, and lists that end early."""

import re
from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import GainSettings, GradedList, GradedSystems, gain_table, usable_gain
from evalcore.analyses.retrieve.graded import MOST_SYSTEMS
from evalcore.figures import over_ranks_figure
from evalcore.figures.theme import LIGHT
from tests.analyses.ranked import list_of, rankings, run_script, text
from tests.published.retrieval_rows import CLASSIC_COLUMNS, GRADED_COLUMNS
from tests.words import sentence_with

HEADS = {
    "cg": "CG",
    "normalised_cg": "normalised CG",
    "discount": "discount",
    "discounted_gain": "gain × discount",
    "dcg": "DCG",
    "idcg": "IDCG",
    "ndcg": "nDCG",
}
LINEAR = [0, 2, 1, 3, 0, 2, 0, 3, 1, 3]


def graded(data: str, *settings: object, query: str | None = None, **choices: float) -> GradedList:
    of = rankings(data, **choices)
    return GradedList(of, query or of.queries()[0], GainSettings(*settings))


@pytest.mark.parametrize(
    ("data", "discount", "columns"),
    [("graded_10", "log", GRADED_COLUMNS), ("graded_classic_10", "original", CLASSIC_COLUMNS)],
)
def test_the_printed_tables_to_the_printed_digit(data: str, discount: str, columns: dict) -> None:
    # Where a print is wrong (a discount of .38 at rank 5; 10.52 and .76 on the slides) the right value stands there.
    table = graded(data, "linear", discount).table
    for name, printed in columns.items():
        assert table[HEADS[name]].tolist() == pytest.approx(printed, abs=0.005 + 1e-9), name


def test_exponential_gains() -> None:
    found = graded("graded_10", "exp")
    assert found.table["DCG"][-1] == pytest.approx(11.0089, abs=5e-5)
    assert found.verdict == "**nDCG@10 is 0.433: DCG 11.01 of an ideal 25.42.**"
    assert found.table["nDCG"][-1] == pytest.approx(0.4330, abs=5e-5)


def test_own_gains_start_from_those_that_were_shown() -> None:
    grades = rankings("graded_10").grades
    assert gain_table(GainSettings().own_gains(grades, 12)) == "1:1;2:2;3:3"
    assert gain_table(GainSettings("exp").own_gains(grades, 12)) == "1:1;2:3;3:7"
    assert graded("graded_10", "1:1;2:3;3:7").table["DCG"][-1] == pytest.approx(11.0089, abs=5e-5)
    assert graded("graded_10", "1:1;2:2;3:10").table["gain"].tolist() == [0, 2, 1, 10, 0, 2, 0, 10, 1, 10]


@pytest.mark.parametrize(
    "gain", ["1:x", "3", ";", "1:2;", "2:1e9", "0:5", "1:9999999", "exponential", "1:" + "9" * 600]
)
def test_a_gain_that_cannot_be(gain: str) -> None:
    assert not usable_gain(gain, (1.0, 2.0, 3.0))


def test_the_base_spares_the_first_ranks_of_the_original_discount() -> None:
    discount = graded("graded_10", "linear", "original", 4).table["discount"].tolist()
    assert discount[:4] == [1, 1, 1, 1]
    assert discount[4] < 1
    usual, other = (graded("graded_10", "linear", "log", base).table for base in (2, 10))
    assert usual["nDCG"].tolist() == pytest.approx(other["nDCG"].tolist())
    assert usual["DCG"][-1] != pytest.approx(other["DCG"][-1])


def test_without_a_discount_dcg_is_cg() -> None:
    table = graded("graded_10", "linear", "none").table
    assert table["DCG"].tolist() == table["CG"].tolist()


def test_a_perfect_list_has_1_at_every_rank() -> None:
    found = graded(list_of(3, 3, 2, 1, 0))
    assert found.table["nDCG"].tolist() == [1] * 10
    assert "is 1.000:" in found.verdict


def test_the_finding_is_the_mean_over_the_queries_beside_the_one_that_is_shown() -> None:
    found = graded("image_retrieval_graded", query="q003")
    mean = GradedSystems(found.rankings, found.settings).headline["nDCG@10"]
    assert found.verdict.startswith(f"**Mean nDCG@10 is {mean} over 300 queries; query q003 has ")


def test_a_list_shorter_than_k_gains_nothing_after_its_end() -> None:
    found = graded(list_of(0, 2), k=4)
    assert found.short_table["grade"] == ["0", "2", "–", "–"]
    assert found.table["DCG"][1] == found.table["DCG"][3]
    assert sentence_with(found.notes(40), "2", "later")


def test_negative_grades_are_pooled_and_gain_nothing() -> None:
    found = graded(list_of(-1, "", 2), k=3)
    assert found.short_table["grade"] == ["unjudged", "unjudged", "2"]
    assert np.isnan(found.table["grade"]).tolist() == [True, True, False]
    assert found.table["gain"].tolist() == [0, 0, 2]


def test_grades_with_decimals() -> None:
    data = list_of(0.5, 2.25, 1.5)
    assert graded(data, k=3).table["ideal gain"].tolist() == [2.25, 1.5, 0.5]
    assert graded(data, "0.5:4;1.5:0;2.25:1", k=3).table["ideal gain"].tolist() == [4, 1, 0]


def test_nothing_relevant_counts_0_and_says_so() -> None:
    found = graded(list_of(0, 0, -1))
    assert sentence_with(found.notes(40), "0", "document")
    assert found.table["nDCG"].tolist() == [0] * 10


def test_k_moves_no_curve_over_the_ranks() -> None:
    # A picture that changes is mounted anew by the browser and loses its zoom.
    systems = [GradedSystems(rankings("image_retrieval_graded", k=k), GainSettings()) for k in (5, 50)]
    first, second = (over_ranks_figure(one.over_ranks("nDCG"), LIGHT).to_json() for one in systems)
    assert first == second


def test_systems_without_a_curve_are_counted() -> None:
    names = ",".join(f"system {place}" for place in range(MOST_SYSTEMS + 1))
    scores = ",".join("0.5" for _ in range(MOST_SYSTEMS + 1))
    found = GradedSystems(rankings(f"query,document,grade,{names}\nq,d,2,{scores}\n"), GainSettings())
    assert found.over_ranks("nDCG").note == "1 more system is not drawn."


def test_a_very_large_k_is_listed_as_far_as_can_be_read() -> None:
    found = graded("graded_10", k=1_000_000)
    assert len(found.table["k"]) == 1_000
    assert sentence_with(text(found.notes(40)), "1", "000")


def test_formulas_hold_the_numbers() -> None:
    formulas = graded("graded_10").formulas
    assert r"CG_{10} = \sum_{i \le 10} g(v_i) = 0 + 2 + 1 + 3 + 0 + 2 + \dots = 15.0" in formulas
    assert r"nDCG_{10} = \frac{DCG_{10}}{IDCG_{10}} = \frac{5.88092}{12.0356} = 0.489" in formulas
    assert r"g(2) = 7" in graded("graded_10", "2:7").formulas


@pytest.mark.parametrize(
    "found",
    [
        graded("graded_10"),
        graded("graded_classic_10", "1:2;3:9.5", "original", 3.0),
        graded("image_retrieval_graded", "exp", k=30, system="projection", query="q012"),
    ],
    ids=["linear", "own gains", "exponential"],
)
def test_the_script_finds_the_same_numbers(found: GradedList, tmp_path: Path) -> None:
    code = found.code
    run_script(code, tmp_path)
    for changed in (re.sub(r"(@\d+': )", r"\g<1>1 + ", code), code.replace("'dcg': ", "'dcg': 1 + ")):
        with pytest.raises(AssertionError):
            run_script(changed, tmp_path)
