"""Retrieval: judgments, runs, and the measures of sets, rankings and graded lists, one value a query."""

from evalcore.retrieval.browsing import expected_reciprocal_rank, rank_biased_precision, rank_biased_residual
from evalcore.retrieval.curves import (
    CUTS,
    MeanCurve,
    RankedCurve,
    RankedRoc,
    mean_curve,
    ranked_curve,
    ranked_roc,
)
from evalcore.retrieval.duplicates import Duplicate
from evalcore.retrieval.evaluation import PerQuery, evaluate
from evalcore.retrieval.graded import (
    cumulated_gain,
    discounted_cumulated_gain,
    ideal_gain,
    ndcg,
    normalised_cumulated_gain,
    preference_agreement,
)
from evalcore.retrieval.graded_table import GradedTable, graded_table
from evalcore.retrieval.hiding import WAYS, Draw, JudgedRuns, Kept, steps_of
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.incomplete import bpref, inferred_average_precision, judged_at
from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.order import OrderKept, order_kept, orders_kept
from evalcore.retrieval.pooling import check_match, hide_judgments, kendall_tau, pool
from evalcore.retrieval.ranked import (
    average_precision_at,
    fall_out_at,
    geometric_average_precision,
    precision_at,
    r_precision,
    recall_at,
    reciprocal_rank,
    success_at,
)
from evalcore.retrieval.recall_levels import (
    LEVELS,
    eleven_point_average,
    interpolated_precision_at,
    system_efficiency,
)
from evalcore.retrieval.runs import Run
from evalcore.retrieval.sets import (
    SetAverage,
    generality,
    set_averages,
    set_counts,
    set_f,
    set_fall_out,
    set_precision,
    set_recall,
)
from evalcore.retrieval.uncertain import Range, tie_ranges, unjudged_ranges, unjudged_ranges_of

__all__ = [
    "CUTS",
    "LEVELS",
    "WAYS",
    "Draw",
    "Duplicate",
    "GradedTable",
    "Hits",
    "JudgedRuns",
    "Judgments",
    "Kept",
    "MeanCurve",
    "OrderKept",
    "PerQuery",
    "Range",
    "RankedCurve",
    "RankedRoc",
    "Run",
    "SetAverage",
    "average_precision_at",
    "bpref",
    "check_match",
    "cumulated_gain",
    "discounted_cumulated_gain",
    "eleven_point_average",
    "evaluate",
    "expected_reciprocal_rank",
    "fall_out_at",
    "generality",
    "geometric_average_precision",
    "graded_table",
    "hide_judgments",
    "ideal_gain",
    "inferred_average_precision",
    "interpolated_precision_at",
    "judged_at",
    "kendall_tau",
    "mean_curve",
    "ndcg",
    "normalised_cumulated_gain",
    "order_kept",
    "orders_kept",
    "pool",
    "precision_at",
    "preference_agreement",
    "r_precision",
    "rank_biased_precision",
    "rank_biased_residual",
    "ranked_curve",
    "ranked_roc",
    "recall_at",
    "reciprocal_rank",
    "set_averages",
    "set_counts",
    "set_f",
    "set_fall_out",
    "set_precision",
    "set_recall",
    "steps_of",
    "success_at",
    "system_efficiency",
    "tie_ranges",
    "unjudged_ranges",
    "unjudged_ranges_of",
]
