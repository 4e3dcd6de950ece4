"""Distances between two distributions, with intervals, values expected by chance, and contributions of the bins."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.data import as_columns, literal, script
from evalcore.analyses.estimate.distributions import TwoDistributions
from evalcore.analyses.estimate.regression import ends_text
from evalcore.estimation import DistributionPair, TransportPlan, terms_of, transport_plan
from evalcore.inference import DistanceDraws, DistanceEstimate, distance_draws, pair_draws
from evalcore.numeric import Array
from evalcore.registry import MetricDef, find, measures_of
from evalcore.wording import Cell, latex, measure_markdown, p_cell, plain
from evalcore.wording.numbers import UNDEFINED, latex_count, latex_term, level_text, number_text, p_text, share_text

__all__ = ["SMOOTHING", "DistanceParts", "DistanceSettings", "DistributionComparison", "distance_formulas"]


SMOOTHING = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Constants that can be added to each bin."""

WITHOUT_BINS = ("ks_distance", "wasserstein_distance")
_MAIN = ("kl_divergence", "jensen_shannon_divergence", "total_variation", "population_stability_index", *WITHOUT_BINS)
_FINE_CELLS = 200


@dataclass(frozen=True)
class DistanceSettings:
    """Settings of distances: the measure, base of the logarithm, smoothing per bin and level of intervals."""

    measure: str = "jensen_shannon_divergence"
    base: float = math.e
    smoothing: float = 0.0
    level: float = 0.95

    @property
    def unit(self) -> str:
        """The unit of measures with a logarithm."""
        return "bits" if self.base == 2 else "nats"


