"""Home: a file, a threshold to drag, and what one may want to know."""

from pages.widgets.display.page import show_closed, title
from pages.widgets.start.home.home import show_doors, show_file, show_live_view, show_questions

title("start/home")
show_closed()
show_file()
show_live_view()
show_doors()
show_questions()
