"""The frame of every picture."""

import plotly.graph_objects as go

from evalcore.figures.theme import LIGHT, framed
from evalcore.wording.numbers import count_text


def test_a_picture_parts_thousands_as_the_text_beside_it_does() -> None:
    separators = framed(go.Figure(), LIGHT, height=100).layout.separators
    assert separators == "." + count_text(1000)[1]
