"""Curves: how good the scores are at every threshold."""

from evalcore.analyses import CurveSteps, OperatingPoint, RocTable
from evalcore.reports import number_line
from evalcore.wording import number_text, share_text
from pages.widgets.classify.curves import curves
from pages.widgets.classify.threshold.pins import show_change
from pages.widgets.controls.intervals import area_method
from pages.widgets.controls.threshold import choose_threshold
from pages.widgets.display.measures import show_curve_steps, show_reading
from pages.widgets.display.page import controls, show_finding, statistics, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session.loaded import open_scores, threshold_of

title("classify/curves")
curves.show_points_of_counts()
scores = open_scores()
current, threshold, ranges = scores.current, threshold_of(scores), curves.ranges_of()
point = OperatingPoint(scores, threshold)
area_of = lambda: curves.values_of(current, scores.system, ranges)["AUC"]  # noqa: E731
show_finding(point.verdict, numbers=lambda: [number_line("AUC", number_text, *area_of().ends)])
curves.show_direction(scores)
with statistics():
    resampled = curves.choose_score_intervals(current)
tabs = curves.open_tabs()
with controls():
    choose_threshold(scores)
    overlays = curves.choose_overlays()
curves.show_curves(point, overlays, ranges, tabs)
show_change(scores.counts_at(threshold))
curves.show_requirements(scores, overlays)
curves.show_systems(current, ranges, resampled)
curves.show_roc_table(scores, threshold)
show_curve_steps(lambda: CurveSteps.of_scores(scores), "the ROC curve row by row")
curves.show_eleven_points(current)
area = number_text(area_of().estimate)
show_reading("classify/curves", auc=area, prevalence=share_text(scores.prevalence))
curves.show_score_formulas(scores, ranges)
code = point.code(curves.values_of(current, scores.system, ranges), ranges, area_method())
others = {"Systems": lambda: curves.score_table(current, ranges).table}
show_downloads("curves", lambda: RocTable.whole(scores).table, code, others)
