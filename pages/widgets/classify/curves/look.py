"""What is laid over and behind the curves: a band, the hull, contours of a measure, regions that can be trusted."""

from dataclasses import dataclass

import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.classification import ConfusionCounts, at_prevalence
from evalcore.figures import LINES
from evalcore.wording import measure_word, share_text, threshold_text

BANDS = ("none", "pointwise", "simultaneous")
NO_CONTOURS = "none"
_DRAWABLE = tuple(m.key for m in METRICS.values() if m.family == "counts" and m.key != "prevalence")
_FIRST = ("accuracy", "f_beta", "matthews_correlation", "cost", "precision", "negative_predictive_value")
_CONTOURS = (NO_CONTOURS, *_FIRST, *(key for key in _DRAWABLE if key not in _FIRST))
_COSTS = {
    "fn_cost": ("A miss costs", 1.0, "contour_miss"),
    "fp_cost": ("A false alarm", 1.0, "contour_alarm"),
    "tp_cost": ("A hit", 0.0, "contour_hit"),
    "tn_cost": ("A dismissal", 0.0, "contour_dismissal"),
}
_TRUST = {
    "out_sensitivity": ("recall", "Sensitivity at least", "sensitivity"),
    "out_npv": ("negative_predictive_value", "NPV at least", "NPV"),
    "in_specificity": ("specificity", "Specificity at least", "specificity"),
    "in_ppv": ("precision", "PPV at least", "PPV"),
}


@dataclass(frozen=True)
class Trust:
    """A value that a result must reach to be trusted.

    Parameters
    ----------
    measure : str
        Its key in the registry.
    least : float
    words : str
        "rule in: PPV ≥ 0.9".
    """

    measure: str
    least: float
    words: str

    @property
    def rules_in(self) -> bool:
        """Whether it is a positive result that has to be trusted."""
        return self.measure in ("specificity", "precision")


@dataclass(frozen=True)
class Look:
    """How the curves are drawn; its text is part of the key of a picture.

    Parameters
    ----------
    line : str
        How precision is drawn, one of `evalcore.figures.LINES`.
    band : str
        One of `BANDS`.
    hull, coloured : bool
    contours : str
        Key of a measure, or `NO_CONTOURS`.
    arguments : tuple of (str, float)
        What that measure is asked with.
    share : float or None
        Prevalence that contours and regions are drawn for; None for that of the sample.
    trusted : tuple of Trust
    """

    line: str = LINES[0]
    band: str = BANDS[0]
    hull: bool = False
    coloured: bool = False
    contours: str = NO_CONTOURS
    arguments: tuple[tuple[str, float], ...] = ()
    share: float | None = None
    trusted: tuple[Trust, ...] = ()

    @property
    def measure(self) -> MetricDef | None:
        """The measure whose contours are drawn, with what it is asked with."""
        if self.contours == NO_CONTOURS:
            return None
        return METRICS[self.contours].with_params(**dict(self.arguments))

    def value(self, counts: ConfusionCounts) -> object:
        """That measure of some counts of the sample, at the prevalence that was asked for."""
        return self.measure(counts if self.share is None else at_prevalence(counts, self.share))

    @property
    def notes(self) -> list[str]:
        """What is drawn besides the curves, in words."""
        there = "" if self.share is None else f" at a prevalence of {share_text(self.share)}"
        notes = []
        if self.measure is not None:
            asked = ", ".join(f"{_said(name)} {threshold_text(value)}" for name, value in self.arguments)
            notes.append(f"Grey lines: equal {measure_word(self.measure)}{f' ({asked})' if asked else ''}{there}.")
        if self.band != BANDS[0]:
            inside = "the whole curve lies" if self.band == "simultaneous" else "each point, by itself, lies"
            notes.append(f"The band: {inside} inside in 95 of 100 samples like this one (bootstrap).")
        return notes


def choose_look() -> Look:
    """Ask how the curves are drawn; all of it stays in the address."""
    with st.container(key="look", horizontal=True, vertical_alignment="bottom"):
        line = st.segmented_control(
            "Precision is drawn", LINES, default=LINES[0], key="precision", bind="query-params", required=True
        )
        band = st.segmented_control("Band", BANDS, default=BANDS[0], key="band", bind="query-params", required=True)
        hull = st.toggle(
            "Convex hull",
            key="hull",
            bind="query-params",
            help="Its corners are the thresholds that some prices make best",
        )
        coloured = st.toggle("Colour by threshold", key="coloured", bind="query-params")
        with st.popover("Behind the curves", icon=":material/layers:"):
            contours, arguments = _choose_contours()
            trusted = choose_trust()
            share = st.number_input(
                "At a prevalence of", 0.0, 1.0, None, 0.01, format="%.4g", key="contour_prevalence",
                bind="query-params", placeholder="as here",
                help="PPV, NPV, cost and others depend on it; the curves themselves stay",
            )  # fmt: skip
    line, band = line if line in LINES else LINES[0], band if band in BANDS else BANDS[0]
    share = share if share is not None and 0 < share < 1 else None
    return Look(line, band, hull, coloured, contours, arguments, share, trusted)


def _choose_contours() -> tuple[str, tuple[tuple[str, float], ...]]:
    chosen = st.selectbox(
        "Contours: lines of equal",
        _CONTOURS,
        format_func=lambda key: "nothing" if key == NO_CONTOURS else METRICS[key].name,
        key="contours",
        bind="query-params",
    )
    if chosen not in _CONTOURS or chosen == NO_CONTOURS:
        return NO_CONTOURS, ()
    names = {param.name for param in METRICS[chosen].params}
    arguments: dict[str, float] = {}
    if "beta" in names:
        arguments["beta"] = st.number_input("Beta", 0.0, 1000.0, 1.0, 0.5, key="contour_beta", bind="query-params")
    if "probability" in names:
        arguments["probability"] = st.number_input(
            "Risk to act from", 0.0, 0.99, 0.5, 0.05, key="contour_risk", bind="query-params"
        )
    for name, (label, start, key) in _COSTS.items():
        if name in names:
            arguments[name] = st.number_input(label, -1e9, 1e9, start, key=key, bind="query-params")
    return chosen, _checked(chosen, arguments)


def _checked(key: str, arguments: dict[str, float]) -> tuple[tuple[str, float], ...]:
    """The arguments if the measure takes them; its usual ones where an address holds something else."""
    try:
        METRICS[key].with_params(**arguments)
    except ValueError:
        return ()
    return tuple(arguments.items())


def choose_trust(**start: float) -> tuple[Trust, ...]:
    """Ask what a result must reach to be trusted.

    Parameters
    ----------
    start : float
        By "sensitivity" or "specificity": what stands there while the address says nothing.
    """
    trusted = []
    for side, keys in (("out", ("out_sensitivity", "out_npv")), ("in", ("in_specificity", "in_ppv"))):
        st.markdown(f"Rule {side}: a {'negative' if side == 'out' else 'positive'} result can be trusted")
        with st.container(horizontal=True):
            for key in keys:
                measure, label, name = _TRUST[key]
                least = st.number_input(
                    label, 0.0, 1.0, start.get(name), 0.01, key=key, bind="query-params", placeholder="off", width=160
                )
                if least is not None and 0 <= least <= 1:
                    trusted.append(Trust(measure, least, f"rule {side}: {name} ≥ {threshold_text(least)}"))
    return tuple(trusted)


def _said(name: str) -> str:
    return {"beta": "beta", "probability": "risk"}.get(name) or _COSTS[name][0].lower()
