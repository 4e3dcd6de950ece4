"""Distributions: how far apart are two of them?"""

from evalcore.analyses import distance_formulas
from evalcore.wording import number_text
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.estimate.distributions.distributions import choose_comparison, show_bins, show_distances, show_parts
from pages.widgets.export.downloads import show_downloads

title("estimate/distributions")
comparison = choose_comparison()
show_finding(comparison.verdict)
show_bins(comparison)
show_distances(comparison)
show_parts(comparison)
value = number_text(comparison.value(comparison.measure))
show_reading("estimate/distributions", measure=comparison.measure.name, value=value)
show_explained_formulas(lambda: distance_formulas(comparison))
show_downloads("distributions", lambda: comparison.table, comparison.code, {"Bins": lambda: comparison.bin_table})
