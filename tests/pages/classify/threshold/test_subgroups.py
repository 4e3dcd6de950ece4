"""The groups on the page: tables and a picture show the chosen rate; without groups the page says what to do."""

import html
import re
from urllib.parse import unquote_plus

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, roles_of
from tests.pages.classify.threshold.panels import panels
from tests.pages.uploads import saved
from tests.words import sentence_with

SAMPLE = "breast_cancer"


def words(test) -> str:
    return html.unescape(" ".join(e.value for e in (*test.main.markdown, *test.main.caption))).replace("\u2060", "")


def test_a_picture_shows_the_rate_that_is_chosen(monkeypatch) -> None:
    test = panels(monkeypatch, data=SAMPLE, t="0.5", group_rate="Area under the ROC curve", equal="recall")
    chart = test.get("plotly_chart")[0].proto
    assert sentence_with(chart.alt, "of each group")
    assert "small 0.946" in chart.alt
    assert sentence_with(words(test), "recall of every group")
    assert sentence_with(words(test), "false positive rate")
    assert sentence_with(words(test), "95%", "independent")
    # The difference to the rest, all rates, and the equal one.
    assert len([e for e in test.get("html") if 'class="groups"' in e.proto.body]) == 3


def test_every_group_has_its_difference_to_the_pin(monkeypatch) -> None:
    bodies = [
        next(part.proto.body for part in panels(monkeypatch, data=SAMPLE, t="0.5", **pins).get("html")
        if "All rows" in part.proto.body)
        for pins in ({}, {"pins": "0.3~logistic_regression~~"}, {"pins": "0.3~nearest_neighbours~~"})
    ]  # fmt: skip
    changed = [len(re.findall(r'class="names">[+−][0-9.]+<', body)) for body in bodies]
    assert changed[0] == 0
    # Recall, false positive rate and others of all rows and of three groups, but no area.
    assert min(changed[1:]) > 8
    apart = panels(monkeypatch, data=SAMPLE, t="0.5", pins="0.3~logistic_regression~~").get("html")
    tested = next(part.proto.body for part in apart if "of the rest" in part.proto.body)
    assert len(re.findall(r'class="names">[+−][0-9.]+', tested)) == 6


def test_a_link_names_a_group_by_column_and_value_and_an_old_one_by_its_place(monkeypatch) -> None:
    sites = ["1"] * 30 + ["a~b"] * 20 + ["0"] * 10
    frame = pd.DataFrame({"actual": [1, 0] * 30, "score": np.arange(60.0), "site": sites}).astype({"site": "str"})
    roles = roles_of(actual="actual", score=("score",), group="site", positive=1)
    data = saved(DataSet.of(frame, "sites.csv", roles=roles))
    bodies = [part.proto.body for part in panels(monkeypatch, data=data).get("html")]
    links = list(map(unquote_plus, re.findall(r"[?&;]selected=([^\"&]*)", " ".join(bodies))))
    assert links == ["group~site~1", "group~site~a*-b", "group~site~0"]
    for link, head in zip((*links, "group~0"), ("1", "a~b", "0", "1"), strict=True):
        assert f"**{head}:** {sites.count(head)} rows" in words(panels(monkeypatch, data=data, selected=link))
    assert "**0:**" not in words(panels(monkeypatch, data=data, selected="group~age~0"))


@pytest.mark.parametrize("data", ["roc_20", "glucose_10"])
def test_without_groups_it_says_what_it_needs(monkeypatch, data: str) -> None:
    said = words(panels(monkeypatch, data=data))
    assert sentence_with(said, "age band")
    assert "(pages/start/data.py)" in said


def test_one_group_and_an_identifier_are_no_groups(monkeypatch) -> None:
    for groups, said in ((["only"] * 10_500, "nothing to compare"), (np.arange(10_500), "looks like an identifier")):
        frame = pd.DataFrame({"actual": [1, 0] * 5250, "score": np.arange(10_500.0), "id": groups})
        data = saved(
            DataSet.of(frame, "ids.csv", roles=roles_of(actual="actual", score=("score",), group="id", positive=1))
        )
        assert said in words(panels(monkeypatch, data=data))


@pytest.mark.parametrize("bad", [{"equal": "nonsense"}, {"equal_at": "x"}, {"equal": "recall", "equal_at": "900"}])
def test_an_address_that_means_nothing_is_no_harm(monkeypatch, bad) -> None:
    assert sentence_with(words(panels(monkeypatch, data=SAMPLE, group_rate="?", **bad)), "equal rates")
