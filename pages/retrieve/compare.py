"""Compare rankings: which system ranks better?"""

from evalcore.analyses import difference_texts
from pages.widgets.display.measures import show_formulas, show_reading, show_verdict
from pages.widgets.display.page import title
from pages.widgets.retrieve.compare.comparison import (
    choose_comparison,
    show_comparison_downloads,
    show_parts,
    show_systems,
)
from pages.widgets.session.loaded_rankings import open_rankings

title("retrieve/compare")
comparison = choose_comparison(open_rankings())
show_verdict(comparison.verdict, *comparison.notes, margin=comparison.margin_result)
show_systems(comparison)
show_parts(comparison)
show_reading("retrieve/compare", **difference_texts(comparison.main_difference))
show_formulas(comparison)
show_comparison_downloads(comparison)
