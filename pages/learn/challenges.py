"""Challenges: can you do it?"""

from evalcore.learning.challenges import CHALLENGES
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, show_tabs, title
from pages.widgets.learn.challenges.challenges import show_challenges, show_traps
from pages.widgets.session.visitor import keep_memory

title("learn/challenges")
show_closed()
show_tabs("learn/challenges", {"Challenges": show_challenges, "Traps": show_traps})
show_reading("learn/challenges", challenges=str(len(CHALLENGES)))
keep_memory()