@dataclass(frozen=True, eq=False)
class DistributionComparison:
    """Distances between two distributions under given settings."""

    two: TwoDistributions
    settings: DistanceSettings
    known_draws: dict[str, DistanceDraws] = field(default_factory=dict)  # for the same distributions and smoothing

    @property
    def names(self) -> tuple[str, str]:
        """Names of P and Q in Markdown."""
        p, q = self.two.names
        return plain(p, 40), plain(q, 40)

    @cached_property
    def pair(self) -> DistributionPair:
        """Counts of the bins with the constant added; shares as percentages, so that a constant means the same."""
        pair = self.two.pair
        if not self.two.are_counts:
            pair = replace(pair, p=100 * pair.shares_p, q=100 * pair.shares_q)
        return pair.smoothed(self.settings.smoothing)

    @cached_property
    def measures(self) -> list[MetricDef]:
        """The measures with the base of the settings."""
        return measures_of("distributions", base=self.settings.base)

    @property
    def measure(self) -> MetricDef:
        """The chosen measure."""
        return next(measure for measure in self.measures if measure.key == self.settings.measure)

    def state_of(self, key: str) -> DistributionPair:
        """State that a measure reads: the distinct values if it needs no bins and there are values, else the bins."""
        samples = self.two.samples if key in WITHOUT_BINS and self.two.is_number else None
        return self.pair if samples is None else samples.exact

    def value(self, measure: MetricDef) -> float:
        """Value of a measure; the chi-square statistic of shares is undefined."""
        if measure.key == "chi_square_statistic" and not self.two.are_counts:
            return math.nan
        return float(measure(self.state_of(measure.key)))

    @cached_property
    def estimates(self) -> dict[str, DistanceEstimate]:
        """Each measure with interval and value expected by chance, by key; empty for typed shares."""
        if not self.two.are_counts:
            return {}
        estimates = {}
        for measure in self.measures:
            state = self.state_of(measure.key)
            exact = None if state is self.pair else state
            draws = self._draws("bins" if exact is None else "values")
            estimates[measure.key] = draws.estimate(measure, self.settings.level, exact)
        return estimates

    def _draws(self, which: str) -> DistanceDraws:
        samples, edges = self.two.samples, self.two.edges
        if which not in self.known_draws:
            if samples is None or edges is None:
                self.known_draws[which] = pair_draws(self.two.pair)
            else:
                fine = samples.edges("quantiles", _FINE_CELLS) if which == "values" else edges
                self.known_draws[which] = distance_draws(samples, fine)
        draws = self.known_draws[which]
        return draws.smoothed(self.settings.smoothing) if which == "bins" else draws

    @property
    def unit(self) -> str:
        """Unit of the measure after a blank; empty if it has none."""
        return f" {self.settings.unit}" if "base" in self.measure.takes else ""

    @property
    def verdict(self) -> str:
        """Verdict on whether and how far P and Q differ, in Markdown."""
        measure, value, (p, q) = self.measure, self.value(self.measure), self.names
        if np.array_equal(self.pair.shares_p, self.pair.shares_q):
            return f"**{p} and {q} have the same share in every bin.**"
        if math.isnan(value):
            why = "it needs counts, not shares" if measure.key == "chi_square_statistic" else "the bins have no order"
            return f"**{measure.name} is undefined: {why}.** Choose another measure."
        if math.isinf(value):
            return f"**{measure.name} is ∞.** {self.infinite}"
        amount = f"{measure.name} {number_text(value)}{self.unit}"
        least, what = share_text(float(find("total variation")(self.pair))), "rows" if self.two.are_counts else "mass"
        moved = f" {least} of the {what} would have to move to another bin."
        if not (estimate := self.estimates.get(measure.key)):
            return f"**{p} and {q} differ: {amount}.**{moved}"
        between = ends_text(estimate.interval, none="")
        bounds = f"{level_text(self.settings.level)} interval {between}" if between else ""
        if math.isnan(estimate.p_value):
            return f"**{amount}.** {f'{bounds}.' if bounds else ''}{moved}"
        below = "could be ∞" if math.isinf(high := estimate.chance_high) else f"would stay below {number_text(high)}"
        chance = f"by chance alone it {below} ({p_text(estimate.p_value)})."
        chance = f"{bounds}; {chance}" if bounds else f"B{chance[1:]}"
        if estimate.p_value <= 1 - self.settings.level:
            return f"**{p} and {q} differ: {amount}.** {chance}{moved}"
        by = " by this measure" if self._by_order else ""
        return f"**{p} and {q} do not clearly differ{by}: {amount}.** {chance}{self._by_order}"

    @property
    def _by_order(self) -> str:
        """Measures beyond chance that see the order of bins, which the chosen one does not, as a sentence."""
        most = -1.0 if self.settings.measure in WITHOUT_BINS else 1 - self.settings.level
        beyond = [find(key).name for key in WITHOUT_BINS if self.estimates[key].p_value <= most]
        return f" They do differ by {' and '.join(beyond)}, which use the order of the values." if beyond else ""

    @property
    def infinite(self) -> str:
        """Bins that make divergences infinite, and remedies, in Markdown; empty if there are none."""
        parts = []
        (one, two), p, q = self.names, self.pair.p, self.pair.q
        for name, other, counts, against in ((one, two, p, q), (two, one, q, p)):
            bins = np.flatnonzero((counts > 0) & (against == 0))
            if len(bins):
                largest = int(bins[np.argmax(counts[bins])])
                share = share_text(float(counts[largest] / counts.sum()))
                more = f" and {len(bins) - 1} more" if len(bins) > 1 else ""
                where = f"“{plain(self.two.bins[largest], 40)}”{more}"
                parts.append(f"{other} has nothing in {where}, where {name} has {share}")
        if not parts:
            return ""
        return f"{'; '.join(parts)}. Smooth, merge bins, or choose a finite measure such as Jensen–Shannon."

    @property
    def heads(self) -> list[Cell | str]:
        """Headings of the table of measures."""
        level = level_text(self.settings.level)
        title = f"Two samples of one distribution stay below this in {level} of cases"
        chance = Cell("by chance", heading=True, title=title)
        return ["measure", "value", *([f"{level} interval", chance, "p"] if self.estimates else [])]

    @property
    def main(self) -> list[list[Cell | str]]:
        """Rows of the chosen measure and of the few to look at first that are defined, without p."""
        keys = {self.settings.measure, *(key for key in _MAIN if not math.isnan(self.value(find(key))))}
        return [row[:4] for measure, row in zip(self.measures, self.rows, strict=True) if measure.key in keys]

    @property
    def rows(self) -> list[list[Cell | str]]:
        """Every measure with its value, its interval, and its value expected by chance."""
        rows = []
        for measure in self.measures:
            value, chosen = self.value(measure), measure.key == self.settings.measure
            name = Cell(measure.name, title=measure.summary, strong=chosen, measure=measure.key)
            cell = Cell(number_text(value), aside=self.settings.unit if "base" in measure.takes else "", strong=True)
            if math.isnan(value):
                cell = Cell(UNDEFINED, kind="undefined", title=f"undefined when {measure.undefined_when}")
            row: list[Cell | str] = [name, cell]
            if estimate := self.estimates.get(measure.key):
                chance = f"< {number_text(estimate.chance_high)}" if math.isfinite(estimate.chance_high) else ""
                between = ends_text(estimate.interval, none="empty bin" if math.isinf(value) else "")
                row += [between, chance, "" if math.isnan(estimate.p_value) else p_cell(estimate.p_value)]
            rows.append(row)
        return rows

    @cached_property
    def terms(self) -> Array:
        """Contribution of each bin to the measure, shape (k,); between bins for measures without bins."""
        return terms_of(self.settings.measure, self.pair, self.settings.base)

    @property
    def terms_title(self) -> str:
        """Axis title of the contributions."""
        special = {"ks_distance": "gap of the cumulative shares", "hellinger_distance": "added to its square"}
        special["wasserstein_distance"] = "gap times distance to the next bin"
        return special.get(self.settings.measure, f"added to {self.measure.symbol}")

    @property
    def terms_note(self) -> str:
        """Bins with the largest contributions to the measure, in Markdown."""
        terms = np.where(np.isnan(self.terms), 0.0, self.terms)
        largest = int(np.argmax(terms))
        bin_name = f"“{plain(self.two.bins[largest], 40)}”"
        if self.settings.measure == "ks_distance":
            upto = [share_text(float(side[: largest + 1].sum())) for side in (self.pair.shares_p, self.pair.shares_q)]
            return f"{self.names[0]} has {upto[0]} of its mass up to {bin_name}, {self.names[1]} {upto[1]}."
        total = float(terms.sum())
        if not 0 < total < math.inf or self.measure.best is None:
            return ""
        below = " In bins below 0 P has less than Q." if (terms < 0).any() else ""
        return f"{bin_name} adds most: {number_text(float(terms[largest]))} of {number_text(total)}.{below}"

    @property
    def table(self) -> Mapping[str, npt.ArrayLike]:
        """The measures as columns, unrounded."""
        columns = as_columns(("measure", "value"), ((measure.name, self.value(measure)) for measure in self.measures))
        if self.estimates:
            found = [self.estimates[measure.key] for measure in self.measures]
            each = ((*one.interval.ends[1:], one.chance, one.chance_high, one.p_value) for one in found)
            columns |= as_columns(("low", "high", "by chance", "chance below", "p"), each)
        return columns

    @property
    def bin_table(self) -> Mapping[str, npt.ArrayLike]:
        """Unrounded counts, shares and contributions of the bins, as columns."""
        p, q = self.two.names if self.two.names[0] != self.two.names[1] else ("P", "Q")
        columns = {"bin": list(self.two.bins), f"P: {p}": self.two.pair.p, f"Q: {q}": self.two.pair.q}
        shares = {"share of P": self.pair.shares_p, "share of Q": self.pair.shares_q}
        return columns | shares | {self.terms_title: self.terms}

    @property
    def code(self) -> str:
        """Python that reads the distributions and asserts every measure."""
        values, exact = {}, {}
        for measure in self.measures:
            if not math.isnan(value := self.value(measure)):
                (exact if self.state_of(measure.key) is not self.pair else values)[measure.key] = value
        percentages = "pair = DistributionPair(100 * pair.shares_p, 100 * pair.shares_q, pair.at)"
        lines = [] if self.two.are_counts else [percentages]
        if self.settings.smoothing:
            lines.append(f"pair = pair.smoothed({self.settings.smoothing!r})")
        lines.append(f"settings = {{'base': {literal(self.settings.base)}}}")
        for state, expected in (("pair", values), ("samples.exact", exact)):
            if expected:
                lines += [f"for key, value in {literal(expected)}.items():", *_CHECK.format(state=state).splitlines()]
        return script(self.two.code, "\n".join(lines))


