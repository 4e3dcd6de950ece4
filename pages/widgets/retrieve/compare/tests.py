"""What the tests say of the systems: each difference with its interval and its p, and all p corrected together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd
import streamlit as st

from evalcore import Array
from evalcore.inference import (
    METHODS,
    Interval,
    PairedComparison,
    adjusted,
    paired_t,
    randomization,
    sign_test,
    wilcoxon,
)

from .comparison import TESTS, Rivals, word

_FUNCTIONS = {"t": paired_t, "randomisation": randomization, "wilcoxon": wilcoxon, "sign": sign_test}


@dataclass(frozen=True, eq=False)
class Tested:
    """All comparisons of the page.

    Parameters
    ----------
    rivals : Rivals
    pairs : tuple of (str, str)
        The second minus the first; the first is A unless all pairs are compared.
    found : dict
        By (first, second, measure).
    corrected : dict
        Their p-values, corrected for all of them.
    """

    rivals: Rivals
    pairs: tuple[tuple[str, str], ...]
    found: dict[tuple[str, str, str], PairedComparison]
    corrected: dict[tuple[str, str, str], float]

    def of(self, first: str, second: str, measure: str) -> tuple[PairedComparison, float]:
        """The second against the first, whichever way round it was tested, with the corrected p."""
        key = (first, second, measure)
        if key in self.found:
            return self.found[key], self.corrected[key]
        return compared(self.rivals, first, second, measure), self.corrected[second, first, measure]

    @cached_property
    def main(self) -> tuple[PairedComparison, float]:
        """B against A by the measure of the verdict."""
        return self.of(self.rivals.a, self.rivals.b, self.rivals.measure)

    def better(self, first: str, second: str, measure: str) -> int:
        """1 where the second is better beyond chance, −1 where it is worse, 0 where neither is shown."""
        found, p = self.of(first, second, measure)
        if not is_beyond(p, self.rivals.confidence) or not found.estimate:
            return 0
        side = 1 if found.estimate > 0 else -1
        return -side if self.rivals.rankings.measure(measure).better == "lower" else side


def record_of(rivals: Rivals, found: PairedComparison, measure: str) -> tuple[int, int, int]:
    """Queries that the second system wins, ties and loses: where less is better, the lower value wins."""
    wins, losses = found.wins, found.losses
    if rivals.rankings.measure(measure).better == "lower":
        wins, losses = losses, wins
    return wins, found.ties, losses


def is_beyond(p: float, confidence: float) -> bool:
    """Whether a p-value is small enough; what floats leave of 1 − 0.95 does not decide."""
    return p <= 1 - confidence + 1e-12


def tested(rivals: Rivals) -> Tested:
    """All comparisons that the page makes, tested and corrected together."""
    others = [system for system in rivals.systems if system != rivals.a]
    pairs = tuple(combinations(rivals.systems, 2)) if rivals.all_pairs else tuple((rivals.a, one) for one in others)
    found = {(a, b, measure): compared(rivals, a, b, measure) for a, b in pairs for measure in rivals.names}
    corrected = adjusted([one.p_value for one in found.values()], rivals.correction)
    return Tested(rivals, pairs, found, dict(zip(found, corrected.tolist(), strict=True)))


def compared(rivals: Rivals, first: str, second: str, measure: str) -> PairedComparison:
    """The second system against the first, by the test of the page, on the queries where both have a value."""
    asked = (first, second, measure, rivals.test, rivals.confidence)
    return _compared(f"{rivals.key}\n{asked!r}", rivals, first, second, measure)


def mean_of(rivals: Rivals, system: str, name: str) -> PairedComparison:
    """The mean of a system with its interval by Student's t: that of its difference from 0."""
    values = rivals.values(system, name)
    values, measure = values[np.isfinite(values)], rivals.rankings.measure(name)
    found = paired_t(np.zeros(len(values)), values, rivals.confidence)
    # Student's law knows no ends; a mean of the measure cannot lie beyond its range.
    ends = (found.interval.low, found.interval.high)
    low, high = (float(np.clip(end, measure.lowest, measure.highest)) for end in ends)
    return replace(found, interval=Interval(found.estimate, low, high))


def differences_of(rivals: Rivals) -> Array:
    """B minus A for each query; what rounding leaves of 0 is 0, as the tests have it."""
    a, b = (rivals.values(system, rivals.measure) for system in (rivals.a, rivals.b))
    return np.where(np.isclose(a, b, rtol=1e-12, atol=0), 0.0, b - a)


def comparisons_frame(done: Tested) -> pd.DataFrame:
    """Every comparison that was made, unrounded, a line each."""
    rivals, lines = done.rivals, []
    for (first, second, measure), found in done.found.items():
        wins, ties, losses = record_of(rivals, found, measure)
        means = [mean_of(rivals, system, measure).estimate for system in (first, second)]
        lines.append(
            {
                "measure": rivals.rankings.heading(measure),
                "first": word(first, 80),
                "second": word(second, 80),
                "mean of first": means[0],
                "mean of second": means[1],
                "difference": found.estimate,
                "low": float(found.interval.low),
                "high": float(found.interval.high),
                "test": found.method,
                "statistic": found.statistic,
                "p": found.p_value,
                "corrected p": done.corrected[first, second, measure],
                "correction": METHODS[rivals.correction],
                "d_z": found.effect_size,
                "wins": wins,
                "ties": ties,
                "losses": losses,
                "queries": found.n,
            }
        )
    return pd.DataFrame(lines)


def means_frame(rivals: Rivals) -> pd.DataFrame:
    """The mean of each measure for each system with its interval, unrounded."""
    lines = []
    for system in rivals.systems:
        for measure in rivals.names:
            found = mean_of(rivals, system, measure)
            low, high = float(found.interval.low), float(found.interval.high)
            lines.append(
                {"system": word(system, 80), "measure": rivals.rankings.heading(measure), "mean": found.estimate}
                | {"low": low, "high": high, "queries": found.n}
            )
    return pd.DataFrame(lines)


def queries_frame(rivals: Rivals) -> pd.DataFrame:
    """The value of every measure for every system, a row a query, unrounded."""
    columns = {
        f"{rivals.rankings.heading(measure)} of {word(system, 60)}": rivals.values(system, measure)
        for measure in rivals.names
        for system in rivals.systems
    }
    return pd.DataFrame({"query": [word(query, 200) for query in rivals.queries]} | columns)


def test_words(rivals: Rivals) -> str:
    """The test within a sentence."""
    return TESTS[rivals.test]


@st.cache_data(max_entries=4096, show_spinner="Testing …")
def _compared(key: str, _rivals: Rivals, _first: str, _second: str, _measure: str) -> PairedComparison:
    a, b = (_rivals.values(system, _measure) for system in (_first, _second))
    both = np.isfinite(a) & np.isfinite(b)
    return _FUNCTIONS[_rivals.test](a[both], b[both], _rivals.confidence)
