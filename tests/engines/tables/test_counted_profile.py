"""The profile of a table that was counted is that of the table itself, as far as counts tell."""

import numpy as np
import pandas as pd
import pytest

from evalcore.engines import summary_dataset
from evalcore.readers import DataSet, Roles, profile_of, roles_of
from evalcore.wording import number_text

ROWS = 3000
TOLD = ["column", "role", "distinct", "values", "distribution"]


@pytest.fixture
def frame() -> pd.DataFrame:
    random = np.random.default_rng(4)
    score = random.random(ROWS)
    words = {"actual": random.random(ROWS) < score, "predicted": score > 0.6}
    labels = {name: np.where(values, "ill", "well") for name, values in words.items()}
    sites = np.array(["north", "east", "south", "west"])[random.integers(0, 10, ROWS) // 3]
    return pd.DataFrame({**labels, "score": score.round(3), "fine": score, "site": sites})


@pytest.mark.parametrize(
    "roles",
    [
        roles_of(actual="actual", predicted=("predicted",), positive="ill", group="site"),
        roles_of(actual="actual", score=("score",), positive="ill", group="site"),
    ],
    ids=("labels", "scores"),
)
def test_counted_values_are_those_of_the_rows(frame: pd.DataFrame, roles: Roles) -> None:
    counted = profile_of(summary_dataset(frame, roles))
    assert list(counted) == TOLD
    rows = profile_of(DataSet.of(frame, roles=roles))[TOLD]
    assert counted.astype(object).to_dict("records") == rows.astype(object).to_dict("records")


def test_bins_are_not_told_as_values_and_reach_from_end_to_end(
    frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcore.engines.scores._FEW_SCORES", 0)
    data = summary_dataset(frame, roles_of(actual="actual", score=("fine",), positive="ill"))
    profile = profile_of(data).set_index("column")
    assert pd.isna(profile["distinct"]["fine"])
    low, _, high = profile["values"]["fine"].split(" … ")
    assert (low, high) == (number_text(frame["fine"].min()), number_text(frame["fine"].max()))
    assert sum(profile["distribution"]["fine"]) == ROWS
    assert "other end of fine" not in profile.index


@pytest.mark.parametrize(
    ("name", "first", "years", "values"),
    [
        ("year", 1200, range(20), "1200 … 1209 … 1219"), ("Geburtsjahr", 2500, range(20), "2500 … 2509 … 2519"),
        ("built", 1990, range(30), "1990 … 2004 … 2019"), ("built", 2005.0, range(20), "2005 … 2014 … 2024"),
        ("rows", 1200, range(20), "1\u202f200 … 1\u202f209 … 1\u202f219"),
        ("built", 1990, range(0, 300, 10), "1\u202f990 … 2\u202f130 … 2\u202f280"),
    ],
)  # fmt: skip
def test_years_are_written_as_years(name: str, first: float, years: range, values: str) -> None:
    frame = pd.DataFrame({"actual": ["a", "b"] * (len(years) // 2), name: [first + year for year in years]})
    data = DataSet.of(frame, roles=roles_of(actual="actual", score=(name,), positive="a"))
    assert profile_of(data).set_index("column")["values"][name] == values


@pytest.mark.parametrize(("texts", "values"), [("aab", "a: 2, b: 1"), ("aaabbcd", "a: 3, b: 2, c: 1, …")])
def test_values_that_are_not_listed_are_marked(texts: str, values: str) -> None:
    frame = pd.DataFrame({"actual": [*texts], "predicted": [*texts]})
    assert profile_of(DataSet.of(frame)).set_index("column")["values"]["actual"] == values
