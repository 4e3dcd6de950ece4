"""Challenges: can you do it?"""

from evalcore.learning.challenges import CHALLENGES
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.learn.challenges.challenges import show_challenges, show_parts, show_traps
from pages.widgets.session.visitor import keep_memory

title("Challenges", question="Can you do it?")
show_closed()
show_parts({"Challenges": show_challenges, "Traps": show_traps})
show_reading("learn/challenges", challenges=str(len(CHALLENGES)))
keep_memory()
