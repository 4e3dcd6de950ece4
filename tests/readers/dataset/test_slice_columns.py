"""The slices of columns: each filter keeps just the rows of its slice, and what only names rows has none."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, Shape, SliceColumn, roles_of, slice_columns
from tests.pages.nasty_names import NASTY

ROWS = 2_000
RANDOM = np.random.default_rng(4)
HOLES = RANDOM.random(ROWS) < 0.1
VALUES = {
    "age": RANDOM.integers(18, 95, ROWS),
    "whole with holes": np.where(HOLES, np.nan, RANDOM.integers(0, 1000, ROWS)),
    "few": RANDOM.integers(0, 4, ROWS),
    "two": RANDOM.integers(0, 2, ROWS),
    "few with holes": np.where(HOLES, np.nan, RANDOM.choice([0.5, 1.25, 3.0], ROWS)),
    "real": RANDOM.normal(0, 1, ROWS),
    "rounded": np.round(RANDOM.normal(0, 1, ROWS), 1),
    "tiny": RANDOM.lognormal(0, 3, ROWS) * 1e-12,
    "huge": RANDOM.normal(0, 1e300, ROWS),
    "mostly 0": np.where(RANDOM.random(ROWS) < 0.8, 0, RANDOM.exponential(5, ROWS)),
    "infinite": np.where(HOLES, np.inf, np.where(RANDOM.random(ROWS) < 0.1, -np.inf, RANDOM.normal(0, 1, ROWS))),
    "flag": RANDOM.random(ROWS) < 0.3,
    "day": np.datetime64("2025-11-20") + RANDOM.integers(0, 200, ROWS),
    "day with holes": np.where(HOLES, None, np.datetime64("2021-03-02") + RANDOM.integers(0, 1200, ROWS)),
    "years": np.datetime64("2004-03-02") + RANDOM.integers(0, 6000, ROWS),
    "time": np.datetime64("2025-11-20T00:00:00") + RANDOM.integers(0, 1 << 24, ROWS),
    "points": [f"{day}.{month}.2024" for day, month in RANDOM.integers(1, 13, (ROWS, 2))],
    "text": RANDOM.choice(["north", "south", "east"], ROWS),
    "text with holes": np.where(HOLES, None, RANDOM.choice(["a", "b", ""], ROWS)),
    "rare": np.where(RANDOM.random(ROWS) < 0.5, "usual", [f"t{k}" for k in range(ROWS)]),
    "hostile": RANDOM.choice([*NASTY, "a~b", "x,y", "-1"], ROWS),
}


def cut(values: object, name: str = "x") -> tuple[pd.DataFrame, tuple[SliceColumn, ...], tuple[str, ...]]:
    frame = pd.DataFrame({"actual": np.arange(ROWS) % 2, "score": np.arange(ROWS) / ROWS, name: values})
    frame = frame.astype({c: "str" for c in frame.columns if frame[c].dtype == object})
    data = DataSet.of(frame, roles=roles_of(actual="actual", score=("score",), positive=1))
    return data.frame, *slice_columns(data)


@pytest.mark.parametrize("name", VALUES)
def test_a_filter_keeps_the_rows_of_its_slice_and_so_does_its_link(name: str) -> None:
    frame, (column,), others = cut(VALUES[name], name)
    assert others == ()
    masks = []
    for members, step in zip(column.members, column.filters, strict=True):
        masks.append(members[column.codes])
        assert np.array_equal(masks[-1], step.mask(frame)), step
        assert Shape.from_text(step.to_text()).steps == (step,) or "nan" in repr(step)
    kept = [mask for mask in masks if mask.any()]
    assert len({mask.tobytes() for mask in kept}) == len(kept), "two slices hold the same rows"
    assert not any(mask.all() for mask in kept)


def test_slices_are_readable() -> None:
    conditions = [step.condition for step in cut(VALUES["age"], "age")[1][0].filters]
    assert {"age ≤ 26", "age ≥ 85"} <= set(conditions)
    assert all(len(condition) <= len("age 27–36") for condition in conditions)
    conditions = [step.condition for step in cut(VALUES["few"], "few")[1][0].filters]
    assert conditions == ["few 0", "few 1", "few 2", "few 3", "few ≤ 1", "few ≤ 2", "few ≥ 1", "few ≥ 2", "few 1–2"]
    assert cut(VALUES["text with holes"])[1][0].filters[-1].condition == "x missing"
    assert max(len(step.condition) for step in cut(VALUES["real"], "r")[1][0].filters) < 20


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", RANDOM.permutation(ROWS) + 7),
        ("row", np.arange(ROWS)),
        ("comment", [f"text {k}" for k in range(ROWS)]),
        ("same", np.full(ROWS, 3.5)),
        ("same text", np.full(ROWS, "a")),
        ("empty", np.full(ROWS, np.nan)),
    ],
)
def test_what_names_rows_or_never_varies_has_no_slices(name: str, values: np.ndarray) -> None:
    assert cut(values, name)[1:] == ((), (name,))


def test_columns_with_a_part_are_left_alone_but_for_the_group() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.random(200) for name in ("score a", "score b", "w", "x")})
    frame = frame.assign(actual=np.arange(200) % 2, site=["a", "b"] * 100)
    roles = roles_of(actual="actual", score=("score a", "score b"), weight="w", group="site", positive=1)
    columns, others = slice_columns(DataSet.of(frame, roles=roles))
    assert ([column.name for column in columns], others) == (["x", "site"], ())


def test_rare_texts_are_in_no_slice() -> None:
    _, (column,), _ = cut(np.where(np.arange(ROWS) < 1950, np.where(HOLES, "a", "b"), "c"))
    assert [step.condition for step in column.filters] == ["x b", "x a", "x c"]
    _, (column,), _ = cut(np.where(np.arange(ROWS) < 1970, np.where(HOLES, "a", "b"), "c"))
    assert [step.condition for step in column.filters] == ["x b", "x a"]


def test_a_filter_of_missing_cells_that_has_no_row_is_refused() -> None:
    data = DataSet.of(pd.DataFrame({"actual": [1, 0], "score": [0.5, 0.2], "x": [1, 2]}))
    with pytest.raises(ReadProblem, match="x missing"):
        data.shaped("missing~x")


def test_dates_are_cut_into_months_quarters_or_years() -> None:
    def conditions(name: str) -> list[str]:
        return [step.condition for step in cut(VALUES[name], "day")[1][0].filters]

    months = conditions("day")
    assert months[:3] == ["day 2025-11", "day 2025-12", "day 2026-01"]
    assert {"day until 2026-03-31", "day from 2026-03-01"} <= {*months}
    assert not any(condition.startswith("day 2026-03-") for condition in months)
    assert {"day 2021 Q1", "day 2023 Q4", "day missing", "day until 2022-12-31", "day from 2023-04-01"} <= {
        *conditions("day with holes")
    }
    assert {"day 2005", "day from 2010-01-01"} <= {*conditions("years")}
    few = VALUES["day"].astype("datetime64[W]").astype("datetime64[D]")
    assert [step.condition for step in cut(few[:ROWS], "day")[1][0].filters][:1] == ["day 2025-11"]
    one = np.datetime64("2026-03-01") + np.arange(ROWS) % 7
    assert len(cut(one.astype(str), "day")[1][0].filters) == 7, "days of one month are slices by themselves"
