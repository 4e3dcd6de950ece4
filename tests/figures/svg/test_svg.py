"""Figures as SVG: drawn where Plotly would draw them, with nothing that a name could do."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from evalcore import figures
from evalcore.figures import graph_objects as go
from evalcore.figures import ink
from evalcore.figures.svg import colour_variables, svg_picture, traces
from evalcore.figures.theme import apply_frame
from tests.pages.nasty_names import NASTY

LIGHT = ink(dark=False)


def drawn(figure: go.Figure, **layout: object) -> ET.Element:
    """The picture as a tree: it is well-formed, and every place in it is a number."""
    text = svg_picture(apply_frame(figure, LIGHT, 300, "x", "y", **layout), "A picture", 400)
    assert "nan" not in text
    assert "inf" not in text
    return ET.fromstring(text)


def words(tree: ET.Element) -> list[str]:
    return ["".join(node.itertext()) for node in tree.iter("text")]


def path(tree: ET.Element, colour: str) -> list[tuple[float, float]]:
    """The corners of the line of a colour."""
    line = next(node for node in tree.iter("path") if node.get("stroke") == f"var(--{colour})" and "L" in node.get("d"))
    return [tuple(map(float, pair.split())) for pair in re.findall(r"[\d.-]+ [\d.-]+", line.get("d"))]


def test_a_line_runs_through_its_points_on_its_axes() -> None:
    line = {"color": LIGHT.accent}
    figure = go.Figure(go.Scatter(x=[0, 1, 2, 4], y=[0, 1, np.nan, 2], mode="lines", line=line))
    tree = drawn(figure, xaxis={"range": [0, 4]}, yaxis={"range": [0, 2]})
    (x0, y0), (x1, y1), (x2, y2) = path(tree, "accent")
    assert (x2 - x0) == pytest.approx(4 * (x1 - x0), abs=0.3)
    assert (y0 - y2) == pytest.approx(2 * (y0 - y1), abs=0.3)
    assert {"0", "1", "2", "3", "4"} <= set(words(tree))
    assert "x" in words(tree)


def test_bars_stand_on_zero_and_are_as_long_as_their_numbers() -> None:
    figure = go.Figure(go.Bar(x=["a", "b"], y=[1, -2], marker={"color": ["#010203", "#010204"]}))
    tree = drawn(figure)
    boxes = {}
    for node in tree.iter("path"):
        if node.get("fill", "").startswith("#0102"):
            top, bottom = map(float, re.match(r"M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)", node.get("d")).groups())
            boxes[node.get("fill")] = (top, bottom)
    assert boxes["#010203"][1] == pytest.approx(boxes["#010204"][0], abs=0.1)
    lengths = [bottom - top for top, bottom in boxes.values()]
    assert lengths[1] == pytest.approx(2 * lengths[0], abs=0.3)
    assert {"a", "b", "−2"} <= set(words(tree))


def test_a_logarithmic_axis_has_powers_of_ten() -> None:
    figure = go.Figure(go.Scatter(x=[1, 10, 1000], y=[0, 1, 2], mode="lines", line={"color": LIGHT.accent}))
    tree = drawn(figure, xaxis={"type": "log"})
    (a, _), (b, _), (c, _) = path(tree, "accent")
    assert (c - a) == pytest.approx(3 * (b - a), abs=0.5)
    assert "10" in words(tree)


def test_colours_of_the_theme_follow_light_and_dark_and_others_stay() -> None:
    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 1], mode="lines", line={"color": LIGHT.systems[0]}))
    figure.add_scatter(x=[0, 1], y=[1, 0], mode="lines", line={"color": "#123456"})
    text = svg_picture(apply_frame(figure, LIGHT, 300), "A picture")
    assert 'stroke="var(--system-0)"' in text
    assert 'stroke="#123456"' in text
    assert colour_variables(LIGHT).keys() == colour_variables(ink(dark=True)).keys()


@pytest.mark.parametrize("name", NASTY)
def test_a_name_is_only_shown(name: str) -> None:
    figure = go.Figure(go.Scatter(x=[0, 1], y=[0, 1], mode="lines+text", text=[name, name], name=name, showlegend=True))
    figure.add_annotation(x=0.5, y=0.5, text=name, showarrow=False)
    apply_frame(figure, LIGHT, 300, name, name)
    tree = ET.fromstring(svg_picture(figure, name))
    tags = {node.tag.rpartition("}")[2] for node in tree.iter()}
    assert tags <= {"svg", "defs", "clipPath", "rect", "path", "g", "text", "tspan"}


def test_contours_run_where_the_field_has_their_value() -> None:
    grid = np.linspace(-2, 2, 41)
    z = np.hypot(*np.meshgrid(grid, grid))
    z[0, 0] = np.nan
    figure = go.Figure().add_contour(
        x=grid, y=grid, z=z, colorscale=[[0, "#123456"], [1, "#123456"]],
        contours={"coloring": "lines", "showlabels": True, "start": 0.5, "end": 1.5, "size": 0.5},
    )  # fmt: skip
    tree = drawn(figure, xaxis={"range": [-2, 2], "tickvals": [-2, 2]}, yaxis={"range": [-2, 2], "scaleanchor": "x"})
    line = next(node for node in tree.iter("path") if node.get("stroke") == "#123456").get("d")
    circles = [np.array(re.findall(r"([\d.]+) ([\d.]+)", part), dtype=np.float64) for part in line.split("M")[1:]]
    assert len(circles) == 3
    centre = circles[-1][1:].mean(axis=0)
    radii = [np.hypot(*(circle - centre).T) for circle in circles]
    assert [np.ptp(one) < 0.02 * one.mean() for one in radii] == [True] * 3
    assert [one.mean() / radii[0].mean() for one in radii] == pytest.approx([1, 2, 3], rel=0.01)
    assert {"0.5", "1.0", "1.5"} <= set(words(tree))


def test_the_shades_of_cells_stay_on_a_dark_ground() -> None:
    # The words on a cell are chosen for its shade, so a white cell is no paper that darkens.
    scale = [[0, LIGHT.paper], [1, LIGHT.accent]]
    text = svg_picture(go.Figure(go.Heatmap(z=[[0, 1]], colorscale=scale)), "Cells")
    assert f'fill="{LIGHT.paper.lower()}"' in text
    assert "var(--accent)" not in text


def test_every_kind_of_trace_that_our_figures_have_is_drawn() -> None:
    folder = Path(figures.__file__).parent
    source = "".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    used = {kind.lower() for kind in re.findall(r"\bgo\.([A-Z]\w+)\(", source)} - {"figure"}
    used |= {kind for kind in re.findall(r"\.add_([a-z]+)\(", source) if hasattr(go, kind.capitalize())}
    assert used - {"trace", "annotation"} <= {*traces.KINDS}, "a report cannot draw these"
    assert "contour" in used


def test_what_no_figure_of_ours_has_is_an_error() -> None:
    with pytest.raises(ValueError, match="no picture of a pie"):
        svg_picture(go.Figure([{"type": "pie", "values": [1, 2]}]), "A pie")
