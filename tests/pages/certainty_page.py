"""The panel by itself, for tests: a goal and how sure it is, on the scores of the address."""

from pages.widgets import address
from pages.widgets.states import open_scores, threshold_of
from pages.widgets.threshold.certainty import show_certainty
from pages.widgets.threshold.goals import choose_goal

address.restore()
scores = open_scores()
threshold = threshold_of(scores)
decision = choose_goal(scores)
show_certainty(scores, threshold, decision)
