"""Compare rankings: which system ranks better?"""

from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.retrieve.compare.comparison import open_rivals
from pages.widgets.retrieve.compare.parts import show_rivals_parts
from pages.widgets.retrieve.compare.script import show_rivals_downloads, show_rivals_formulas
from pages.widgets.retrieve.compare.table import show_rivals_style, show_rivals_table
from pages.widgets.retrieve.compare.tests import tested
from pages.widgets.retrieve.compare.verdict import show_rivals_verdict
from pages.widgets.session.loaded_rankings import open_rankings

title("Compare rankings", question="Which system ranks better?")
rivals = open_rivals(open_rankings())
show_rivals_style()
done = tested(rivals)
show_rivals_verdict(done)
show_rivals_table(done)
show_rivals_parts(done)
show_reading("retrieve/compare")
show_rivals_formulas(done)
show_rivals_downloads(done)
