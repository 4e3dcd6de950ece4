"""How the cockpit is drawn: which measures, which density, on which axis."""

from dataclasses import dataclass

__all__ = ["FEW_DOTS", "MOST_DOTS", "Drawing"]

FEW_DOTS, MOST_DOTS = 60, 300
"""Rows up to which dots are what is drawn first, and up to which they can be chosen."""


@dataclass(frozen=True)
class Drawing:
    """The settings of the cockpit.

    Parameters
    ----------
    density : {"histogram", "smooth", "dots"}
    bins : int
    width : float
        Times the bandwidth of the smooth density.
    height : {"rows", "share"}
    extent : {"all", "central", "log"}
    lines : tuple of str
        Keys of the measures that are drawn.
    bands : bool
        Whether each has a band around it.
    """

    density: str = "histogram"
    bins: int = 40
    width: float = 1.0
    height: str = "rows"
    extent: str = "all"
    lines: tuple[str, ...] = ("recall", "precision", "specificity", "f_beta")
    bands: bool = False
