"""Regression: how far off are the estimates?"""

from evalcore.analyses import regression_formulas, value_texts
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.estimate.regression import regression as widgets
from pages.widgets.export.downloads import show_downloads

title("estimate/regression")
estimates = widgets.open_estimates()
regression = widgets.regression_of(estimates, widgets.choose_error_settings(estimates))
show_finding(regression.verdict, estimates.notes)
widgets.show_clouds(regression)
widgets.show_rows(estimates)
widgets.show_errors(regression)
shown = widgets.show_parts(regression)
texts = value_texts(regression.state, mae="mean_absolute_error", rmse="root_mean_squared_error", bias="mean_error")
show_reading("estimate/regression", **texts)
show_explained_formulas(lambda: regression_formulas(regression))
code = next((part.code for part in shown.values()), regression.code)
others = {name: lambda part=part: part.table for name, part in shown.items()}
show_downloads("errors", lambda: regression.table, code, others=others)
