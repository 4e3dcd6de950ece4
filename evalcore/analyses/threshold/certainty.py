"""Uncertainty of the chosen threshold: its distribution over resamples, equally good thresholds, and optimism."""

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from evalcore.analyses.data.scores import Scores, goal_name
from evalcore.analyses.threshold.choice import CASES, ThresholdChoice, cost_text
from evalcore.classification import ThresholdTable, threshold_grid
from evalcore.inference.base.clustered import MOST_BAGS, bags_of_rows
from evalcore.inference.base.resampling import Resampling, clusters_of, clusters_of_rows, resampling_of
from evalcore.inference.intervals.scores import ChoiceBootstrap, bootstrap_choice
from evalcore.numeric import Array, runs_of
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, apart_text, many_text, plain, value_text
from evalcore.wording.numbers import THIN, count_text, level_text, number_text, range_text, share_text, threshold_text

__all__ = ["ChoiceCertainty", "ResamplingPlan", "band_table", "bands_at", "choice_certainty"]
__all__ += ["range_of_choices", "resampling_for"]

_MEASURES = ("recall", "precision", "specificity", "negative_predictive_value", "accuracy", "f_beta")
_LEVEL = 0.95
_FEW_GROUPS = 10


@dataclass(frozen=True)
class ResamplingPlan:
    """Plan of resamples: of all "rows", of rows within "classes", or of whole "groups"."""

    scheme: str = "rows"
    resamples: int = 2000
    seed: int = 20


@dataclass(frozen=True, eq=False)
class ChoiceCertainty:
    """Best threshold for a goal in the sample and in resamples."""

    chosen: ThresholdChoice
    plan: ResamplingPlan
    bootstrap: ChoiceBootstrap

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Ends of the central two thirds of the chosen thresholds; nan without a choice."""
        return self.bootstrap.spread()

    @property
    def is_defined(self) -> bool:
        """Whether the sample and at least one resample have a best threshold."""
        return not math.isnan(self.ends[0]) and not math.isnan(self.bootstrap.value)

    @property
    def thresholds(self) -> Array:
        """Candidate thresholds, rising, shape (t,)."""
        return self.bootstrap.thresholds[:: self._way]

    @property
    def shares(self) -> Array:
        """Share of the resamples with a choice that choose each threshold, shape (t,)."""
        return self.bootstrap.shares[:: self._way]

    @property
    def good(self) -> np.ndarray:
        """Mask of the thresholds within one standard error of the best, shape (t,)."""
        return self.bootstrap.good[:: self._way]

    @property
    def title(self) -> str:
        """Title of the distribution of the best threshold over resamples."""
        return f"Where the best threshold falls in {count_text(self.bootstrap.resampling.resamples)} resamples"

    @property
    def range_text(self) -> str:
        """Central two thirds of the chosen thresholds, as plain text."""
        return f"best threshold in 67{THIN}% of resamples: {range_of_choices(*self.ends)}"

    @property
    def verdict(self) -> str:
        """Range of the chosen thresholds and the most frequent one, as a sentence in Markdown."""
        index = int(self.shares.argmax())
        at, share = threshold_text(float(f"{self.thresholds[index]:.4g}")), share_text(float(self.shares[index]))
        often = f", most often {at} ({share})" if (self.shares > 0).sum() > 1 else ""
        return f"**{self.range_text[0].upper()}{self.range_text[1:]}**{often}."

    @property
    def plateau_text(self) -> str:
        """Thresholds as good as the best, as plain text."""
        # From the lowest to the highest threshold of each range, both of them in it.
        first, last = runs_of(self.good)
        ranges = list(map(range_of_choices, self.thresholds[first].tolist(), self.thresholds[last].tolist()))
        more = f" and {many_text(len(ranges) - 4, 'more range')}" if len(ranges) > 4 else ""
        return f"Equally good within one standard error: {', '.join(ranges[:4])}{more}."

    @property
    def note(self) -> str:
        """Note on the resampling unit, the number of resamples and those without a choice, in Markdown."""
        bootstrap, resampling = self.bootstrap, self.bootstrap.resampling
        scores, clusters = self.chosen.scores, resampling.clusters is not None
        units = f"{count_text(resampling.rows)} rows" + (" within each class" if resampling.stratified else "")
        column = scores.current.roles.get("group" if self.plan.scheme == "groups" else "cluster")
        if clusters:
            prices = self.chosen.goal.priced
            single = "rows" if prices and prices.weights is None else "weighted rows"
            if resampling.rows == MOST_BAGS:
                single = f"random groups of {single}"
            units = f"{count_text(resampling.rows)} {single if column is None else f'groups by {plain(column, 30)}'}"
        parts = [f"{count_text(resampling.resamples)} resamples of {units}, seed {resampling.seed}."]
        few = clusters and column is not None and resampling.rows < _FEW_GROUPS
        sentences = {
            "So few groups say little about others.": few,
            "Fewer resamples were drawn because there are so many groups.": self.plan.resamples > resampling.resamples,
            "Weights are treated as row counts, rounded.": scores.scored.positive_weights is not None and not clusters,
            f"In {count_text(bootstrap.unmet)} of them no threshold meets the limits.": bootstrap.unmet,
            f"In {count_text(bootstrap.undefined)} of them the goal is undefined.": bootstrap.undefined,
        }
        parts += [sentence for sentence, holds in sentences.items() if holds]
        if bootstrap.goal.limits and not bootstrap.reason:
            share = share_text(bootstrap.limits_kept)
            parts.append(f"In {share} of resamples the chosen threshold also meets the limits in the full sample.")
        return " ".join(parts)

    @property
    def values(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows of the value of the goal in the sample and the one to expect on new data."""
        measure, bootstrap = self.chosen.goal.measure, self.bootstrap
        head, write = goal_name(self.chosen.goal), number_text
        if isinstance(measure, MetricDef):
            write = partial(value_text, measure)
        elif "fp_cost" in dict(self.chosen.goal.parameters):
            head, write = f"cost {CASES}", cost_text
        optimism = apart_text(write, bootstrap.value, bootstrap.out_of_sample)
        side = {"+": " too high", "−": " too low"}.get(optimism[0], "")
        return [head, ""], [
            ["in this sample", write(bootstrap.value)],
            ["expected on new data", write(bootstrap.out_of_sample)],
            ["optimism", optimism.lstrip("+−") + side],
        ]

    @property
    def table(self) -> dict[str, object]:
        """Every threshold with the share of resamples that choose it and whether it is as good as the best."""
        chose = int((self.bootstrap.rows >= 0).sum())
        return {
            "threshold": self.thresholds, "resamples": (self.shares * chose).round().astype(int), "share": self.shares,
            "as good as the best": self.good, "seed": self.bootstrap.resampling.seed,
        }  # fmt: skip

    @property
    def _way(self) -> int:
        return -1 if self.chosen.scores.higher else 1


