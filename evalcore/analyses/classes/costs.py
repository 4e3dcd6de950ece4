"""Costs of errors between several classes, and the decisions with the lowest expected cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.data import ProbabilitySource, check, script
from evalcore.classification import ConfusionMatrix, cheapest_decisions, mean_cost, overall_accuracy
from evalcore.numeric import Array, Indices
from evalcore.readers import text_of
from evalcore.wording import Cell, count_text, label_text, number_text, share_text

__all__ = ["MOST_COST_CLASSES", "ClassCosts", "read_costs", "written_costs"]

MOST_COST_CLASSES = 12
"""Classes up to which costs can be set."""

_HIGHEST = 1e9


@dataclass(frozen=True, eq=False)
class ClassCosts:
    """The decisions of a table of probabilities under a cost of each error."""

    probabilities: ProbabilitySource
    changed: Mapping[tuple[int, int], float]  # other costs than 1 for an error, by places of actual class and decision

    @cached_property
    def costs(self) -> Array:
        """Cost of each actual class and decision, shape (k, k)."""
        costs = 1.0 - np.eye(len(self.probabilities.table.classes))
        for place, cost in self.changed.items():
            costs[place] = cost
        return costs

    @property
    def names(self) -> list[str]:
        """Names of the classes. Unescaped text from a file."""
        return [text_of(name) for name in self.probabilities.table.classes]

    @property
    def most_probable(self) -> Indices:
        """Place of the most probable class of each row."""
        return self.probabilities.table.probabilities.argmax(axis=1)

    @cached_property
    def decisions(self) -> Indices:
        """The cheapest decision of each row by its expected cost."""
        return cheapest_decisions(self.probabilities.table, self.costs)

    @cached_property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """Actual class and decision, by the way of deciding."""
        table = self.probabilities.table
        ways = {
            "most probable class": self.most_probable,
            "cheapest decision": self.decisions,
            "always the same": np.full(len(table.actual), int((table.sizes @ self.costs).argmin())),
        }
        places = range(len(table.classes))
        return {
            way: ConfusionMatrix.from_labels(table.actual, decided, places, table.weights)
            for way, decided in ways.items()
        }

    @property
    def values(self) -> dict[str, float]:
        """Mean cost per row, by the way of deciding."""
        return {way: mean_cost(matrix, self.costs) for way, matrix in self.matrices.items()}

    @property
    def moved(self) -> int:
        """Number of rows whose cheapest decision is not the most probable class."""
        return int(np.count_nonzero(self.decisions != self.most_probable))

    @property
    def verdict(self) -> str:
        """Saving by the decisions with the lowest expected cost, in Markdown."""
        usual, cheapest, same = self.values.values()
        if same < min(usual, cheapest):
            return (
                f"**Always deciding the same would be cheaper: {number_text(same)} per row**, against "
                f"{number_text(cheapest)} by expected cost and {number_text(usual)} by the most probable class."
            )
        if not self.moved:
            return f"**The most probable class is the cheapest decision for every row:** {number_text(usual)} per row."
        cheaper = "cheaper" if cheapest < usual else "not cheaper on these rows"
        return (
            f"**The decisions of lowest expected cost are {cheaper}: {number_text(cheapest)} per row**, against "
            f"{number_text(usual)} by the most probable class; {count_text(self.moved)} of "
            f"{count_text(len(self.decisions))} rows are decided differently."
        )

    @property
    def cost_rows(self) -> tuple[list[Cell | str], list[list[Cell | str]]]:
        """Headings and lines of the costs: actual classes down, decisions across."""
        heads: list[Cell | str] = ["actual ↓ decision →", *(label_text(name, 14) for name in self.names)]
        lines: list[list[Cell | str]] = [
            [Cell(label_text(name, 20), heading=True), *(f"{cost:g}" for cost in costs)]
            for name, costs in zip(self.names, self.costs.tolist(), strict=True)
        ]
        return heads, lines

    @property
    def rows(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Headings and lines: the mean cost and the accuracy of each way of deciding."""
        lines, values = [], self.values
        for way, matrix in self.matrices.items():
            always = way == "always the same"
            which = label_text(self.names[int(matrix.counts.sum(axis=0).argmax())], 24) if always else ""
            cost = Cell(number_text(values[way]), strong=True)
            lines.append([Cell(way, aside=which), cost, share_text(overall_accuracy(matrix))])
        return ["decision", "cost per row", "accuracy"], lines

    @property
    def table(self) -> dict[str, list]:
        """Line, actual class, most probable class, cheapest decision and its expected cost of each row."""
        table, names = self.probabilities.table, np.array(self.names, dtype=object)
        expected = (table.probabilities * self.costs.T[self.decisions]).sum(axis=1)
        return {
            **{name: list(values) for name, values in self.probabilities.columns.items()},
            "most probable": names[self.most_probable].tolist(),
            "cheapest": names[self.decisions].tolist(),
            "expected cost": expected.tolist(),
        }

    @property
    def code(self) -> str:
        """Python that decides again and asserts the mean costs."""
        usual, cheapest, _ = self.values.values()
        return script(
            self.probabilities.code,
            f"costs = np.array({self.costs.tolist()!r})  # [actual, decision]",
            "places = range(len(table.classes))",
            "decided = cheapest_decisions(table, costs)",
            "cheapest = ConfusionMatrix.from_labels(table.actual, decided, places, table.weights)",
            "usual = table.probabilities.argmax(axis=1)",
            "usual = ConfusionMatrix.from_labels(table.actual, usual, places, table.weights)",
            check("[mean_cost(usual, costs), mean_cost(cheapest, costs)]", [usual, cheapest]),
            "print(mean_cost(usual, costs), mean_cost(cheapest, costs))",
        )


def read_costs(written: str | None, classes: int) -> dict[tuple[int, int], float] | None:
    """Parse costs written by `written_costs`; None if the text is no such costs.

    >>> read_costs("0-1-5,2-0-0.5", 3), read_costs("0-7-5", 3), read_costs("", 3)
    ({(0, 1): 5.0, (2, 0): 0.5}, None, {})
    """
    costs: dict[tuple[int, int], float] = {}
    for part in filter(None, (written or "").split(",")):
        try:
            actual, decision, cost = part.split("-", 2)
            place, value = (int(actual), int(decision)), float(cost)
        except ValueError:
            return None
        if not (min(place) >= 0 and max(place) < classes and abs(value) <= _HIGHEST):
            return None
        costs[place] = value
    return costs


def written_costs(costs: Mapping[tuple[int, int], float]) -> str | None:
    """Costs as text, without the defaults (1 for an error, 0 for a correct decision); None if all are defaults.

    >>> written_costs({(0, 1): 5.0, (1, 2): 1.0, (2, 2): 0.0})
    '0-1-5'
    """
    parts = [f"{i}-{j}-{cost:g}" for (i, j), cost in costs.items() if cost != float(i != j)]
    return ",".join(parts) or None
