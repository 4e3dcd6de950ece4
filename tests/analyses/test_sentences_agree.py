"""Sentences that once contradicted the numbers beside them."""

from evalcore.analyses import ClassTable, NamedCounts, Scores, Source, accuracy_note, best_threshold, population_of
from evalcore.classification import ConfusionCounts, youden_goal
from evalcore.readers.samples import read_sample


def test_no_alarm_for_no_hit_is_undefined_and_alarms_without_a_hit_are_infinitely_many() -> None:
    def alarms(*cells: float) -> str:
        population = population_of(NamedCounts(ConfusionCounts(*cells)), None)
        assert population is not None
        return population.table["alarms per hit"]

    assert alarms(0, 0, 10, 90) == "undefined"
    assert alarms(0, 5, 10, 85) == "∞"
    assert alarms(5, 5, 5, 85) == "2.00"


def test_an_accuracy_below_the_rate_without_information_is_below_it() -> None:
    note = accuracy_note(ClassTable.of(Source.of(read_sample("cancer_test")), None, None))
    assert note.startswith("**The accuracy is below the no-information rate** (90.6")


def test_a_threshold_with_the_same_counts_is_not_called_the_best_one() -> None:
    scores = Scores.of(Source.of(read_sample("digits_probabilities")), "p_0")
    verdict = best_threshold(scores, youden_goal()).verdict(0.5)
    assert "**Best threshold: 0.5868**" in verdict
    assert "The current threshold, 0.5, gives the same counts." in verdict
