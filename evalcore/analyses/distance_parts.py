"""Where a distance comes from and what it depends on: the mass carried, the number of bins, the smoothing."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.distribution_comparison import SMOOTHING, WITHOUT_BINS, DistributionComparison
from evalcore.estimation import TransportPlan, transport_plan
from evalcore.numeric import Array
from evalcore.registry import find
from evalcore.wording import number_text, share_text

__all__ = ["DistanceParts"]

_BIN_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100)


@dataclass(frozen=True, eq=False)
class DistanceParts:
    """What stands behind a comparison of two distributions.

    >>> from evalcore.analyses import DistanceSettings, TwoDistributions
    >>> parts = DistanceParts(DistributionComparison(TwoDistributions.of_text("0 30 10\\n2 10 30"), DistanceSettings()))
    >>> parts.plan_note
    '50.0\\u202f% stays in its bin, 50.0\\u202f% moves up and 0.0\\u202f% down, 1.000 on average from bin to bin. No other way to turn P into Q is shorter.'
    """  # noqa: E501

    comparison: DistributionComparison

    @cached_property
    def plan(self) -> TransportPlan:
        """How the mass of P is carried to Q."""
        return transport_plan(self.comparison.pair)

    @property
    def plan_note(self) -> str:
        """How much is moved how far, in Markdown."""
        plan, pair, (p, q) = self.plan, self.comparison.pair, self.comparison.names
        moved = 1 - plan.staying
        if pair.at is None:
            words = f"{share_text(plan.staying)} stays and {share_text(moved)} changes its category"
            return f"{words}: the least that turns {p} into {q}."
        up = float(plan.mass[plan.target > plan.origin].sum())
        at = pair.at
        distance = float(plan.mass @ np.abs(at[plan.origin] - at[plan.target]))
        down = share_text(max(moved - up, 0))
        words = f"{share_text(plan.staying)} stays in its bin, {share_text(up)} moves up and {down} down, "
        words += f"{number_text(distance)} on average from bin to bin"
        if self.comparison.two.samples is not None:
            words += (
                f" ({number_text(self.comparison.value(find('wasserstein_distance')))} between the values themselves)"
            )
        return f"{words}. No other way to turn {p} into {q} is shorter."

    @cached_property
    def by_bins(self) -> dict[str, tuple[Array, Array]]:
        """The measure by the number of bins, for bins of equal width and quantiles; empty where bins are given."""
        samples = self.comparison.two.samples
        if samples is None or not self.comparison.two.is_number:
            return {}
        curves = {}
        for rule in ("width", "quantiles"):
            pairs = [samples.binned(samples.edges(rule, bins)) for bins in _BIN_NUMBERS]
            values = [
                float(self.comparison.measure(pair.smoothed(self.comparison.settings.smoothing))) for pair in pairs
            ]
            curves[rule] = np.array([len(pair.p) for pair in pairs], dtype=np.float64), np.array(values)
        return curves

    @property
    def by_bins_note(self) -> str:
        """How much the answer depends on the bins, in Markdown."""
        values = np.concatenate([values for _, values in self.by_bins.values()])
        finite = values[np.isfinite(values)]
        low, high = (number_text(float(end)) for end in (finite.min(), finite.max())) if len(finite) else ("∞", "∞")
        words = (
            f"With 2 to 100 bins, {self.comparison.measure.name} lies between {low} and {high}{self.comparison.unit}"
        )
        if infinite := int(np.isinf(values).sum()):
            words += f", and is ∞ in {infinite} of {len(values)} binnings"
        if self.comparison.settings.measure in WITHOUT_BINS:
            value = number_text(self.comparison.value(self.comparison.measure))
            words += f"; read from the values themselves, without bins, it is {value}"
        return f"{words}. More bins see finer differences, and more of chance."

    @cached_property
    def by_smoothing(self) -> tuple[Array, dict[str, Array]]:
        """Both divergences and the measure by the constant added to each bin, the first of which is 0."""
        constants = np.array(SMOOTHING)
        settings = (replace(self.comparison.settings, smoothing=float(constant)) for constant in constants)
        pairs = [replace(self.comparison, settings=one).pair for one in settings]
        keys = dict.fromkeys(("kl_divergence", "reverse_kl_divergence", self.comparison.settings.measure))
        chosen = {measure.key: measure for measure in self.comparison.measures}
        return constants, {chosen[key].symbol: np.array([float(chosen[key](pair)) for pair in pairs]) for key in keys}

    @property
    def smoothed_texts(self) -> dict[str, list[str]]:
        """The same as they are written, a text for each of `SMOOTHING`."""
        _, curves = self.by_smoothing
        return {symbol: [number_text(value) for value in values.tolist()] for symbol, values in curves.items()}
