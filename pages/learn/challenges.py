"""Challenges: can you do it?"""

from evalcore.learning.challenges import CHALLENGES
from pages.widgets.display.empty_state import show_closed
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.learn.challenges.challenges import show_challenges
from pages.widgets.learn.challenges.parts import show_parts
from pages.widgets.learn.challenges.traps import show_traps
from pages.widgets.session.tab_memory import keep_memory

title("Challenges", question="Can you do it?")
show_closed()
show_parts({"Challenges": show_challenges, "Traps": show_traps})
show_reading("learn/challenges", challenges=str(len(CHALLENGES)))
keep_memory()
