"""The colours of the outcomes as people see them whose eyes lack one kind of cone.

The eyes are those of Machado, Oliveira and Fernandes (2009), without any of the cones; the distance is CIEDE2000.
"""

from itertools import combinations

import numpy as np
import pytest

from evalcore.figures.theme import DARK, LIGHT, OUTCOMES

EYES = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
APART, RIGHT_FROM_WRONG = 10, 40
"""Five and twenty times what can just be told apart (2), because areas are small and seldom side by side."""


def lab(colour: str, eye: np.ndarray) -> np.ndarray:
    """A colour as it is seen, in CIELAB under D65."""
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(eye @ linear, 0, 1) / (0.95047, 1.0, 1.08883)
    root = [t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z)]
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """The distance of two colours by Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    c1, c2 = np.hypot(g * a1, b1), np.hypot(g * a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, g * a1)) % 360, np.degrees(np.arctan2(b2, g * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    lightness, c = (l1 + l2) / 2, (c1 + c2) / 2
    h = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    t = 1 + np.cos(np.radians([h - 30, 2 * h, 3 * h + 6, 4 * h - 63])) @ [-0.17, 0.24, 0.32, -0.20]
    wide = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    light = (l2 - l1) / (1 + 0.015 * (lightness - 50) ** 2 / np.sqrt(20 + (lightness - 50) ** 2))
    chroma = (c2 - c1) / (1 + 0.045 * c)
    turned = np.sin(np.radians(60 * np.exp(-(((h - 275) / 25) ** 2)))) * 2 * np.sqrt(c**7 / (c**7 + 25.0**7))
    return float(np.sqrt(light**2 + chroma**2 + wide**2 - turned * chroma * wide))


@pytest.mark.parametrize(
    ("one", "other", "printed"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -0.001, 2.49), (50, 0.0011, -2.49), 4.7461),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ],
)
def test_the_distance_is_that_of_the_printed_pairs(one, other, printed: float) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize("eye", EYES)
def test_outcomes_are_told_apart_and_right_ones_from_wrong_ones_at_once(eye: str) -> None:
    seen = {name: lab(colour, EYES[eye]) for name, colour in OUTCOMES.items()}
    for (name, one), (other, two) in combinations(seen.items(), 2):
        least = APART if name[0] == other[0] else RIGHT_FROM_WRONG
        assert ciede2000(one, two) >= least, (name, other)
    for paper in (LIGHT.paper, DARK.paper):
        assert min(ciede2000(one, lab(paper, EYES[eye])) for one in seen.values()) >= 2 * APART
