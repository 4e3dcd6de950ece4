"""Every text of every figure: a name from a file is written out, and never becomes a link or bold."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import streamlit as st

import evalcore.figures
from evalcore.figures import escape_markup
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import LIGHT, contrast
from evalcore.readers import DataSet, read_sample, roles_of
from pages.widgets.display import figure as display
from pages.widgets.session.server import WIDGETS
from tests.pages.test_every_page import started
from tests.pages.uploads import saved

ROOT = Path(__file__).parents[2]
LINK = '<a href="http://e.com"><b>'
OURS = {"begun_figure", "guesses_figure", "marked_figure", "ranked_figure", "steps_figure"}
"""Figures of lessons and of steps, which hold no name from a file."""
OF_REPORTS = {"confusion_map_figure", "gallery_figure", "mean_curves_figure"}
"""Figures that only a report shows, in which every text is escaped again."""
WITHIN_OTHERS = {"precision_recall_figure", "roc_figure"}
"""Figures that are drawn through `overlaid_figure`."""
FIGURES = {name for name in evalcore.figures.__dict__ if name.endswith("_figure")} - OURS - OF_REPORTS - WITHIN_OTHERS


ON_CIRCLES = {("#FFFFFF", LIGHT.paper)}
"""White letters within the dark circles of two sets."""


def hostile(part: Any) -> Any:
    """Names that would be links, in the place of all names."""
    if isinstance(part, str):
        return LINK + part
    return tuple(map(hostile, part)) if isinstance(part, tuple) else part


@cache
def stored(sample: str) -> str:
    data = read_sample(sample)
    frame = data.frame.rename(columns=hostile)
    for name in frame.columns:
        if pd.api.types.is_string_dtype(frame[name]):
            frame[name] = frame[name].map(hostile, na_action="ignore")
    roles = roles_of(**{name: part if name == "rows_are" else hostile(part) for name, part in data.roles.parts.items()})
    return saved(DataSet.of(frame, hostile(data.name), roles=roles))


def texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from texts(list(part.values()))
    elif isinstance(part, (list, tuple)) or (isinstance(part, np.ndarray) and part.dtype.kind in "OUS"):
        for inner in part:
            yield from texts(inner)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The functions of figures that were called."""
    calls: set[str] = set()
    for name in WIDGETS:
        importlib.import_module(name)
    for name in FIGURES:
        function = getattr(evalcore.figures, name)

        def counted(*arguments: Any, _function=function, _name=name, **more: Any) -> Any:
            calls.add(_name)
            return _function(*arguments, **more)

        for module in [*sys.modules.values()]:
            calling = module.__name__.startswith("pages.widgets") or module is evalcore.figures
            for place, value in [*vars(module).items()] if calling else []:
                if value is function:
                    monkeypatch.setattr(module, place, wraps(function)(counted))
                elif isinstance(value, dict) and any(one is function for one in value.values()):
                    for key in [key for key, one in value.items() if one is function]:
                        monkeypatch.setitem(value, key, wraps(function)(counted))
    return calls


def links() -> Iterator[tuple[str, dict[str, str]]]:
    """Pages with settings that draw all figures together."""
    scores = {"data": "breast_cancer"}
    yield from (("retrieve/" + page, {"data": "image_retrieval"}) for page in ("sets", "graded", "compare"))
    yield from (("classify/" + page, scores) for page in ("curves", "confusion", "compare", "probabilities"))
    yield "classify/compare", {"data": "eight_labels"}
    yield "classify/compare", {"data": "digits"}
    yield "classify/curves", {"data": "four_methods"}
    yield "classify/confusion", scores | {"people": "tree"}
    yield "retrieve/compare", {"data": "image_retrieval", "rankings_part": "Query by query"}
    yield "retrieve/compare", {"data": "image_retrieval", "rankings_part": "Judgments"}
    yield "retrieve/compare", {"data": "image_retrieval", "rankings_part": "Variance and power"}
    yield "retrieve/compare", {"data": "image_retrieval", "rankings_part": "All comparisons"}
    for part in ("Certainty", "If costs are not known", "In use", "Two thresholds", "Groups"):
        yield "classify/threshold", scores | {"part": part, "t": "0.3"}
    for curve in ("Lift", "Gain", "KS", "DET", "Cost", "PR gain"):
        yield "classify/curves", scores | {"curve": curve}
    for part in ("Worst rows", "Brier score in parts", "Recalibrate"):
        yield "classify/probabilities", scores | {"probabilities_part": part}
    for part in ("Transport plan", "How many bins", "Smoothing"):
        yield "estimate/distributions", scores | {"distribution_part": part}
    yield "estimate/distributions", scores
    yield "learn/measures", scores
    yield "estimate/regression", {"data": "diabetes"}
    for part in ("Losses", "Decision"):
        yield "estimate/regression", {"data": "diabetes", "regression_part": part}