_CHECK = """\
    measure = find(key)
    arguments = {{name: settings[name] for name in measure.takes}}
    np.testing.assert_allclose(measure.with_params(**arguments)({state}), value, 1e-9, 1e-12, err_msg=key)
    print(measure.name, value)"""

_BIN_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100)


@dataclass(frozen=True, eq=False)
class DistanceParts:
    """Parts of a comparison of two distributions: transport plan, dependence on bins and on smoothing."""

    comparison: DistributionComparison

    @cached_property
    def plan(self) -> TransportPlan:
        """Optimal transport plan from P to Q."""
        return transport_plan(self.comparison.pair)

    @property
    def plan_note(self) -> str:
        """Mass moved and distance, in Markdown."""
        plan, pair, (p, q) = self.plan, self.comparison.pair, self.comparison.names
        moved = 1 - plan.staying
        if pair.at is None:
            words = f"{share_text(plan.staying)} stays and {share_text(moved)} changes its category"
            return f"{words}; {p} becomes {q} with no less."
        up, between = float(plan.mass[plan.target > plan.origin].sum()), ""
        distance = float(plan.mass @ np.abs(pair.at[plan.origin] - pair.at[plan.target]))
        if self.comparison.two.samples is not None:
            exact = number_text(self.comparison.value(find("wasserstein_distance")))
            between = f" ({exact} between the values themselves)"
        return (
            f"{share_text(plan.staying)} stays in its bin, {share_text(up)} moves up and "
            f"{share_text(max(moved - up, 0))} down, {number_text(distance)} on average from bin to bin{between}: the "
            f"shortest way from {p} to {q}."
        )

    @cached_property
    def by_bins(self) -> dict[str, tuple[Array, Array]]:
        """The measure by number of bins, for bins of equal width and quantiles; empty if bins are given."""
        samples = self.comparison.two.samples
        if samples is None or not self.comparison.two.is_number:
            return {}
        curves, (measure, smoothing) = {}, (self.comparison.measure, self.comparison.settings.smoothing)
        for rule in ("width", "quantiles"):
            pairs = [samples.binned(samples.edges(rule, bins)) for bins in _BIN_NUMBERS]
            values = [float(measure(pair.smoothed(smoothing))) for pair in pairs]
            curves[rule] = np.array([len(pair.p) for pair in pairs], dtype=np.float64), np.array(values)
        return curves

    @property
    def by_bins_note(self) -> str:
        """Note on how far the distances depend on the bins, in Markdown."""
        measure = self.comparison.measure
        values = np.concatenate([values for _, values in self.by_bins.values()])
        finite, more = values[np.isfinite(values)], ""
        low, high = (number_text(float(end)) for end in (finite.min(), finite.max())) if len(finite) else ("∞", "∞")
        if infinite := int(np.isinf(values).sum()):
            more = f", and is ∞ in {infinite} of {len(values)} binnings"
        if measure.key in WITHOUT_BINS:
            value = number_text(self.comparison.value(measure))
            more += f"; read from the values themselves, without bins, it is {value}"
        return (
            f"With 2 to 100 bins, {measure.name} lies between {low} and {high}{self.comparison.unit}{more}. More bins "
            "show finer differences, and more noise."
        )

    @cached_property
    def by_smoothing(self) -> tuple[Array, dict[str, Array]]:
        """Both divergences and the measure by the constant added to each bin, starting at 0."""
        constants = np.array(SMOOTHING)
        settings = (replace(self.comparison.settings, smoothing=float(constant)) for constant in constants)
        pairs = [replace(self.comparison, settings=one).pair for one in settings]
        keys = dict.fromkeys(("kl_divergence", "reverse_kl_divergence", self.comparison.settings.measure))
        chosen = {measure.key: measure for measure in self.comparison.measures}
        return constants, {chosen[key].symbol: np.array([float(chosen[key](pair)) for pair in pairs]) for key in keys}


