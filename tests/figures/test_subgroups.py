"""The picture of groups: one line each, from the top, with what differs filled and what rests on few rows in grey."""

from types import SimpleNamespace

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.figures.forest import groups_figure
from evalcore.figures.theme import LIGHT
from evalcore.inference import Interval

NAN = float("nan")


def drawn(**changes):
    given = {
        "names": ["a", "<b>x</b>", "c"],
        "interval": Interval(np.array([0.5, 0.8, NAN]), np.array([0.3, NAN, NAN]), np.array([0.6, NAN, NAN])),
        "whole": 0.55,
        "rows": np.array([40.0, 3, 0]),
    } | changes
    groups = SimpleNamespace(
        names=given["names"], shown=3, rate=lambda *_: (given["interval"], given["rows"]),
        of_all=lambda _: (given["whole"],), differs=lambda _: np.array([True, False, False]),
    )  # fmt: skip
    return groups_figure(groups, METRICS["recall"], LIGHT)


def test_each_group_has_its_dot_and_its_reach() -> None:
    grey, sure = drawn().data
    assert (list(sure.x), list(sure.y)) == ([0.5], [0])
    assert sure.error_x.array[0] == pytest.approx(0.1)
    assert sure.error_x.arrayminus[0] == pytest.approx(0.2)
    assert (list(grey.x), list(grey.y)) == ([0.8], [1])
    assert list(grey.error_x.array) == [0]


def test_filled_is_beyond_chance_and_hollow_may_be_chance() -> None:
    figure = drawn(rows=np.array([40.0, 30, 10]))
    sure = figure.data[1]
    assert list(sure.marker.color) == [LIGHT.accent, LIGHT.paper]


def test_an_undefined_rate_is_said_and_the_names_are_text() -> None:
    figure = drawn()
    assert [a.text for a in figure.layout.annotations if a.y == 2] == ["undefined"]
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;x&lt;/b&gt;"
    assert "&lt;b&gt;" in figure.data[0].text[0]


def test_nothing_defined_still_draws() -> None:
    none = np.full(3, NAN)
    figure = drawn(interval=Interval(none, none, none), whole=NAN)
    assert len([a for a in figure.layout.annotations if a.text == "undefined"]) == 3
    assert list(figure.layout.xaxis.range) == [-0.02, 1.02]
