"""Overlap: how much do two masks agree?"""

from evalcore.analyses import overlap_texts
from evalcore.reports import mask_picture
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding, title
from pages.widgets.estimate.overlap.overlap import choose_masks, choose_overlap, show_images, show_masks
from pages.widgets.export.downloads import show_downloads

title("estimate/overlap")
overlap = choose_overlap(choose_masks())
show_finding(overlap.verdict, overlap.empty_note, picture=lambda: mask_picture(overlap))
show_masks(overlap)
show_images(overlap)
show_reading("estimate/overlap", **overlap_texts(overlap))
show_explained_formulas(lambda: overlap.formulas)
show_downloads("overlap", lambda: overlap.table, overlap.code)
