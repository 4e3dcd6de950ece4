"""Columns of quantiles and of the ends of prediction intervals, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["EndColumns", "end_columns", "is_end", "quantile_columns", "quantile_of"]

_QUANTILE = re.compile(
    r"(?:.*[_\s.\-])?(?:q|p|quantile|percentile|pctl|perc)[_\s.\-]?(?P<share>\d{1,2}(?:[.,]\d+)?|0?[.,]\d+)%?",
    re.IGNORECASE,
)
_SHARE = re.compile(r"0?\.\d+")
_END = re.compile(
    r"(?P<stem>.*?)[_\s.\-]*(?P<side>lower|low|lo|lwr|lb|upper|high|hi|upr|ub)(?:[_\s.\-]*(?:bound|limit|end|ci|pi))?"
    r"[_\s.\-]*(?P<level>\d{2}(?:[.,]\d+)?)?%?",
    re.IGNORECASE,
)
_USUAL = 0.9


def quantile_of(name: str) -> float | None:
    """The share below a quantile that a column is named after; None where it is named after none.

    >>> quantile_of("q10"), quantile_of("y_q0.95"), quantile_of("P 97.5"), quantile_of("0.25"), quantile_of("question")
    (0.1, 0.95, 0.975, 0.25, None)
    """
    found = _QUANTILE.fullmatch(name.strip())
    if not found and not _SHARE.fullmatch(name.strip()):
        return None
    written = (found["share"] if found else name.strip()).replace(",", ".")
    share = float(written) if written.lstrip("0").startswith(".") else float(written) / 100
    return round(share, 9) if 0 < share < 1 else None


def quantile_columns(names: Iterable[str]) -> dict[str, float]:
    """The columns of quantiles, the lowest first; empty unless all differ and some lie below and above the median.

    >>> quantile_columns(["y", "q90", "q10", "p"]), quantile_columns(["p1", "p2"])
    ({'q10': 0.1, 'q90': 0.9}, {})
    """
    shares = {name: share for name in names if (share := quantile_of(name)) is not None}
    each = set(shares.values())
    if len(each) < max(len(shares), 2) or not min(each) < 0.5 < max(each):
        return {}
    return dict(sorted(shares.items(), key=lambda item: item[1]))


@dataclass(frozen=True)
class EndColumns:
    """The columns of both ends of an interval, and the share that is to lie inside: 0.9 where no name tells."""

    low: str
    high: str
    level: float = _USUAL


def end_columns(names: Iterable[str]) -> list[EndColumns]:
    """The pairs of columns that are ends of intervals, the widest first: by words such as low and high, or quantiles.

    >>> end_columns(["y", "yhat", "yhat_lower_95", "yhat_upper_95"])
    [EndColumns(low='yhat_lower_95', high='yhat_upper_95', level=0.95)]
    >>> end_columns(["y", "q05", "q25", "q50", "q75", "q95"])[0]
    EndColumns(low='q05', high='q95', level=0.9)
    """
    names = list(names)
    shares = quantile_columns(names)
    mirrored = {round(1 - share, 9): name for name, share in shares.items()}
    pairs = [
        EndColumns(name, mirrored[share], round(1 - 2 * share, 9))
        for name, share in shares.items()
        if share < 0.5 and share in mirrored
    ]
    sides: dict[tuple[str, str], dict[bool, str]] = {}
    for name in names:
        if name not in shares and (found := _END.fullmatch(name.strip())):
            key = found["stem"].casefold(), found["level"] or ""
            sides.setdefault(key, {})[found["side"].casefold()[0] == "l"] = name
    for (_, level), both in sides.items():
        if len(both) == 2:
            share = float(level.replace(",", ".")) / 100 if level else _USUAL
            pairs.append(EndColumns(both[True], both[False], share))
    return sorted(pairs, key=lambda pair: -pair.level)


def is_end(name: str, names: Iterable[str]) -> bool:
    """Whether a column is an end of an interval, or a quantile other than the median, among some columns.

    >>> [is_end(name, ["y", "q10", "q50", "q90"]) for name in ("q10", "q50")]
    [True, False]
    """
    names = list(names)
    ends = {end for pair in end_columns(names) for end in (pair.low, pair.high)}
    return name in ends or quantile_columns(names).get(name, 0.5) != 0.5
