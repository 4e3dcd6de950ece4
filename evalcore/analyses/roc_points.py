"""Decisions without scores: each is one point of the ROC plane, and one below the diagonal is better inverted."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.analyses.curves import Requirement
from evalcore.analyses.script import check, script
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionCounts, fall_out, prevalence, recall
from evalcore.registry import METRICS
from evalcore.wording import one_line, plain

__all__ = ["MOST_POINTS", "ROC_POINT_MEASURES", "RocPoint", "RocPoints"]

MOST_POINTS = 200
"""Points of a picture, and lines of the verdict."""

ROC_POINT_MEASURES = (
    "recall", "fall_out", "specificity", "precision", "negative_predictive_value", "accuracy", "youden_j",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class RocPoint:
    """One decision with its counts of shape (); its name may come from a file: escape it."""

    name: str
    counts: ConfusionCounts

    @property
    def is_below(self) -> bool:
        """Whether it lies below the diagonal, so that the opposite decision is the better one."""
        return float(recall(self.counts)) < float(fall_out(self.counts))


@dataclass(frozen=True, eq=False)
class RocPoints:
    """The points of a table of counts: one per system, or one per class against the rest."""

    source: Source
    points: Sequence[RocPoint]

    @classmethod
    def of(cls, source: Source) -> "RocPoints":
        """Read the counts. Raises ReadProblem where they cannot be used.

        >>> from evalcore.readers.samples import read_sample
        >>> points = RocPoints.of(Source.of(read_sample("four_methods")))
        >>> [point.name for point in points.points if point.is_below]
        ['B']
        """
        dataset = source.dataset
        if not dataset.is_matrix:
            return cls(source, [RocPoint(name, dataset.counts(name)) for name in dataset.systems])
        matrix = dataset.matrix()
        each = matrix.one_vs_rest()
        return cls(source, [RocPoint(name, each[index]) for index, name in enumerate(matrix.classes)])

    @property
    def prevalence(self) -> float:
        """Of the chosen system, else of the first."""
        chosen = [point for point in self.points if point.name == self.source.system] or self.points
        return float(prevalence(chosen[0].counts)) if chosen else float("nan")

    def verdict(self, requirements: Sequence[Requirement]) -> str:
        """What each point is good for, as a list in Markdown."""
        lines = []
        for point in self.points[:MOST_POINTS]:
            name, reached = plain(point.name, 40), [one.reached_by(point.counts) for one in requirements]
            if point.is_below:
                lines.append(f"**{name}** lies below the diagonal: **the opposite decision is better**. Invert it.")
            elif any(reached):
                lines.append(f"**{name}** — {'; '.join(filter(None, reached))}.")
        others = len(self.points) - len(lines)
        if others and requirements:
            lines.append(f"{others} of {len(self.points)} meet none of these.")
        return "\n".join(f"- {line}" for line in lines)

    @property
    def table(self) -> dict[str, list]:
        """Counts and rates of each point as columns, unrounded."""
        table: dict[str, list] = {"system": [one_line(point.name) for point in self.points]}
        for cell in ("tp", "fp", "fn", "tn"):
            table[cell.upper()] = [float(getattr(point.counts, cell)) for point in self.points]
        measures = [METRICS[key] for key in ROC_POINT_MEASURES]
        return table | {m.name: [float(m(point.counts)) for point in self.points] for m in measures}

    @property
    def code(self) -> str:
        """A script that asserts the place of each point and inverts those below the diagonal."""
        if self.source.dataset.is_matrix:
            points = "matrix = data.matrix()\neach = matrix.one_vs_rest()\n"
            points += "points = {name: each[index] for index, name in enumerate(matrix.classes)}"
        else:
            points = "points = {system: data.counts(system) for system in data.systems}"
        places = [[float(fall_out(point.counts)), float(recall(point.counts))] for point in self.points]
        return script(
            self.source.code,
            points,
            "places = {name: [float(fall_out(counts)), float(recall(counts))] for name, counts in points.items()}",
            check("list(places.values())", places),
            "for name, (x, y) in places.items():",
            "    if y < x:",
            "        opposite = inverted(points[name])",
            '        print(name, "is better inverted:", float(fall_out(opposite)), float(recall(opposite)))',
        )
