"""Sentences that once contradicted the numbers beside them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.analyses import (
    ClassTable,
    LabelPairs,
    NamedCounts,
    Scores,
    Source,
    accuracy_note,
    best_threshold,
    population_of,
)
from evalcore.classification import ConfusionCounts, youden_goal
from evalcore.readers import read_sample, read_table
from evalcore.wording import number_text, value_text
from tests.words import sentence_with


def test_no_alarm_for_no_hit_is_undefined_and_alarms_without_a_hit_are_infinitely_many() -> None:
    def alarms(*cells: float) -> str:
        population = population_of(NamedCounts(ConfusionCounts(*cells)), None)
        assert population is not None
        return population.table["alarms per hit"]

    assert alarms(0, 0, 10, 90) == "undefined"
    assert alarms(0, 5, 10, 85) == "∞"
    assert alarms(5, 5, 5, 85) == "2.00"


def test_one_row_of_a_cell_is_one() -> None:
    table = ClassTable.of(Source.of(read_sample("cancer_test")), None, None)
    assert [table.cell_text("a", "b", count).split()[1] for count in ("0", "1", "2")] == ["rows", "row", "rows"]


def test_an_accuracy_below_the_rate_without_information_is_below_it() -> None:
    note = accuracy_note(ClassTable.of(Source.of(read_sample("cancer_test")), None, None))
    assert sentence_with(note, "90.6%", "accuracy")


@pytest.mark.parametrize(
    ("errors", "said", "lowest"),
    [
        ("ab ab ab bc ba", "most common error: a taken for b.", "a"),
        ("ab ab bc bc ca", "two errors are equally common: a taken for b and b taken for c.", "a and b"),
        ("ab bc ca", "several errors are equally common.", "a, b and c"),
    ],
)
def test_no_error_or_class_is_named_alone_where_others_are_as_bad(errors: str, said: str, lowest: str) -> None:
    rows = [f"{actual},{predicted}\n" for actual, predicted in [*errors.split(), "aa", "bb", "cc"]]
    source = Source.of(read_table(f"actual,predicted\n{''.join(rows)}".encode(), "table.csv"))
    verdict = ClassTable.of(source, "predicted", LabelPairs.of(source, "predicted")).verdict()
    assert said in verdict
    assert sentence_with(verdict, "Lowest recall").endswith(f"for {lowest}.")


def test_a_threshold_with_the_same_counts_is_not_called_the_best_one() -> None:
    scores = Scores.of(Source.of(read_sample("digits_probabilities")), "p_0")
    verdict = best_threshold(scores, youden_goal()).verdict(0.5)
    assert "**Best: 0.5868**" in verdict
    assert sentence_with(verdict, "0.5", "same counts")


@pytest.mark.parametrize(
    ("table", "size"),
    [
        ("actual,score\n1,0.5\n0,0.2\n1,\n,0.3\n0,inf\n1,0.9\n", "3 of 6 rows, 2 positive (1)"),
        ("actual,predicted\na,a\nb,\nb,b\n,a\n", "2 of 4 rows, 1 positive (a)"),
        ("truth,estimate\n1,2\n2,\n3,4\n", "2 of 3 rows"),
        ("actual,score\n1,0.5\n0,0.2\n", "2 rows, 1 positive (1)"),
    ],
)
def test_a_header_has_the_rows_that_are_used(table: str, size: str) -> None:
    source = Source.of(read_table(table.encode(), "table.csv"))
    assert source.size == size
    if source.kind == "scores":
        scored = Scores.of(source, source.system).scored
        assert (source.rows, source.positives) == (scored.positives + scored.negatives, scored.positives)


@given(st.integers(1, 99_999), st.integers(-5, 3), st.integers(-20, 20))
def test_a_number_is_written_once_however_its_last_digits_fell(half: int, place: int, off: int) -> None:
    """A value halfway between two written ones is off by its rounding errors: a headline and a table round it alike."""
    exact = (half + 0.5) * 10.0**place
    value = exact + off * math.ulp(exact)
    measure = METRICS["mean_absolute_error"]
    assert number_text(value) == value_text(measure, value) == number_text(exact)
