"""The direction: scores that surely rank the wrong way round are offered to be turned, and turned back."""

import html

import numpy as np
import pandas as pd
import pytest

from evalcore.classification import ScoredLabels, roc_auc
from evalcore.readers import DataSet, roles_of
from evalcore.wording.numbers import number_text
from tests.pages.classify.threshold.panels import panels
from tests.pages.uploads import saved
from tests.words import sentence_with

WRONG = "rank the wrong way round"


def of(labels, scores, **roles) -> str:
    frame = pd.DataFrame({"actual": np.where(labels, "ill", "well"), "score": scores})
    return saved(DataSet.of(frame, "x.csv", roles=roles_of(actual="actual", score=("score",), positive="ill", **roles)))


def wrong(seed: int = 0, n: int = 300, by: float = -1.0):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < 0.4
    return labels, rng.normal(size=n) + by * labels


def words(test) -> str:
    return html.unescape(" ".join(e.value for e in (*test.main.markdown, *test.main.caption)))


def keys(test) -> set[str]:
    return {button.key for button in test.button}


def test_scores_the_wrong_way_round_can_be_turned_and_turned_back(monkeypatch) -> None:
    labels, scores = wrong()
    auc = roc_auc(ScoredLabels.from_arrays(labels, scores))
    test = panels(monkeypatch, data=of(labels, scores), t="0.3")
    assert f"{WRONG}:** AUC {number_text(auc)}" in words(test)
    assert f"Reversed, it would be {number_text(1 - auc)}" in words(test)
    assert "(pages/start/data.py)" in words(test)

    test.button(key="turn").click().run()
    assert "higher_is_positive~False" in "".join(test.query_params["roles"])
    assert "t" not in test.query_params
    assert WRONG not in words(test)
    assert sentence_with(words(test), f"{number_text(1 - auc)}", "treated")

    test.button(key="turn back").click().run()
    assert "roles" not in test.query_params
    assert WRONG in words(test)


def test_a_turn_that_was_wrong_is_offered_back(monkeypatch) -> None:
    labels, scores = wrong(by=1.0)
    test = panels(monkeypatch, data=of(labels, scores, higher_is_positive=False))
    assert WRONG in words(test)
    test.button(key="turn").click().run()
    assert WRONG not in words(test)
    test.button(key="turn back").click().run()
    assert WRONG in words(test)


@pytest.mark.parametrize(
    ("labels", "scores"),
    [
        wrong(by=1.0),  # they rank the right way round
        wrong(n=20, by=-0.2),  # below a half by chance
        ([1, 1, 0, 0], [1, 2, 3, 4]),  # too few rows
        ([1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([1] * 10, list(range(10))),  # one class
        ([1, 0] * 20, [1.0] * 40),  # all equal
    ],
)
def test_nothing_is_said_where_it_may_be_chance(monkeypatch, labels, scores) -> None:
    test = panels(monkeypatch, data=of(np.array(labels, bool), scores))
    assert WRONG not in words(test)
    assert "turn" not in keys(test)


def test_the_probability_of_a_class_has_one_direction(monkeypatch) -> None:
    labels, scores = wrong()
    share = 1 / (1 + np.exp(-scores))
    frame = pd.DataFrame({"actual": np.where(labels, "ill", "well"), "p_ill": share, "p_well": 1 - share})
    test = panels(monkeypatch, data=saved(DataSet.of(frame, "x.csv")), system="p_ill")
    assert WRONG in words(test)
    assert "turn" not in keys(test)


def test_a_class_with_a_name_that_does_something_is_only_named(monkeypatch) -> None:
    labels, scores = wrong()
    frame = pd.DataFrame({"actual": np.where(labels, ":red[x]", "$y$"), "score": scores})
    roles = roles_of(actual="actual", score=("score",), positive=":red[x]")
    test = panels(monkeypatch, data=saved(DataSet.of(frame, "x.csv", roles=roles)))
    assert ":red[x]" not in test.button(key="turn").label
    assert "red" in test.button(key="turn").label
