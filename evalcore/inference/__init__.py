"""Inference: how far a number found on a sample can be trusted."""

from evalcore.inference.auc import ChiSquare, CorrelatedAreas, compare_auc, correlated_areas
from evalcore.inference.bands import Band, ks_band, precision_recall_band, roc_band
from evalcore.inference.bootstrap import bootstrap, bootstrap_matrix, resampled_counts
from evalcore.inference.choosing import ChoiceBootstrap, bootstrap_choice
from evalcore.inference.clusters import clustered_order
from evalcore.inference.comparison import Comparison, mcnemar, mcnemar_of_counts
from evalcore.inference.corrections import adjusted, benjamini_hochberg, bonferroni, holm
from evalcore.inference.coverage import measured_coverage, poor_coverage
from evalcore.inference.differences import CellDifferences, compare_cells
from evalcore.inference.disagreements import Disagreements, disagreements
from evalcore.inference.forecast import Forecast, forecast
from evalcore.inference.intervals import Interval, area_interval, clopper_pearson, delong, log_ratio_interval, wilson
from evalcore.inference.loss_bootstrap import (
    ChanceError,
    LossChange,
    LossIntervals,
    bootstrap_losses,
    calibration_error_by_chance,
    compare_losses,
)
from evalcore.inference.paired import PairedComparison, paired_t, randomization, sign_test, wilcoxon
from evalcore.inference.paired_classes import PairedClasses, bowker, paired_matrix_differences
from evalcore.inference.paired_measures import PairedCounts, paired_difference, paired_differences
from evalcore.inference.paired_scores import bootstrap_score_difference
from evalcore.inference.paired_tests import mcnemar_differences
from evalcore.inference.recalibrated_tables import RecalibratedTable, recalibrated_table
from evalcore.inference.recalibration import IsotonicCurve, PlattCurve, Recalibration, isotonic, platt, recalibrated
from evalcore.inference.resampling import Clusters, Resampling, clusters_of, resampling_of
from evalcore.inference.score_bootstrap import bootstrap_scores
from evalcore.inference.score_interval import paired_score_interval
from evalcore.inference.unpaired import ShareDifferences, compare_shares

__all__ = [
    "Band",
    "CellDifferences",
    "ChanceError",
    "ChiSquare",
    "ChoiceBootstrap",
    "Clusters",
    "Comparison",
    "CorrelatedAreas",
    "Disagreements",
    "Forecast",
    "Interval",
    "IsotonicCurve",
    "LossChange",
    "LossIntervals",
    "PairedClasses",
    "PairedComparison",
    "PairedCounts",
    "PlattCurve",
    "RecalibratedTable",
    "Recalibration",
    "Resampling",
    "ShareDifferences",
    "adjusted",
    "area_interval",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap",
    "bootstrap_choice",
    "bootstrap_losses",
    "bootstrap_matrix",
    "bootstrap_score_difference",
    "bootstrap_scores",
    "bowker",
    "calibration_error_by_chance",
    "clopper_pearson",
    "clustered_order",
    "clusters_of",
    "compare_auc",
    "compare_cells",
    "compare_losses",
    "compare_shares",
    "correlated_areas",
    "delong",
    "disagreements",
    "forecast",
    "holm",
    "isotonic",
    "ks_band",
    "log_ratio_interval",
    "mcnemar",
    "mcnemar_differences",
    "mcnemar_of_counts",
    "measured_coverage",
    "paired_difference",
    "paired_differences",
    "paired_matrix_differences",
    "paired_score_interval",
    "paired_t",
    "platt",
    "poor_coverage",
    "precision_recall_band",
    "randomization",
    "recalibrated",
    "recalibrated_table",
    "resampled_counts",
    "resampling_of",
    "roc_band",
    "sign_test",
    "wilcoxon",
    "wilson",
]
