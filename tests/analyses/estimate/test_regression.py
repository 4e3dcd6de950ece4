"""What the page of regression says: verdicts, undefined numbers, brushes, systems, intervals, decisions, and code."""

import math

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import (
    AgreementLimits,
    Brush,
    Cloud,
    ErrorDistribution,
    ErrorGroups,
    ErrorSettings,
    EstimateComparison,
    EstimateRows,
    IntervalCoverage,
    Regression,
    RowsOfErrors,
    Source,
    Tolerance,
    brush_of_selection,
    classes_of,
    cloud_of,
    column_key,
    numbers_of,
    regression_formulas,
)
from evalcore.readers import DataSet, EndColumns, ReadProblem, read_sample, roles_of
from tests.pages.nasty_names import NASTY
from tests.words import facts, sentence_with

DIABETES = EstimateRows.of(Source.of(read_sample("diabetes"), sample="diabetes"))
RANDOM = np.random.default_rng(8)


def opened(frame: pd.DataFrame, **beside: str) -> EstimateRows:
    estimates = tuple(name for name in frame.columns if name not in ("y", *beside.values()))
    return EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=estimates, **beside))))


def measured(truth: list[float], estimate: list[float], **settings: float) -> Regression:
    return Regression(opened(pd.DataFrame({"y": truth, "p": estimate})), ErrorSettings(**settings))


def cells(regression: Regression) -> str:
    rows = [cell if isinstance(cell, str) else cell.text for row in regression.rows() for cell in row.cells]
    return " | ".join(rows)


@pytest.mark.parametrize(
    ("truth", "estimate", "words"),
    [
        ([1.5, 2.5, 4], [1.5, 2.5, 4], "Every estimate"),
        ([1.5, 2.5, 4], [9, 9.5, 9], "Worse than"),
        ([2.5, 2.5, 2.5], [1.5, 2, 3.5], "true numbers are 2.50"),
        ([2.5], [3.75], "Off by 1.250"),
        ([1, 2, 3, 4.5] * 9, [1.5, 2.6, 3.4, 5] * 9, "mean error +0.500"),
    ],
)
def test_the_verdict_starts_with_the_answer(truth: list[float], estimate: list[float], words: str) -> None:
    assert words in measured(truth, estimate).verdict


def test_undefined_measures_say_why_and_how_many_rows_do_it() -> None:
    regression = measured([0, 0, -1.5, 2], [0, 1, 1.25, 2.5])
    assert facts(regression.remarks) == "2 0 1 0 1"
    assert "undefined | a true number is 0" in cells(regression)
    assert any("Undefined, because" in words for _, _, words in regression_formulas(regression))


def test_settings_reach_measures_formulas_and_code() -> None:
    regression = measured([1, 2, 4, 8.5], [1.5, 2.5, 3, 7], tau=0.9, power=1.0, predictors=2, level=0.8)
    assert "pinball 0.9" in regression.table["symbol"]
    assert "80\u202f% interval" in regression.heads
    assert "ErrorSettings(level=0.8, tau=0.9, power=1.0, predictors=2)" in regression.code
    assert "without" not in regression.estimates.notes
    assert "Root mean squared error" in cells(regression)
    assert [row.kind for row in regression.rows("rmse")] == ["group", ""]


def test_the_two_forms_of_the_root_mean_square_are_told_apart() -> None:
    words = next(words for title, _, words in regression_formulas(measured([1, 2.5], [2, 2])) if "RMSE" in title)
    assert "√(2E/N)" in words
    assert "half the sum" in words
    assert "1.41 times too large" in words


def test_what_a_page_exports_finds_the_same_numbers() -> None:
    settings = ErrorSettings()
    source = DIABETES.source
    parts = [
        Regression(DIABETES, settings),
        AgreementLimits(DIABETES, 0.9),
        EstimateComparison(source, *source.systems, "r_squared", "none", ErrorSettings(order="", horizon=2)),
        Regression(DIABETES, ErrorSettings(order="nearest_neighbours", horizon=3)),
        IntervalCoverage(DIABETES, IntervalCoverage.found(DIABETES)[0], 0.95),
        Tolerance(DIABETES, 0.2, relative=True),
    ]
    for part in parts:
        exec(compile(part.code, type(part).__name__, "exec"), {})  # noqa: S102
        lengths = {len(column) for column in part.table.values()}
        assert len(lengths) == 1


