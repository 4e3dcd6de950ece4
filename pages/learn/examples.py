"""Examples: what would you have decided?"""

from evalcore.learning.stories import STORIES
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.learn.steps import choose_story, show_index, show_story
from pages.widgets.session.visitor import keep_memory

title("learn/examples")
show_closed()
story = choose_story()
if story is None:
    show_index()
else:
    show_story(story)
show_reading("learn/examples", questions=str(sum(len(one.steps) for one in STORIES.values())))
keep_memory()
