"""The same test in another population: what its answers are worth there."""

from dataclasses import dataclass

from evalcore.analyses.confusion import NamedCounts
from evalcore.classification import (
    ConfusionCounts,
    among,
    at_prevalence,
    negative_predictive_value,
    precision,
    prevalence,
)
from evalcore.wording import as_noun, count_text, number_text, share_text

__all__ = ["PEOPLE", "Population", "population_of"]

PEOPLE = 1000
"""People in the natural frequencies."""


@dataclass(frozen=True)
class Population:
    """A test as it was counted, in a population of another prevalence (`share`, 0 … 1); `own` is that of the counts."""

    named: NamedCounts
    share: float
    own: float

    @property
    def counts(self) -> ConfusionCounts:
        """The counts to expect there."""
        return at_prevalence(self.named.counts, self.share)

    @property
    def people(self) -> ConfusionCounts:
        """The outcomes of a thousand people, in whole numbers."""
        return among(self.counts, PEOPLE)

    @property
    def verdict(self) -> str:
        """The thousand people in a sentence, in Markdown."""
        people, named = self.people, self.named
        found, positives = count_text(float(people.tp)), count_text(float(people.actual_positives))
        alarms = f"{count_text(float(people.fp))} that are {as_noun(named.negative, 30)}"
        positive = as_noun(named.positive, 30)
        return f"{positives} are {positive}; the test finds {found} of them and raises a false alarm for {alarms}"

    @property
    def description(self) -> str:
        """What a picture of the people shows."""
        people = self.people
        return (
            f"Of {PEOPLE} people: {people.tp:.0f} true positives, {people.fn:.0f} false negatives, "
            f"{people.fp:.0f} false positives, {people.tn:.0f} true negatives."
        )

    @property
    def table(self) -> dict[str, str]:
        """What the answers are worth, as they are written."""
        ppv, npv = float(precision(self.counts)), float(negative_predictive_value(self.counts))
        alarms = number_text(1 / ppv) if ppv > 0 else "∞"
        return {"precision": share_text(ppv), "NPV": share_text(npv), "alarms per hit": alarms}


def population_of(named: NamedCounts, share: float | None = None) -> Population | None:
    """The test in a population, by default of the prevalence of the counts; None where a class has no rows.

    >>> cancer = NamedCounts(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), "ill", "healthy")
    >>> population_of(cancer, 0.1).verdict
    '100 are ill; the test finds 67 of them and raises a false alarm for 81 that are healthy'
    """
    if not (named.counts.actual_positives and named.counts.actual_negatives):
        return None
    own = float(prevalence(named.counts))
    return Population(named, own if share is None else share, own)
