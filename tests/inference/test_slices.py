"""Slices that are worse: every number is that of plain loops, planted slices are found, and chance is not."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import beta, fisher_exact

from evalcore.inference import LEAST_SLICE, SliceSearch, independent, worse_slices
from evalcore.inference.independent import fisher_greater

EACH = np.eye(4, dtype=bool)


def table(seed: int, rows: int = 3000, columns: int = 5) -> tuple[np.random.Generator, list[np.ndarray]]:
    random = np.random.default_rng(seed)
    return random, [random.integers(0, 4, rows) for _ in range(columns)]


def search(codes: list[np.ndarray], bad: np.ndarray, **more) -> SliceSearch:
    counted = more.pop("counted", np.full(bad.size, True))
    return worse_slices(codes, [EACH] * len(codes), bad, counted, **more)


def test_every_number_is_that_of_the_rows_of_the_held_out_half() -> None:
    random, codes = table(2)
    worse = (codes[0] == 1) & (codes[3] == 2)
    bad = random.random(3000) < np.where(worse, 0.5, np.where(codes[4] == 3, 0.25, 0.1))
    counted = random.random(3000) < 0.9
    result = search(codes, bad, counted=counted, seed=5)
    assert {one.parts for one in result.slices} == {((0, 1), (3, 2)), ((4, 3),)}
    held = (np.random.default_rng(5).random(3000) >= 0.5) & counted
    for one in result.slices:
        inside = [all(codes[c][row] == value for c, value in one.parts) for row in range(3000)]
        total = sum(inside[row] and counted[row] for row in range(3000))
        rows = [row for row in range(3000) if held[row] and inside[row]]
        others = [row for row in range(3000) if held[row] and not inside[row]]
        hits, rest = sum(bad[row] for row in rows), sum(bad[row] for row in others)
        assert (one.total, one.rows, one.bad) == (total, len(rows), hits)
        assert one.rest == pytest.approx(rest / len(others))
        against = [others]
        if len(one.parts) > 1:
            against += [[row for row in others if codes[c][row] == value] for c, value in one.parts]
        p = max(
            fisher_exact([[hits, len(rows) - hits], [sum(bad[b]), len(b) - sum(bad[b])]], alternative="greater")[1]
            for b in against
        )
        assert p <= one.p_value * (1 + 1e-9)
        assert one.p_value <= result.tested * p * (1 + 1e-9) or one.p_value <= 0.05
        # Between the rate of the held-out half and that of all its rows, as a beta law around it has it.
        assert bad[held].mean() < one.rate.estimate <= hits / len(rows)
        assert one.rate.low < one.rate.estimate < one.rate.high


def test_the_number_of_slices_is_that_of_a_loop() -> None:
    random, codes = table(3, rows=400, columns=3)
    bad = random.random(400) < 0.2
    first = np.random.default_rng(0).random(400) < 0.5
    count = 0
    for columns in [*combinations(range(3), 1), *combinations(range(3), 2)]:
        for values in np.ndindex(*[4] * len(columns)):
            inside = np.logical_and.reduce([codes[c] == value for c, value in zip(columns, values, strict=True)])
            count += LEAST_SLICE <= np.count_nonzero(inside & first) <= 0.75 * np.count_nonzero(first)
    assert search(codes, bad).searched == count


def test_the_rate_is_that_of_a_beta_law() -> None:
    random = np.random.default_rng(8)
    code = random.integers(0, 4, 2000)
    bad = random.random(2000) < np.where(code == 1, 0.4, 0.1)
    one = search([code], bad).slices[0]
    held = np.random.default_rng(0).random(2000) >= 0.5
    share, rate = bad[held].mean(), one.bad / one.rows
    spread = (rate - share) ** 2 - rate * (1 - rate) / one.rows  # one slice was tested
    prior = share * (1 - share) / spread - 1
    law = beta(one.bad + prior * share, one.rows - one.bad + prior * (1 - share))
    assert (one.rate.estimate, one.rate.low, one.rate.high) == pytest.approx((law.mean(), *law.ppf([0.025, 0.975])))


def test_random_columns_hardly_ever_show_a_slice() -> None:
    shown = 0
    for seed in range(60):
        random, codes = table(seed, rows=800, columns=6)
        shown += bool(search(codes, random.random(800) < 0.2, seed=seed).slices)
    assert shown <= 3


def test_a_slice_of_two_columns_takes_the_place_of_those_of_one() -> None:
    random, codes = table(4, rows=8000)
    bad = random.random(8000) < np.where((codes[1] == 0) & (codes[2] == 3), 0.5, 0.1)
    assert [one.parts for one in search(codes, bad).slices] == [((1, 0), (2, 3))]
    bad = random.random(8000) < np.where(codes[1] == 0, 0.3, 0.1)
    assert [one.parts for one in search(codes, bad).slices] == [((1, 0),)]


def test_of_slices_with_the_same_rows_one_is_listed() -> None:
    random, codes = table(10, rows=8000)
    codes[4] = np.where(random.random(8000) < 0.85, codes[2], codes[4])
    bad = random.random(8000) < np.where((codes[1] == 0) & (codes[2] == 3), 0.5, 0.1)
    assert [one.parts for one in search(codes, bad).slices] == [((1, 0), (2, 3))]
    bad = random.random(8000) < np.where(codes[2] == 3, 0.3, 0.1)
    assert [one.parts for one in search(codes, bad).slices] == [((2, 3),)]


def test_a_worse_part_of_a_slice_is_listed_beside_it() -> None:
    random, codes = table(11, rows=8000)
    inside = codes[1] == 0
    bad = random.random(8000) < np.where(inside & (codes[2] == 3), 0.6, np.where(inside, 0.3, 0.1))
    assert {one.parts for one in search(codes, bad).slices} == {((1, 0),), ((1, 0), (2, 3))}


def test_columns_in_another_order_give_the_same_slices() -> None:
    random, codes = table(6)
    bad = random.random(3000) < np.where(codes[0] == 1, 0.3, np.where(codes[2] == 2, 0.25, 0.1))
    one, two = search(codes, bad), search(codes[::-1], bad)
    assert {tuple((4 - c, v) for c, v in reversed(each.parts)) for each in two.slices} == {s.parts for s in one.slices}
    assert len(one.slices) == 2


def test_equal_weights_change_nothing_and_counts_of_rows_are_divided() -> None:
    random, codes = table(7)
    bad = random.random(3000) < np.where(codes[0] == 1, 0.3, 0.1)
    plain = search(codes, bad).slices
    equal = search(codes, bad, weights=np.full(3000, 0.37), whole=False).slices
    assert [(one.parts, one.p_value, round(one.rows, 6)) for one in equal] == [
        (one.parts, one.p_value, one.rows) for one in plain
    ]
    # One line per combination, counted: neither half holds all rows of a combination.
    combinations_of, counts = np.unique(np.column_stack([*codes[:2], bad]), axis=0, return_counts=True)
    few = search([*combinations_of.T[:2]], combinations_of.T[2] == 1, weights=counts.astype(float)).slices
    assert [one.parts for one in few] == [((0, 1),)]
    assert few[0].total == np.count_nonzero(codes[0] == 1)


def test_uneven_weights_are_worth_fewer_rows() -> None:
    random, codes = table(9)
    bad = random.random(3000) < np.where(codes[0] == 1, 0.4, 0.1)
    weights = random.lognormal(0, 1, 3000)
    one = search(codes, bad, weights=weights, whole=False).slices[0]
    held = np.random.default_rng(0).random(3000) >= 0.5
    own = weights[held & (codes[0] == 1)]
    assert one.rows == pytest.approx(own.sum() ** 2 / np.square(own).sum())


@pytest.mark.parametrize("share", [0, 1])
def test_where_no_row_or_every_row_is_bad_there_is_no_slice(share: int) -> None:
    _, codes = table(1)
    assert search(codes, np.full(3000, bool(share))).slices == ()


def test_without_columns_there_is_none_and_a_level_is_no_percentage() -> None:
    bad = np.arange(100) % 3 == 0
    assert worse_slices([], [], bad, np.full(100, True)).slices == ()
    with pytest.raises(ValueError, match="level"):
        search([bad.astype(int)], bad, level=95)


@pytest.mark.parametrize("cells", [(3, 10, 40, 500), (0, 5, 3, 9), (20, 0, 1, 30), (5, 5, 0, 0)])
def test_the_one_sided_test_is_fishers(cells: tuple[int, ...]) -> None:
    x, other_x, y, other_y = cells
    expected = fisher_exact([[x, other_x], [y, other_y]], alternative="greater")[1]
    assert fisher_greater(*cells) == pytest.approx(expected)


def test_of_very_many_rows_the_normal_law_is_near_fishers_test(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (5300, 44_700, 9900, 90_100)
    exact = fisher_greater(*cells)
    monkeypatch.setattr(independent, "_MOST_TABLES", 1000)
    assert fisher_greater(*cells) == pytest.approx(exact, rel=0.1)
    assert fisher_greater(10**14, 10**15, 10**14, 10**16) == 0


@pytest.mark.parametrize("size", [1e-200, 1e6, 1e300])
@pytest.mark.parametrize("whole", [True, False])
def test_weights_of_any_size_are_no_harm(size: float, whole: bool) -> None:
    random, codes = table(12)
    bad = random.random(3000) < np.where(codes[0] == 1, 0.4, 0.1)
    slices = search(codes[:1], bad, weights=np.full(3000, size), whole=whole).slices
    assert [one.parts for one in slices] == ([] if whole and size < 1 else [((0, 1),)])