def choice_certainty(
    chosen: ThresholdChoice, plan: ResamplingPlan | None = None, bootstrap: ChoiceBootstrap | None = None
) -> ChoiceCertainty:
    """Choose the threshold again in resamples of the rows, unless their bootstrap is known already."""
    plan, scores = plan or ResamplingPlan(), chosen.scores
    if bootstrap is None and (prices := chosen.goal.priced) is not None:
        codes = np.arange(len(prices.labels)) if prices.clusters is None else prices.clusters
        if plan.scheme == "groups":
            arrays = _grouped_arrays(scores)
            amounts = scores.current.frame[prices.name].to_numpy(np.float64, na_value=np.nan)[arrays.complete]
            codes = arrays.group_codes[0][~np.isnan(amounts)]
        table, bags = prices.table(scores.table.thresholds), bags_of_rows(codes, prices.weights)
        # Rows whose amount is 0 are drawn too, as they are rows of the sample.
        grouped = clusters_of(threshold_grid(table), prices.labels, prices.scores, bags, prices.errors)
        goal = replace(chosen.goal, limits=())
        bootstrap = bootstrap_choice(goal, table, clusters=grouped, resamples=plan.resamples, seed=plan.seed)
        if chosen.goal.limits:
            reason = "Resamples by amounts ignore limits, so they do not show how sure this choice is."
            bootstrap = replace(bootstrap, value=math.nan, reason=reason)
    if bootstrap is None:
        bootstrap = bootstrap_choice(chosen.goal, scores.table, **_draws(scores, threshold_grid(scores.table), plan))
    return ChoiceCertainty(chosen, plan, bootstrap)


def resampling_for(scores: Scores, table: ThresholdTable, plan: ResamplingPlan) -> Resampling:
    """Resamples of a table of thresholds of the scores."""
    draws = _draws(scores, table, plan)
    return resampling_of(table, grouped=draws.pop("clusters"), **draws)


def bands_at(scores: Scores, threshold: float, plan: ResamplingPlan) -> dict[str, tuple[float, float]]:
    """Percentile band of each measure over resamples at one threshold, which need not lie on a grid."""
    table, row = scores.table, scores.table.index(threshold)
    rows = np.unique([0, row, len(table) - 1])
    resampling = resampling_for(scores, ThresholdTable(table.thresholds[rows], table.counts[rows]), plan)
    index = int(np.flatnonzero(rows == row)[0])
    bands = {key: resampling.bands(METRICS[key], _LEVEL) for key in _MEASURES}
    return {key: (float(low[index]), float(high[index])) for key, (low, high) in bands.items()}


def band_table(
    scores: Scores, threshold: float, bands: dict[str, tuple[float, float]]
) -> tuple[list[str], list[list[Cell | str]]]:
    """Heads and rows of measures at a threshold with the bands of `bands_at`."""
    counts, rows = scores.counts_at(threshold), list[list[Cell | str]]()
    for key, (low, high) in bands.items():
        write = partial(value_text, METRICS[key])
        band = "undefined in most resamples" if math.isnan(low) else range_text(write(low), write(high))
        rows.append([Cell(METRICS[key].short, measure=key), write(float(METRICS[key](counts))), band])
    return [f"at {scores.text(threshold)}", "", f"{level_text(_LEVEL)} of resamples"], rows


def range_of_choices(low: float, high: float) -> str:
    """Two thresholds as a range, or as one if they are equal.

    >>> range_of_choices(0.21, 0.32), range_of_choices(0.5, 0.5)
    ('0.21–0.32', '0.5')
    """
    short = [threshold_text(float(f"{end:.3g}")) for end in (low, high)]
    texts = short if short[0] != short[1] else map(threshold_text, (low, high))
    return short[0] if low == high else range_text(*texts)


def _draws(scores: Scores, table: ThresholdTable, plan: ResamplingPlan) -> dict[str, Any]:
    """Numbers and seed of the resamples, and what is drawn: rows, rows within classes, or clusters."""
    if plan.scheme == "groups":
        arrays = _grouped_arrays(scores)
        clusters = clusters_of(table, arrays.labels, arrays.scores, arrays.group_codes[0], arrays.weights)
    else:
        clusters = clusters_of_rows(table, scores.scored)
    stratified = plan.scheme == "classes" and clusters is None
    return {"resamples": plan.resamples, "seed": plan.seed, "stratified": stratified, "clusters": clusters}


def _grouped_arrays(scores: Scores) -> Any:
    arrays = scores.current.dataset.scored_arrays(scores.system)
    if arrays.group_codes is None:
        raise ValueError("The data set has no groups.")
    return arrays
