"""Lecture: steps that ask first, in a link."""

from evalcore.learning import LESSONS
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.learn.lecture.compose import compose, show_file
from pages.widgets.learn.lecture.lecture import choose_lecture, choose_part, play
from pages.widgets.learn.lecture.opened import open_lecture, show_verification
from pages.widgets.session.visitor import keep_memory

title("learn/lecture")
show_closed()
lecture = open_lecture()
if lecture is None:
    choose_lecture()
else:
    parts = {"Compose": compose, "As one file": show_file, "Verify receipts": show_verification}
    parts.get(choose_part(lecture), play)(lecture)
show_reading("learn/lecture", lessons=str(len(LESSONS)))
keep_memory()
