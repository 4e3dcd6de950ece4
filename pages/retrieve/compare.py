"""Compare rankings: which system ranks better?"""

from pages.widgets.heading import title
from pages.widgets.reading import show_reading
from pages.widgets.retrieval import open_retrieval
from pages.widgets.rivals.rivals import open_rivals
from pages.widgets.rivals.rivals_parts import show_rivals_parts
from pages.widgets.rivals.rivals_recipe import show_rivals_downloads, show_rivals_formulas
from pages.widgets.rivals.rivals_table import show_rivals_style, show_rivals_table
from pages.widgets.rivals.rivals_tests import tested
from pages.widgets.rivals.rivals_verdict import show_rivals_verdict

title("Compare rankings", question="Which system ranks better?")
rivals = open_rivals(open_retrieval())
show_rivals_style()
done = tested(rivals)
show_rivals_verdict(done)
show_rivals_table(done)
show_rivals_parts(done)
show_reading("compare_rankings")
show_rivals_formulas(done)
show_rivals_downloads(done)
