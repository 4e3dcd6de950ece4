"""The cockpit of the threshold: one surface on which every part shows the same cut and every part can move it."""

from .settings import choose_drawing
from .surface import Sheet, show_cockpit, show_sheet

__all__ = ["Sheet", "choose_drawing", "show_cockpit", "show_sheet"]
