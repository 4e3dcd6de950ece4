"""The cockpit of the threshold: one surface on which every part shows the same cut and every part can move it."""

from .surface import show_cockpit

__all__ = ["show_cockpit"]
