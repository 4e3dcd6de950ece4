"""Hatched fills in SVG, each defined once in a picture."""

import itertools
from collections.abc import Mapping
from typing import Any

from evalcore.figures.svg.paint import paint

__all__ = ["Hatches"]


class Hatches:
    """The hatches of one picture, each defined once."""

    def __init__(self, prefix: str) -> None:
        self.prefix, self.known = prefix, {}

    def fill(self, colour: str, pattern: Mapping[str, Any], shape: str, opacity: float = 1.0) -> str:
        """Attributes that fill with a colour, hatched where there is a shape."""
        if not shape:
            return paint("fill", colour, opacity)
        over = pattern.get("fillmode", "overlay") == "overlay"
        front = pattern.get("fgcolor") or ("#ffffff" if over else colour)
        ground = pattern.get("bgcolor") or (colour if over else "")
        size, solid = float(pattern.get("size") or 8), float(pattern.get("solidity") or 0.25)
        key = (shape, front, ground, size, solid, opacity)
        name = self.known.setdefault(key, f"{self.prefix}h{len(self.known)}")
        return f' fill="url(#{name})"'

    @property
    def definitions(self) -> str:
        """All of them, for the head of the picture."""
        return "".join(itertools.starmap(self._one, ((name, *key) for key, name in self.known.items())))

    @staticmethod
    def _one(name: str, shape: str, front: str, ground: str, size: float, solid: float, opacity: float) -> str:
        turn = {"\\": -45, "-": 90, "|": 0}.get(shape, 45)
        wide = max(size * solid, 1)
        stroke = paint("stroke", front, opacity)
        line = f'<path d="M{size / 2:.3g} 0V{size:g}" stroke-width="{wide:.3g}"{stroke}/>'
        line += f'<path d="M0 {size / 2:.3g}H{size:g}" stroke-width="{wide:.3g}"{stroke}/>' if shape in "x+" else ""
        back = f'<rect width="{size:g}" height="{size:g}"{paint("fill", ground, opacity)}/>' if ground else ""
        where = f'width="{size:g}" height="{size:g}" patternUnits="userSpaceOnUse" patternTransform="rotate({turn})"'
        return f'<pattern id="{name}" {where}>{back}{line}</pattern>'
