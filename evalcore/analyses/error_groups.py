"""In which groups of rows are estimates further off?"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.estimate_rows import EstimateRows
from evalcore.analyses.group_contributions import groups_share_clusters
from evalcore.analyses.row_groups import RowGroups
from evalcore.analyses.script import check, script
from evalcore.inference import ChiSquare, Interval, cochran_q, estimate_interval, influence
from evalcore.inference.intervals import FEW_HEAVY
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.wording import count_text, number_text, p_text, plain, short_names

__all__ = ["ErrorGroups"]

_MEASURES = ("mean_absolute_error", "root_mean_squared_error", "mean_error", "r_squared")
_FEW = 20
_FEW_DECIDE = "Few rows decide on one of the values: its interval may be too narrow."


@dataclass(frozen=True, eq=False)
class ErrorGroups:
    """The main measures in each group of the group column; needs a data set with one."""

    estimates: EstimateRows
    level: float

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows."""
        return RowGroups(self.estimates.source, self.estimates.rows)

    @cached_property
    def intervals(self) -> dict[str, dict[str, Interval]]:
        """Each measure with its interval, by group and by its key. Names come from a file: escape them."""
        states = {name: self.estimates.state[self.groups.mask(name)] for name in self.groups.names}
        return {
            name: {key: estimate_interval(METRICS[key], state, self.level) for key in _MEASURES}
            for name, state in states.items()
        }

    @cached_property
    def heterogeneity(self) -> ChiSquare:
        """Could the mean absolute error be the same in all groups? Cochran's Q, from the intervals."""
        ends = [one["mean_absolute_error"].ends for one in self.intervals.values()]
        return cochran_q(Interval(*np.array(ends).reshape(-1, 3).T), self.level, self._contributions)

    @property
    def _contributions(self) -> list[Array] | None:
        """What each cluster adds to the mean absolute error of each group; None where no cluster is in several."""
        states = [self.estimates.state[self.groups.mask(name)] for name in self.groups.names]
        codes = [one.clusters for one in states if one.clusters is not None]
        if not codes or not groups_share_clusters(codes):
            return None
        measure = METRICS["mean_absolute_error"]
        return [
            np.bincount(of, influence(measure, one) * one.weight) / one.total
            for one, of in zip(states, codes, strict=True)
        ]

    @property
    def verdict(self) -> str:
        """Where the estimates are furthest off, in Markdown."""
        errors = {name: one["mean_absolute_error"].estimate for name, one in self.intervals.items()}
        known = {name: value for name, value in errors.items() if not math.isnan(value)}
        if not known:
            return "No group has a row that counts."
        short = short_names(known, 30)
        worst, best = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
        test = self.heterogeneity
        words = (
            f"mean absolute error {number_text(known[worst])} in {plain(short[worst])}, {number_text(known[best])} in "
            f"{plain(short[best])}"
        )
        if math.isnan(test.p_value):
            return f"**{words[:1].upper()}{words[1:]}.**"
        numbers = f"Cochran’s Q = {number_text(test.statistic)}, {p_text(test.p_value)}"
        if test.p_value <= 1 - self.level + 1e-12:
            return f"**The error differs between groups**: {words} ({numbers})."
        return f"**No sign that the error differs between groups**: {words} ({numbers})."

    @property
    def note(self) -> str:
        """What is shown, and what is left out."""
        more = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        few = [name for name in self.groups.names if self._rows(name) < _FEW]
        small = f" {len(few)} of the groups have fewer than {_FEW} rows, too few to tell much." if few else ""
        return f"Each group on its own rows.{small}{more}{self._cautions}"

    @property
    def _cautions(self) -> str:
        """Of which groups intervals may be too narrow, in sentences with a blank before each."""
        said: dict[str, list[str]] = {}
        for name, intervals in self.intervals.items():
            each = intervals.values()
            if any(one.few_heavy for one in each):
                said.setdefault(FEW_HEAVY, []).append(name)
            elif any(one.note for one in each) and self._rows(name) >= _FEW:
                said.setdefault(_FEW_DECIDE, []).append(name)
        short = short_names(list(self.intervals), 30)
        return "".join(f" {', '.join(plain(short[one]) for one in names)}: {words}" for words, names in said.items())

    def _rows(self, name: str) -> int:
        """The rows of a group, or so many as their counts say."""
        rows = self.estimates.rows[self.groups.mask(name)]
        return round(self.estimates.source.dataset.rows_behind(rows))

    @property
    def table(self) -> dict[str, list]:
        """A row per group, unrounded."""
        table: dict[str, list] = {"group": list(self.intervals)}
        table["rows"] = [self._rows(name) for name in self.intervals]
        for key in _MEASURES:
            symbol = METRICS[key].symbol
            ends = np.array([one[key].ends for one in self.intervals.values()], dtype=float).reshape(-1, 3)
            table |= {symbol: ends[:, 0].tolist(), f"{symbol} low": ends[:, 1].tolist()}
            table |= {f"{symbol} high": ends[:, 2].tolist()}
        return table

    @property
    def code(self) -> str:
        """Python that measures every group again."""
        source = self.estimates.source
        return script(
            source.code,
            f"groups = ErrorGroups(EstimateRows.of(Source.of(data), {self.estimates.system!r}), level={self.level!r})",
            check('groups.table["MAE"]', self.table["MAE"]),
            "print(groups.verdict)",
        )
