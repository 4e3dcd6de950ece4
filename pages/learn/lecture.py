"""Lecture: steps that ask first, in a link."""

from evalcore.learning import LESSONS
from pages.widgets.display.empty_state import show_closed
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.learn.lecture.compose import compose
from pages.widgets.learn.lecture.opened import open_lecture
from pages.widgets.learn.lecture.play import play
from pages.widgets.learn.lecture.receipt import show_verification
from pages.widgets.learn.lecture.start import choose_lecture, choose_part
from pages.widgets.session.tab_memory import keep_memory

title("Lecture", question="What do students answer before they see the answer?")
show_closed()
lecture = open_lecture()
if lecture is None:
    choose_lecture()
else:
    part = choose_part(lecture)
    if part == "Compose":
        compose(lecture)
    elif part == "Verify receipts":
        show_verification(lecture)
    else:
        play(lecture)
show_reading("learn/lecture", lessons=str(len(LESSONS)))
keep_memory()
