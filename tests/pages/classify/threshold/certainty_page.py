"""The panel by itself, for tests: a goal and how sure it is, on the scores of the address."""

from pages.widgets.classify.threshold.certainty import show_certainty
from pages.widgets.controls.goals import choose_goal
from pages.widgets.session import address
from pages.widgets.session.loaded import open_scores, threshold_of

address.restore()
scores = open_scores()
threshold = threshold_of(scores)
show_certainty(threshold, choose_goal(scores))
