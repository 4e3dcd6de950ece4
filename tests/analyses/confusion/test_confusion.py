"""The verdict over a 2×2 table: what four counts say in words, for the tests everyone argues about."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evalcore.analyses import NamedCounts, Requirement, Scores, Source, analyse_confusion
from evalcore.classification import ConfusionCounts
from evalcore.readers import read_sample
from tests.classification.small_inputs import thorough
from tests.words import facts

CELL = st.one_of(st.integers(0, 5), st.integers(0, 10**6), st.floats(1e-9, 1e15))


def said(tp: float, fp: float, fn: float, tn: float) -> tuple[str, str]:
    return verdict(ConfusionCounts(tp, fp, fn, tn), "ill", "healthy")


def verdict(counts: ConfusionCounts, positive: str, negative: str) -> tuple[str, str]:
    confusion = analyse_confusion(NamedCounts(counts, positive, negative))
    assert confusion.verdict == f"**{confusion.headline}**  \n{confusion.reasons}"
    return confusion.headline.replace("\u202f", ""), confusion.reasons.replace("\u202f", "")


def test_the_cancer_test_rules_out_but_not_in_and_its_accuracy_misleads() -> None:
    assert said(20, 180, 10, 1820) == (
        "Good for ruling out (99.5% right), not for ruling in (10.0%).",
        "The result “healthy” is right 99.5% of the time; “ill” only 10.0%. It can't rule in: PPV is 10.0% "
        "(6.6–14.9%), and 90% is needed. Before the test, 1.5% are ill. "
        "Accuracy (90.6%) misleads: always answering “healthy” would reach 98.5%.",
    )


def test_the_virus_test_rules_out_but_not_in() -> None:
    headline, reasons = said(595, 4965, 105, 94335)
    assert headline == "Good for ruling out (99.9% right), not for ruling in (10.7%)."
    assert "is right 99.9% of the time; “ill” only 10.7%." in reasons
    assert "Accuracy (94.9%) misleads: always answering “healthy” would reach 99.3%." in reasons


def test_a_test_that_always_says_no_tells_nothing_however_accurate() -> None:
    assert said(0, 0, 10, 9990) == (
        "It always gives the same answer, so it tells you nothing.",
        "The result “healthy” is right 99.9% of the time; the other never occurs. Before the test, 0.1% are ill. "
        "Accuracy (99.9%) says nothing: always answering “healthy” would reach 99.9% too.",
    )


def test_a_test_that_always_says_yes_tells_nothing_either() -> None:
    assert said(10, 30, 0, 0) == (
        "It always gives the same answer, so it tells you nothing.",
        "The result “ill” is right only 25.0% of the time; the other never occurs. Before the test, 25.0% are ill. "
        "Accuracy (25.0%) misleads: always answering “healthy” would reach 75.0%.",
    )


def test_a_name_that_is_no_everyday_word_stands_in_quotation_marks() -> None:
    _, reasons = verdict(ConfusionCounts(20, 180, 10, 1820), "Heart failure", "not *Heart* failure")
    assert "are “Heart failure”." in reasons
    assert "The result “not &#42;Heart&#42; failure” is right" in reasons
    assert verdict(ConfusionCounts(1, 0, 1, 0), "1", "0")[1].startswith("The true label of every row is “1”:")


def test_a_perfect_test_rules_in_and_out() -> None:
    headline, reasons = said(60, 0, 0, 140)
    assert headline == "Good for ruling out (100.0% right) and for ruling in (100.0%)."
    assert "Accuracy is 100.0%; always answering “healthy” would reach 70.0%." in reasons


def test_a_perfect_test_of_a_few_rows_rules_nothing_in_or_out() -> None:
    headline, reasons = said(1, 0, 0, 9)
    assert headline == "Too few rows to rule in or out."
    assert "PPV is 100.0% (20.7–100.0%), and its whole interval must be at least 90%." in reasons
    assert said(30, 0, 0, 70)[0] == "Good for ruling out (100.0% right); too few rows for ruling in."


def test_a_negative_result_that_is_right_because_few_are_ill_rules_nothing_out() -> None:
    # Half of the ill are missed; 90.9 % are healthy without a test.
    headline, reasons = said(500, 10, 500, 9990)
    assert headline == "Good for ruling in (98.0% right), not for ruling out (95.2%)."
    assert "It can't rule out: NPV is 95.2% (94.8–95.6%), and 99% is needed." in reasons


def test_the_verdict_follows_the_prevalence_that_is_stated() -> None:
    counts = NamedCounts(ConfusionCounts(20, 180, 10, 1820), "ill", "healthy")
    moved = analyse_confusion(counts, share=0.25)
    reasons = moved.reasons.replace("\u202f", "")
    assert moved.headline.endswith("71.2\u202f% of positive results are right.")
    assert "right 89.1% of the time; “ill” 71.2%. It can't rule out: NPV is 89.1% (84.2–93.4%)" in reasons
    assert "It can't rule in: PPV is 71.2% (63.7–75.8%), and 90% is needed. Before the test, 25.0% (1.5% in" in reasons
    assert "Accuracy is 84.9%; always answering “healthy” would reach 75.0%." in reasons
    assert "matrix" in moved.note
    assert not analyse_confusion(counts).note


def test_another_value_can_be_required() -> None:
    counts, required = ConfusionCounts(20, 180, 10, 1820), [Requirement("out", "sensitivity", 0.9)]
    out, _ = analyse_confusion(counts, requirements=required).rulings
    assert out.status == "value"
    said = out.sentence.replace("\u202f", "")
    assert said == "It can't rule out: sensitivity is 66.7% (48.8–80.8%), and 90% is needed."


def test_a_required_recall_is_an_edge_below_on_the_roc_plane_and_left_beside_precision() -> None:
    required = Requirement("out", "sensitivity", 3 / 4)
    assert [ends.tolist() for ends in required.region(1 / 4)] == [[0, 1, 1, 0], [3 / 4, 3 / 4, 1, 1]]
    assert [ends.tolist() for ends in required.region(1 / 4, over_roc=False)] == [[3 / 4, 1, 1, 3 / 4], [0, 0, 1, 1]]


def test_one_that_rules_in_only() -> None:
    assert said(250, 5, 250, 4995)[0].startswith("Good for ruling in (98.0")


def test_one_that_only_shifts_the_odds() -> None:
    assert said(60, 40, 40, 60)[0].startswith("Informative, but")


def test_worse_than_guessing_says_to_turn_it_round() -> None:
    assert facts(said(1, 9, 9, 1)[0]) == "Worse better"


def test_no_better_than_guessing() -> None:
    assert said(10, 90, 90, 810)[0] == "No better than guessing."


@pytest.mark.parametrize(("cells", "only", "right"), [((5, 0, 3, 0), "ill", "62.5"), ((0, 5, 0, 3), "healthy", "37.5")])
def test_with_one_class_only_there_is_nothing_to_tell_but_how_many_are_right(cells, only, right) -> None:
    assert facts(said(*cells)) == f"{only} {right}%"


def test_without_rows_there_is_nothing_to_judge() -> None:
    assert said(0, 0, 0, 0) == ("Nothing to judge yet.", "All four counts are 0.")


def test_the_larger_class_may_be_the_positive_one() -> None:
    assert "always answering “ill” would reach 80.0%" in said(70, 10, 10, 10)[1]


@thorough
@given(st.integers(1, 10**6), st.integers(1, 10**6))
@example(163, 418)
def test_always_saying_the_larger_class_is_exactly_as_accurate_as_itself(positives, negatives) -> None:
    # As a share of rounded shares, 1 − prevalence would differ in the last bit, and accuracy would "mislead".
    cells = (positives, negatives, 0, 0) if positives > negatives else (0, 0, positives, negatives)
    assert "says nothing: always answering" in said(*cells)[1]


@thorough
@given(CELL, CELL, CELL, CELL)
def test_any_counts_get_a_verdict_in_words(tp, fp, fn, tn) -> None:
    headline, reasons = said(tp, fp, fn, tn)
    assert headline.endswith(".")
    assert reasons.endswith(".")
    assert "nan" not in headline + reasons
    assert "undefined" not in headline + reasons


def test_data_that_are_open_under_two_names_of_a_class_have_the_same_rows_in_each_cell() -> None:
    data, behind = read_sample("roc_20"), []
    for source in (Source.of(data, sample="roc_20"), Source.of(data)):
        named = NamedCounts.at(Scores.of(source, source.system), 0.4321)
        behind.append({cell: rows.tolist() for cell, rows in named.rows_by_outcome().items()})
    assert behind[0] == behind[1]