_TERMS = 3  # bins whose terms are written out

_WRITTEN: dict[str, Callable[[str, str], str]] = {
    "entropy": lambda p, q: rf"-{p} \ln {p}",
    "cross_entropy": lambda p, q: rf"-{p} \ln {q}",
    "kl_divergence": lambda p, q: rf"{p} \ln \tfrac{{{p}}}{{{q}}}",
    "reverse_kl_divergence": lambda p, q: rf"{q} \ln \tfrac{{{q}}}{{{p}}}",
    "total_variation": lambda p, q: f"|{p} - {q}|",
    "hellinger_distance": lambda p, q: rf"(\sqrt{{{p}}} - \sqrt{{{q}}})^2",
    "chi_square_divergence": lambda p, q: rf"\tfrac{{({p} - {q})^2}}{{{q}}}",
    "population_stability_index": lambda p, q: rf"({p} - {q}) \ln \tfrac{{{p}}}{{{q}}}",
}
"""One bin of a sum, from the share of P and of Q."""

_AROUND = {"total_variation": r"\tfrac{1}{2} [ %s ]", "hellinger_distance": r"\sqrt{\tfrac{1}{2} [ %s ]}"}
_SYMBOLS = {"χ²": r"\chi^2", "χ²(P‖Q)": r"\chi^2(P \| Q)", "W₁": "W_1", "KS distance": "D", "Hellinger": "H"}


