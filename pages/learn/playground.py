"""Playground: what makes a curve?"""

from evalcore.analyses import playground_formulas
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_closed, show_finding, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.learn.playground import offer_scores, show_playground

title("learn/playground")
show_closed()
numbers = show_playground()
show_finding(numbers.verdict, about="Playground: simulated scores")
offer_scores(numbers)
show_reading("learn/playground", **numbers.reading)
show_explained_formulas(lambda: playground_formulas(numbers))
show_downloads("playground", lambda: numbers.curve_table, numbers.code, others={"Sample": lambda: numbers.rows})
