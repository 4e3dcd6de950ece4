"""Inference: intervals, tests, resampling and recalibration.

Everywhere `level` is the confidence of intervals, between 0 and 1, and `resamples` the number of resamples, at least 1;
other values raise ValueError. The same `seed` gives the same resamples. Sums of weights are taken as rows, and rounded
where rows are drawn. What is undefined is nan.
"""

from .auc import *
from .bands import *
from .bland_altman import *
from .bootstrap import *
from .cell_differences import *
from .choice_bootstrap import *
from .class_clustering import *
from .clustered import *
from .clustered_contrasts import *
from .clustered_pairs import *
from .clustered_symmetry import *
from .comparison import *
from .coverage import *
from .distances import *
from .equivalence import *
from .estimate_intervals import *
from .forecast import *
from .heterogeneity import *
from .independent import *
from .influence import *
from .intervals import *
from .kernel import *
from .label_bootstrap import *
from .limit_tests import *
from .loss_bootstrap import *
from .mcnemar import *
from .mean_interval import *
from .no_information import *
from .paired import *
from .paired_classes import *
from .paired_estimates import *
from .paired_labels import *
from .paired_measures import *
from .platt_scaling import *
from .predictive_values import *
from .promise import *
from .promise_size import *
from .proportions import *
from .query_variance import *
from .recalibration import *
from .reliability_intervals import *
from .resampling import *
from .right_shares import *
from .score_bootstrap import *
from .shared_clusters import *
from .slice_rows import *
from .slices import *
from .swaps import *
from .symmetry import *
from .unpaired import *