def test_a_brush_chooses_the_rows_whatever_is_drawn() -> None:
    many = 6_000
    truth = RANDOM.normal(10, 2, many)
    rows = opened(pd.DataFrame({"y": truth, "p": truth + RANDOM.normal(0, 1, many)}))
    cloud = cloud_of(rows, "truth")
    assert isinstance(cloud, Cloud)
    assert cloud.is_density
    assert cloud.density.sum() == many
    brush = brush_of_selection(cloud, [], [{"x": [12, 10], "y": [9, 11]}])
    inside = (rows.state.estimate >= 10) & (rows.state.estimate <= 12) & (truth >= 9) & (truth <= 11)
    assert RowsOfErrors.within(rows, cloud, brush).places.size == inside.sum()
    # A click on a bin takes the bin: over all filled bins every row is found.
    x, y = (np.mean([edges[1:], edges[:-1]], axis=0) for edges in cloud.edges)
    high, wide = np.unravel_index(cloud.density.argmax(), cloud.density.shape)
    clicked = brush_of_selection(cloud, [{"x": x[wide], "y": y[high]}], [])
    assert cloud.rows_in(clicked).size == cloud.density.max()
    assert Brush.read("1~2~3") is Brush.read("a~b~c~d~truth") is Brush.read(None) is Brush.read("nan~1~1~1~x") is None
    assert cloud_of(rows, "nothing") is cloud_of(rows, "column:nothing") is None


def test_a_column_of_words_and_one_with_gaps_can_lie_below_the_error() -> None:
    frame = pd.DataFrame(
        {"y": [1.5, 2, 3, 4], "p": [1, 2.5, 3, 5], "sex": ["f", "m", None, "f"], "age": [30, None, 50, 61]}
    )
    rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=("p",)))))
    words = cloud_of(rows, column_key("sex"))
    assert words.categories == ("f", "m", "(no group)")
    assert words.trend_line[1].tolist() == [0.25, 0.5, 0]
    frame = pd.DataFrame({"y": np.arange(40) + 0.5, "p": np.arange(40) * 1.1, "age": [None, *range(39)]})
    rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=("p",)))))
    ages = cloud_of(rows, column_key("age"))
    assert (len(ages.x), ages.rows_in(Brush(ages.key, (0, 0), (-9, 9))).tolist()) == (39, [1])


def test_groups_that_differ_and_small_ones_are_told() -> None:
    truth = RANDOM.normal(10, 2, 120)
    spread = np.repeat([0.2, 3.0], [100, 20])
    frame = pd.DataFrame(
        {"y": truth, "p": truth + RANDOM.normal(0, 1, 120) * spread, "site": ["a"] * 100 + ["<b>"] * 20}
    )
    groups = ErrorGroups(opened(frame, group="site"), 0.95)
    assert sentence_with(groups.verdict, "error differs")
    assert "<b>" not in groups.verdict
    assert groups.table["rows"] == [100, 20]


def test_two_systems_are_compared_on_the_rows_that_both_have() -> None:
    truth = RANDOM.normal(10, 2, 80)
    frame = pd.DataFrame({"y": truth, "a": truth + RANDOM.normal(0, 2, 80), "b": truth + RANDOM.normal(0, 0.5, 80)})
    frame.loc[:4, "b"] = None
    source = opened(frame).source
    comparison = EstimateComparison(source, "a", "b")
    assert comparison.verdict.startswith("**b is better by mean absolute error")
    assert "75 rows with estimates of both; 5 left out" in comparison.note
    back = EstimateComparison(source, "b", "a", settings=ErrorSettings(order=""))
    assert back.verdict.startswith("**b is better by mean absolute error")
    assert "**In the order of time** (Diebold–Mariano, 1 step ahead)" in back.order_verdict
    naive = np.abs(np.diff(truth[5:])).mean()
    expected = [np.abs(frame[name][5:] - truth[5:]).mean() / naive for name in "ba"]
    assert back.scaled_errors == pytest.approx(expected, rel=1e-12)
    assert sentence_with(back.order_verdict, "1", "repeating")
    assert "The test" not in back.order_verdict
    frame["a"] = frame["b"] = truth + 1
    assert sentence_with(EstimateComparison(opened(frame).source, "a", "b").verdict, "equally far off")
    with pytest.raises(ReadProblem, match='no column "when"'):
        EstimateComparison(source, "a", "b", settings=ErrorSettings(order="when")).in_order  # noqa: B018


