"""Lecture: steps that ask first, in a link."""

from evalcore.learning import LESSONS
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.learn.lecture.compose import compose, show_file
from pages.widgets.learn.lecture.lecture import choose_lecture, choose_part, play
from pages.widgets.learn.lecture.opened import open_lecture
from pages.widgets.learn.lecture.room import show_verification
from pages.widgets.session.visitor import keep_memory

title("learn/lecture")
show_closed()
lecture = open_lecture()
if lecture is None:
    choose_lecture()
else:
    part = choose_part(lecture)
    if part == "Compose":
        compose(lecture)
    elif part == "As one file":
        show_file(lecture)
    elif part == "Verify receipts":
        show_verification(lecture)
    else:
        play(lecture)
show_reading("learn/lecture", lessons=str(len(LESSONS)))
keep_memory()
