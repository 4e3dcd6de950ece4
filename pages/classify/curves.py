"""Curves: how good the scores are at every threshold."""

from evalcore.analyses import CurveSteps, OperatingPoint, RocTable
from evalcore.wording import number_text, share_text
from pages.widgets.classify.curves.curves import (
    choose_overlays,
    open_tabs,
    ranges_of,
    show_open_curve,
    show_requirements,
)
from pages.widgets.classify.curves.systems import (
    choose_score_intervals,
    score_table,
    show_direction,
    show_eleven_points,
    show_points_of_counts,
    show_roc_table,
    show_score_formulas,
    show_systems,
    values_of,
)
from pages.widgets.controls.intervals import area_method
from pages.widgets.controls.threshold import choose_threshold
from pages.widgets.display.measures import show_curve_steps, show_reading
from pages.widgets.display.page import controls, show_finding, statistics, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session.loaded_scores import open_scores, threshold_of

title("classify/curves")
show_points_of_counts()
scores = open_scores()
threshold, ranges = threshold_of(scores), ranges_of()
point = OperatingPoint(scores, threshold)
show_finding(point.verdict)
show_direction(scores)
with statistics():
    resampled = choose_score_intervals(scores.current)
tabs = open_tabs()
with controls():
    choose_threshold(scores)
    overlays = choose_overlays()
show_open_curve(tabs, point, overlays, ranges)
show_requirements(scores, overlays)
show_systems(scores.current, ranges, resampled)
show_roc_table(scores, threshold)
show_curve_steps(lambda: CurveSteps.of_scores(scores), "the ROC curve row by row")
show_eleven_points(scores.current)
area = number_text(values_of(scores, ranges)["AUC"].estimate)
show_reading("classify/curves", auc=area, prevalence=share_text(scores.prevalence))
show_score_formulas(scores, ranges)
show_downloads(
    "curves",
    lambda: RocTable.whole(scores).table,
    point.code(values_of(scores, ranges), ranges, area_method()),
    {"Systems": lambda: score_table(scores.current, ranges).table},
)