@pytest.mark.parametrize(("half", "words"), [(0.5, "Too narrow"), (1.645, "Coverage as claimed"), (4.0, "Too wide")])
def test_intervals_that_are_too_narrow_or_too_wide(half: float, words: str) -> None:
    z = RANDOM.normal(size=400)
    frame = pd.DataFrame(
        {"y": z + 5.5, "p": np.full(400, 5.5) + z / 9, "lo": 5.5 - half + z * 0, "hi": 5.5 + half + z * 0}
    )
    rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=("p",)))))
    coverage = IntervalCoverage(rows, IntervalCoverage.found(rows)[0], 0.95)
    assert words in coverage.verdict
    assert sum(coverage.by_width["rows"]) == 400
    frame.loc[0, ["lo", "hi"]] = [9, 1]
    rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=("p",)))))
    assert sentence_with(IntervalCoverage(rows, EndColumns("lo", "hi"), 0.95).note, "1", "above")


def test_a_tolerance_counts_and_a_limit_opens_a_classification() -> None:
    rows = opened(pd.DataFrame({"y": [0.0, 1, 2, 4], "p": [0.1, 1.1, 1.5, 4]}))
    assert Tolerance(rows, 0.1).share.estimate == 0.75  # 1.1 − 1 is above 0.1 by rounding alone
    relative = Tolerance(rows, 0.25, relative=True)
    assert relative.share.estimate == 0.75
    assert math.isinf(relative.distances[0])
    assert classes_of(rows, 9.0) is None
    link = classes_of(rows, 2.0)
    opened_again = rows.source.dataset.unshaped.shaped(link["shape"]).with_roles(link["roles"])
    assert (opened_again.kind, opened_again.scored("p").positives, link["t"]) == ("scores", 2.0, "2.0")


def test_heavy_tails_and_skewed_errors_are_named() -> None:
    z = RANDOM.normal(size=500)
    z[:3] = 14
    rows = opened(pd.DataFrame({"y": np.arange(500) + 0.5, "p": np.arange(500) + 0.5 + z}))
    assert sentence_with(ErrorDistribution(rows).verdict, "heavy-tailed")


def test_hostile_names_are_escaped_in_every_sentence() -> None:
    truth = RANDOM.normal(10, 2, 30)
    for name in NASTY[:6]:
        frame = pd.DataFrame({"y": truth, name: truth + 1.5, "other": truth + 0.2})
        source = opened(frame).source
        words = EstimateComparison(source, name, "other").verdict + Regression(opened(frame), ErrorSettings()).verdict
        assert "<" not in words.replace("< 0.001", "")


def test_rows_in_time_order_have_a_mase_and_series_of_their_own() -> None:
    truth = np.array([1.0, 5, 2, 9, 4, 7])
    when = [3, 1, 2, 6, 5, 4]
    frame = pd.DataFrame({"y": truth, "a": truth + 1, "b": truth - 2, "w": 0.5, "id": list("uuvvww"), "when": when})
    roles = roles_of(truth="y", estimate=("a", "b"), weight="w", cluster="id")
    rows = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles)))
    key = "mean_absolute_scaled_error"
    alone = EstimateRows.of(Source.of(DataSet.of(frame).with_roles(roles_of(truth="y", estimate=("a", "b")))))
    naive = np.abs(np.diff(truth[np.argsort(when)])).mean()
    assert Regression(alone, ErrorSettings(order="when")).intervals[key].estimate == pytest.approx(1 / naive)
    assert key not in Regression(alone, ErrorSettings()).intervals
    comparison = EstimateComparison(rows.source, "a", "b", settings=ErrorSettings(order="", horizon=2))
    assert sentence_with(comparison.order_verdict, "their weight")
    # Two steps back there is no row of the same id: MASE is undefined, and no covariance is counted.
    assert np.isnan(comparison.scaled_errors).all()
    once = EstimateComparison(rows.source, "a", "b", settings=ErrorSettings(order="")).in_order[0][1]
    assert comparison.in_order[0][1].estimate == once.estimate == 1


def test_tables_and_the_document_of_all_numbers_say_where_few_rows_decide() -> None:
    random = np.random.default_rng(2)
    truth = random.lognormal(size=200)
    rows = opened(pd.DataFrame({"y": truth, "p": truth * (1 + 0.3 * random.normal(size=200))}))
    words = "Few rows"
    lines = [row.cells for row in Regression(rows, ErrorSettings()).rows() if row.cells[1:]]
    asides = {name.text: bounds.aside for name, _, bounds, *_ in lines}
    assert words in asides["Root mean squared error"]
    assert not asides["Mean absolute percentage error"]
    assert [words in cell.aside for *_, cell in AgreementLimits(rows, 0.95).rows[1]] == [True, False, True]
    measures = numbers_of(rows.source)["systems"][0]["measures"]
    assert words in measures["root_mean_squared_error"]["note"]
    assert "note" not in measures["mean_absolute_percentage_error"]
