"""Figures of plain dictionaries are to the browser what Plotly makes of the same calls, which checks on request."""

import copy
import json
import pickle

import numpy as np
import plotly.graph_objects as plotly
import pytest

from evalcore.figures import graph_objects as ours

LINE = {"width": 2, "dash": None}
LAYOUT = {"xaxis2": {"anchor": "y2"}, "template": {"layout": {"autotypenumbers": "strict"}}}


def drawn(go) -> plotly.Figure:
    """The same figure by Plotly, or by ours."""
    trace = go.Scatter(x=np.arange(3.0), y=[1, None, 2], line=LINE, line_color="red", error_x={"array": [1, 2, 3]})
    figure = go.Figure([trace, go.Bar(x=("a", "b"), y=(1, 2), name=None)], LAYOUT)
    figure.add_trace(go.Heatmap(z=np.eye(2), meta={"of_a_cell": 1})).add_scatter(y=np.float32([1, 2]), mode="lines")
    figure.add_traces([go.Scatter(y=[1]).update(marker={"size": 3}).update(marker_color="blue", y=None)])
    figure.add_contour(z=[[1, 2], [3, 4]], contours={"start": 1}).add_bar(y=[3], marker_line_width=0)
    figure.add_heatmap(z=[[np.nan, np.inf]], hoverinfo="skip")
    figure.add_vline(x=1, line=LINE).add_hline(y=2, line_width=3).add_shape(type="rect", x0=0, x1=1, layer="below")
    figure.add_vrect(x0=1, x1=2, opacity=0.5).add_hrect(y0=1, y1=2, line_width=0)
    figure.add_annotation(x=1, y=2, text="here", font_size=9, showarrow=False, xref=None)
    figure.update_layout(margin={"t": 1, "l": 2}, margin_t=3, paper_bgcolor="white", height=None)
    figure.update_xaxes(range=[0, 1], title_text="x").update_yaxes(tickfont={"size": 9}, tickformat=".1f")
    return figure.update_yaxes(tickformat=None)


def sent(figure: plotly.Figure) -> dict:
    return json.loads(figure.to_json())


def test_the_browser_gets_what_it_would_get_from_plotly() -> None:
    figure = drawn(ours)
    assert sent(figure) == sent(drawn(plotly))
    assert "_layout_obj" not in vars(figure)  # nothing was checked
    assert figure.layout.margin.t == 3
    assert sent(figure) == sent(drawn(plotly))


def test_what_is_added_after_plotlys_objects_were_made_is_among_them() -> None:
    figure = ours.Figure(ours.Scatter(y=[1]))
    assert len(figure.data) == 1
    assert "template" not in figure.parts[-1]
    figure.add_bar(y=[2]).update_layout(height=90)
    assert (len(figure.data), figure.data[1].type, figure.layout.height) == (2, "bar", 90)
    figure.data = figure.data[::-1]
    assert [part["type"] for part in figure.parts[:-1]] == ["bar", "scatter"]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda figure: pickle.loads(pickle.dumps(figure))])
def test_a_copy_shares_nothing_with_the_figure(copied) -> None:
    figure = drawn(ours)
    other = copied(figure)
    assert sent(other) == sent(figure)
    other.update_layout(margin_t=7).parts[0]["line"]["width"] = 8
    assert sent(figure) == sent(drawn(ours))


def test_a_property_that_plotly_does_not_know_is_refused_when_it_is_asked_for_its_objects() -> None:
    with pytest.raises(ValueError, match="colour"):
        _ = ours.Figure(ours.Scatter(line_colour="red")).data


def test_the_parts_of_a_figure_are_its_own() -> None:
    for looked_at in (False, True):
        figure = ours.Figure(ours.Scatter(name="before"), {"title": {"text": "before"}})
        _ = looked_at and figure.layout
        for part in figure.parts:
            (part if "name" in part else part["title"]).update(**{"name" if "name" in part else "text": "after"})
        assert figure.data[0].name == figure.layout.title.text == "after"
