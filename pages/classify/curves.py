"""Curves: how good the scores are at every threshold."""

from evalcore.analyses import CurveSteps, OperatingPoint, RocTable
from evalcore.reports import number_line
from evalcore.wording import number_text, share_text
from pages.widgets.classify.curves import curves, systems
from pages.widgets.classify.threshold.pins import show_change
from pages.widgets.controls.intervals import area_method
from pages.widgets.controls.threshold import choose_threshold
from pages.widgets.display.measures import show_curve_steps, show_reading
from pages.widgets.display.page import controls, show_finding, statistics, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session.loaded import open_scores, threshold_of

title("classify/curves")
systems.show_points_of_counts()
scores = open_scores()
threshold, ranges = threshold_of(scores), curves.ranges_of()
point = OperatingPoint(scores, threshold)
area_of = lambda: systems.values_of(scores, ranges)["AUC"]  # noqa: E731
show_finding(point.verdict, numbers=lambda: [number_line("AUC", number_text, *area_of().ends)])
systems.show_direction(scores)
with statistics():
    resampled = systems.choose_score_intervals(scores.current)
tabs = curves.open_tabs()
with controls():
    choose_threshold(scores)
    overlays = curves.choose_overlays()
curves.show_open_curve(tabs, point, overlays, ranges)
show_change(scores.counts_at(threshold))
curves.show_requirements(scores, overlays)
systems.show_systems(scores.current, ranges, resampled)
systems.show_roc_table(scores, threshold)
show_curve_steps(lambda: CurveSteps.of_scores(scores), "the ROC curve row by row")
systems.show_eleven_points(scores.current)
area = number_text(area_of().estimate)
show_reading("classify/curves", auc=area, prevalence=share_text(scores.prevalence))
systems.show_score_formulas(scores, ranges)
show_downloads(
    "curves",
    lambda: RocTable.whole(scores).table,
    point.code(systems.values_of(scores, ranges), ranges, area_method()),
    {"Systems": lambda: systems.score_table(scores.current, ranges).table},
)