def distance_formulas(comparison: DistributionComparison) -> list[tuple[str, str, str]]:
    """Name, formula with the numbers of the first bins, and explanation of each measure, in LaTeX and Markdown."""
    lines = []
    for measure in comparison.measures:
        value = comparison.value(measure)
        shown = rf"\text{{{UNDEFINED}}}" if math.isnan(value) else latex(number_text(value))
        symbol = _SYMBOLS.get(measure.symbol, measure.symbol.replace("‖", r" \| "))
        symbol = symbol if {"(", "_", "\\"} & set(symbol) else rf"\mathrm{{{symbol}}}"
        numbers = "" if math.isnan(value) else _numbers(comparison, measure)
        formula = " = ".join(filter(None, (symbol, measure.formula, numbers, shown)))
        if "base" in measure.takes and comparison.settings.base == 2:
            formula = formula.replace(r"\ln", r"\log_2")
        lines.append((measure_markdown(measure), rf"$\displaystyle {formula}$", measure.reading))
    return lines


def _numbers(comparison: DistributionComparison, measure: MetricDef) -> str:
    """Formula with the shares of the first bins; for measures without bins, of one place on the axis."""
    state = comparison.state_of(measure.key)
    terms = terms_of(measure.key, state, comparison.settings.base)
    if measure.key == "ks_distance":
        at = int(np.argmax(terms))
        up_to = [latex_term(float(shares[: at + 1].sum())) for shares in (state.shares_p, state.shares_q)]
        return f"|{up_to[0]} - {up_to[1]}|"
    some = np.flatnonzero((state.p > 0) | (state.q > 0))
    first, rest = some[:_TERMS].tolist(), r" + \dots" if len(some) > _TERMS else ""
    if measure.key not in _WRITTEN:
        return " + ".join(latex_term(float(terms[at])) for at in first) + rest
    write = _WRITTEN[measure.key]
    written = []
    for at in first:
        p, q = float(state.shares_p[at]), float(state.shares_q[at])
        # 0 ln 0 counts nothing, and is not written.
        if math.isfinite(terms[at]) and (terms[at] or measure.key in _AROUND):
            written.append(write(*(latex_count(x) if x in (0, 1) else latex_term(x) for x in (p, q))))
    return _AROUND.get(measure.key, "%s") % ((" + ".join(written) or "0") + rest).replace("+ -", "- ")
