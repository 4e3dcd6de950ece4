"""A page with only a goal, its limits and the answer, for tests."""

from pages.widgets.classify.threshold.costs import show_best
from pages.widgets.controls.goals import choose_goal
from pages.widgets.session import address
from pages.widgets.session.loaded import open_scores, threshold_of

address.restore()
scores = open_scores()
chosen = choose_goal(scores)
if chosen.choice:
    show_best(chosen, threshold_of(scores))
