"""Exact measures of predictions: arrays in, answers with their uncertainty out.

What `__all__` names is the library; `docs/library.md` has an example of each. All else in the packages below is how it
is made: the states and functions of DESIGN keep their names, the rest may change.
"""

from importlib import import_module as _import
from typing import TYPE_CHECKING as _TYPE_CHECKING

from evalcore import classification as _classification
from evalcore import estimation as _estimation
from evalcore import retrieval as _retrieval
from evalcore.library import measures as _measures

from .library.measures import *
from .numeric import *
from .registry.measures import *

if _TYPE_CHECKING:
    from evalcore.library.answers import *
    from evalcore.library.data import numbers, read, report, show
    from evalcore.library.states import evaluate

__version__ = "1.0.0"

__all__ = ["METRICS", "calibration", "compare", "confusion", "curves", "evaluate", "find", "numbers", "ranking"]
__all__ += ["read", "regression", "report", "show", "threshold"]
__all__ += _measures.__all__

_ANSWERS = ("Answer", "ThresholdAnswer", "calibration", "compare", "confusion", "curves", "ranking", "regression")
_ANSWERS += ("threshold",)

# Loaded when they are asked for: measures need numpy alone.
_LATER = {
    **dict.fromkeys(_ANSWERS, "answers"),
    **dict.fromkeys(("numbers", "read", "report", "show"), "data"),
    "evaluate": "states",
}

# Names of scikit-learn, and what they are called here.
_ELSEWHERE = {
    "mae": "mean_absolute_error(truth, estimate)",
    "mape": "mean_absolute_percentage_error(truth, estimate)",
    "map": "mean_average_precision(judgments, run)",
    "mcc": "matthews_correlation(truth, predicted)",
    "mrr": "mean_reciprocal_rank(judgments, run)",
    "mse": "measure('MSE')(truth, estimate)",
    "r2": "r_squared(truth, estimate)",
    "rmse": "root_mean_squared_error(truth, estimate)",
    "accuracy_score": "accuracy(truth, predicted)",
    "auc": "roc_auc(truth, scores)",
    "average_precision_score": "average_precision(truth, scores)",
    "balanced_accuracy_score": "balanced_accuracy(truth, predicted)",
    "brier_score_loss": "measure('half_brier_score')(truth, probability)",
    "calibration_curve": "calibration(truth, probability)",
    "classification_report": "confusion(truth, predicted)",
    "cohen_kappa_score": "cohen_kappa(truth, predicted)",
    "confusion_matrix": "confusion(truth, predicted)",
    "det_curve": "curves(truth, scores)",
    "explained_variance_score": "measure('EV')(truth, estimate)",
    "f1_score": "f1(truth, predicted)",
    "fbeta_score": "f_beta(truth, predicted, beta=2)",
    "jaccard_score": "jaccard(truth, predicted)",
    "matthews_corrcoef": "matthews_correlation(truth, predicted)",
    "mean_squared_error": "measure('MSE')(truth, estimate)",
    "ndcg_score": "ndcg(judgments, run, k=10)",
    "precision_recall_curve": "curves(truth, scores)",
    "precision_score": "precision(truth, predicted)",
    "precision_recall_fscore_support": "confusion(truth, predicted)",
    "r2_score": "r_squared(truth, estimate)",
    "recall_score": "recall(truth, predicted)",
    "roc_auc_score": "roc_auc(truth, scores)",
    "roc_curve": "curves(truth, scores)",
    "zero_one_loss": "measure('error_rate')(truth, predicted)",
}


def __getattr__(name: str):
    if (module := _LATER.get(name)) is not None:
        return getattr(_import(f"evalcore.library.{module}"), name)
    if name in METRICS:
        return _measures.by_key(name)
    if name in _ELSEWHERE:
        raise AttributeError(f"evalcore has no {name}: use evalcore.{_ELSEWHERE[name]}.")
    raise AttributeError(f"module 'evalcore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_LATER, *METRICS})
