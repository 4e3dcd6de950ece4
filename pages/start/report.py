"""Report: what can I hand to somebody else?"""

from pages.widgets.display.page import title
from pages.widgets.start.report.report import choose_chapters, choose_report_settings, open_reported, show_report

title("start/report")
current = open_reported()
pages = choose_chapters(current)
settings = choose_report_settings(current, pages)
show_report(current, pages, settings)
