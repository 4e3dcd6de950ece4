"""Slices on a page: the link chooses the measure, a click writes the filter into it, names from a file stay names."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.readers import DataSet, roles_of
from tests.pages.nasty_names import NASTY
from tests.pages.uploads import saved
from tests.words import sentence_with


def _page() -> None:
    from evalcore.analyses import ClassTable
    from pages.widgets.classify.classes.measures import show_slices
    from pages.widgets.session import address
    from pages.widgets.session.loaded import open_scores, threshold_of

    address.restore()
    scores = open_scores()
    show_slices(ClassTable.of_scores(scores, threshold_of(scores)), scores.positive, 0.95)


def page(**parameters: str) -> AppTest:
    test = AppTest.from_function(_page, default_timeout=60)
    test.query_params.update(parameters)
    test.run()
    assert not test.exception
    return test


def words(test: AppTest) -> str:
    return " ".join(element.value for element in (*test.markdown, *test.caption))


def table(name: str = "site", value: str = "west") -> str:
    """Scores that are missed more often at one site, as a stored data set."""
    random = np.random.default_rng(0)
    site, ill = random.choice([value, "north", "east"], 3000), random.random(3000) < 0.5
    missed = ill & (random.random(3000) < np.where(site == value, 0.5, 0.1))
    frame = pd.DataFrame(
        {"actual": np.where(ill, "ill", "well"), "score": np.where(ill & ~missed, 0.9, 0.1), name: site}
    )
    roles = roles_of(actual="actual", score=("score",), positive="ill")
    return saved(DataSet.of(frame.astype({"actual": "str", name: "str"}), "x.csv", roles=roles))


def test_the_link_chooses_the_measure_and_the_rows_become_the_filter() -> None:
    data = table()
    assert sentence_with(words(page(data=data)), "1", "higher")
    test = page(data=data, slices_by="Recall", t="0.4")
    assert sentence_with(words(test), "1", "recall")
    test.button(key="keep slice 0").click().run()
    assert sentence_with(words(test), "site west", "rows")
    test.button(key="filter-rows").click().run()
    assert not test.exception
    assert (test.query_params["shape"], test.query_params["t"]) == ("only~site~west", "0.4")
    assert "selected" not in test.query_params


def test_a_link_opens_the_same_slice_at_a_threshold_that_lists_none() -> None:
    data = table()
    test = page(data=data, t="0.4")
    test.button(key="keep slice 0").click().run()
    linked = page(data=data, t="0.95", selected=test.query_params["selected"])
    assert not [button for button in linked.button if button.key == "keep slice 0"]
    assert sentence_with(words(linked), "site west", "rows")
    assert "filter-rows" not in {button.key for button in page(data=data, t="0.4", selected="slice~0").button}


@pytest.mark.parametrize("by", ["nonsense", "", "recall"])
def test_an_address_that_means_nothing_is_no_harm(by: str) -> None:
    assert sentence_with(words(page(data=table(), slices_by=by)), "error rate")


@pytest.mark.parametrize("name", [name for name in NASTY if name.strip()][::4])
def test_names_of_a_file_stay_names(name: str) -> None:
    test = page(data=table(f"c {name}", name))
    assert len(test.button) == 1
    assert not any(mark in words(test) for mark in ("<script", "](http", "http://", "$x^2$"))
    test.button(key="keep slice 0").click().run()
    test.button(key="filter-rows").click().run()
    assert not test.exception
    assert "shape" in test.query_params