def low_contrasts(part: Any, ground: str) -> Iterator[tuple[str, str]]:
    """The colours of letters that are hard to read on their ground, which is the paper's unless it has its own."""
    if isinstance(part, dict):
        ground = part.get("bgcolor", ground)
        for name, value in part.items():
            if name.endswith("font") and isinstance(value.get("color"), str):
                yield from [(value["color"], ground)] if contrast(value["color"], ground) < 4.5 else []
            else:
                yield from low_contrasts(value, ground)
    elif isinstance(part, list):
        for inner in part:
            yield from low_contrasts(inner, ground)


def test_every_figure_writes_names_out_and_says_some_of_its_values_in_legible_letters(
    drawn: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    charts: list[Any] = []
    st.cache_resource.clear()  # a picture that another test has made would not be drawn again
    monkeypatch.setattr(display, "escape_markup", lambda parts: seen.extend(texts(parts)))
    for page, link in links():
        charts += started(f"pages/{page}.py", **link | {"data": stored(link["data"])}).get("plotly_chart")
    assert [one.proto.alt for one in charts if not re.search(r"\d", one.proto.alt) or "&#" in one.proto.alt] == []
    hard_to_read = {pair for one in charts for pair in low_contrasts(json.loads(one.proto.spec), LIGHT.paper)}
    assert hard_to_read == ON_CIRCLES
    assert drawn == FIGURES
    assert sum("&lt;a href" in text for text in seen) > 100
    assert [text for text in seen if "<a" in text] == []


def test_no_text_of_a_figure_becomes_a_link_whatever_its_field() -> None:
    title = {"title": {"text": LINK}}
    axis = title | {
        "ticktext": [LINK],
        "tickvals": [0],
        "categoryarray": [LINK],
        "tickprefix": LINK,
        "ticksuffix": LINK,
    }
    figure = go.Figure(
        [
            go.Scatter(
                x=np.array([LINK, "b"]), y=[LINK, 2], name=LINK, text=[LINK], hovertext=LINK, texttemplate=LINK,
                hovertemplate=f"<b>%{{x}}</b><br>{LINK}<extra></extra>", customdata=[[LINK, 1]], legendgroup=LINK,
                legendgrouptitle={"text": LINK}, marker={"colorbar": title}, meta={"name": (LINK,)},
            ),
            go.Heatmap(z=[[1]], x=[LINK], y=np.array([LINK], dtype=object), colorbar=title, text=[[LINK]]),
        ],
        title | {
            "xaxis": axis, "yaxis2": axis, "legend": title, "annotations": [{"text": LINK, "hovertext": LINK}],
            "shapes": [{"label": {"text": LINK}}], "sliders": [{"steps": [{"label": LINK}]}],
            "updatemenus": [{"buttons": [{"label": LINK}]}],
        },
    )  # fmt: skip
    escape_markup(figure.parts)
    written = list(texts(json.loads(figure.to_json())))
    assert sum("&lt;a href" in text for text in written) == str(figure.to_json()).count("&lt;a") > 25
    assert [text for text in written if "<a" in text] == []
    assert figure.data[0].hovertemplate.startswith("<b>%{x}</b><br>&lt;a")


def test_all_figures_are_drawn_in_one_place() -> None:
    calls = re.compile(r"\b(plotly_chart|vega_lite_chart|altair_chart|(line|bar|area|scatter)_chart)\(")
    files = (*(ROOT / "pages").rglob("*.py"), ROOT / "app.py")
    assert [path.name for path in files if calls.search(path.read_text("utf-8"))] == ["figure.py"]
