"""Which measure when: questions about what somebody has and wants, and the measures that fit the answers."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalcore.registry import METRICS, MetricDef

__all__ = ["ADVICE", "Advice", "Recommended"]

_MOST = 5
"""A short list."""


@dataclass(frozen=True)
class Recommended:
    """A measure that fits, and why."""

    measure: MetricDef
    because: str


@dataclass(frozen=True)
class Advice:
    """Three questions about one kind of output, each with its options, and the measures to choose from."""

    title: str
    questions: Sequence[Mapping]  # with "key", "text" and "options"
    measures: Sequence[Mapping[str, str]]  # with "measure", "because" and, by the key of a question, letters of options

    def recommend(self, answers: Mapping[str, str]) -> list[Recommended]:
        """The measures that fit the answers, the best first; an answer is one of the options of a question.

        >>> misses = {"cost": "A miss", "rare": "Rare (below 10 %)", "aim": "Report one system"}
        >>> [one.measure.name for one in ADVICE["decisions"].recommend(misses)]
        ['Recall', 'F-measure']
        """
        letters = {one["key"]: "abcd"[one["options"].index(answers[one["key"]])] for one in self.questions}
        fitting = [
            one for one in self.measures if all(letter in one.get(key, letter) for key, letter in letters.items())
        ]
        return [Recommended(METRICS[one["measure"]], one["because"]) for one in fitting[:_MOST]]


def _read() -> dict[str, Advice]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {key: Advice(one["title"], one["questions"], one["advice"]) for key, one in table.items()}


ADVICE = _read()
"""By what somebody has: decisions, scores, probabilities, rankings, numbers, labels, regions."""
