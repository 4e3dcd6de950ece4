"""How two systems on the same rows are tested, in words: with each row on its own, and where rows belong together."""

import math

from evalcore.analyses.cluster_words import FEW_CLUSTERS
from evalcore.analyses.row_differences import areas_of
from evalcore.analyses.system_pair import SystemPair
from evalcore.inference import MCNEMAR_TESTS, PAIRED_INTERVALS
from evalcore.wording import count_text

__all__: list[str] = []


def overall_method(pair: SystemPair) -> str:
    """Of the test of all areas at once, in Markdown."""
    clusters = pair.source.cluster_words
    return f"Obuchowski, with Hotelling's F for whole {clusters}" if clusters else pair.source.of_areas


def counts_method(pair: SystemPair) -> tuple[str, str]:
    """Of shares of the same rows, and what is done where few rows differ."""
    if pair.rows.clusters is None:
        shares = f"{PAIRED_INTERVALS[pair.choice.interval]}'s interval and McNemar's p"
        few = "Where fewer than 25 rows differ, these take the exact test on them."
        return f"{shares} ({MCNEMAR_TESTS[pair.choice.test]})", few
    shares = "Tango's interval and McNemar's p (chi-square without correction) on the effective number of rows"
    few = (
        "Where the systems differ in fewer than 25 clusters, p is the mid-p of exchanging whole clusters, and intervals"
    )
    return shares, f"{few} exclude 0 (×1) exactly where it does."


def areas_method(pair: SystemPair, names: str) -> str:
    """Of measures of the scores, of which those with such names are areas under the ROC curve; Markdown."""
    units = pair.source.units
    others = f"the others by {count_text(1000)} paired resamples of the {units}."
    if pair.rows.clusters is None:
        return f"{names} by DeLong on the same rows; {others}"
    whole = areas_of(pair.source, (pair.a, pair.b)).of_clusters
    deciding = math.inf if whole is None else whole.degrees_apart(0, 1) + 1
    few = f", where about {round(deciding)} {units} decide on the difference" if deciding < FEW_CLUSTERS else ""
    return (
        f"{names}: p by Obuchowski's test or, where fewer than 25 {units} hold a class, by exchanging whole {units}; "
        f"interval by the logits of both areas{few}; {others}"
    )
