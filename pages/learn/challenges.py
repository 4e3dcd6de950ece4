"""Challenges: can you do it?"""

from pages.widgets.display.empty_state import show_closed
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.learn.challenges.challenges import choose_challenge, show_challenge

title("Challenges", question="Can you do it?")
show_closed()
challenge = choose_challenge()
show_challenge(challenge)
show_reading("learn/challenges")
