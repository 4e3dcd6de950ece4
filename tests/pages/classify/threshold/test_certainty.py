"""How sure a threshold is, on the page: what is drawn, what is said, and what an address may hold."""

import base64
import csv
import html
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import best_threshold
from evalcore.classification import ConfusionCounts, cost_goal, recall, threshold_grid, youden_goal
from evalcore.inference import bootstrap_choice
from evalcore.readers.samples import read_sample
from pages.widgets.classify.threshold.certainty import _choices, bands_of, spread_of
from pages.widgets.classify.threshold.resamples import bands_at, certainty_of, span
from pages.widgets.session.loaded_scores import scores_of
from tests.pages.uploads import stored
from tests.published.rows import TWENTY

PAGE = Path(__file__).with_name("certainty_page.py")


def opened(**parameters: str) -> AppTest:
    test = AppTest.from_file(PAGE, default_timeout=30)
    test.query_params.update(parameters)
    test.run()
    assert not test.exception
    return test


def said(test: AppTest) -> str:
    texts = [*(m.value for m in test.markdown), *(c.value for c in test.caption)]
    return html.unescape("\n".join(texts)).replace("\u202f", " ")


def tables(test: AppTest) -> str:
    words = " ".join(re.sub("<[^>]+>", " ", block.proto.body) for block in test.get("html"))
    return " ".join(html.unescape(words).replace("\u202f", "").split())


def figure(test: AppTest) -> dict:
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def numbers(encoded: dict) -> list[float]:
    """An array as Plotly sends it to the browser."""
    return np.frombuffer(base64.b64decode(encoded["bdata"]), encoded["dtype"]).tolist()


FOUND = bootstrap_choice(youden_goal(), TWENTY.table())


def test_the_sentence_is_that_of_the_resamples() -> None:
    test = opened(data="roc_20")
    low, high = FOUND.spread()
    assert f"**Two resamples in three choose {low:g} – {high:g}**, most often 0.54 (" in said(test)
    assert "2 000 resamples of 20 rows, seed 20." in said(test)
    assert "As good, within one standard error: " in said(test)


def test_the_bars_are_the_shares_of_the_resamples() -> None:
    test = opened(data="roc_20")
    bars = figure(test)["data"][0]
    drawn = dict(zip(numbers(bars["x"]), numbers(bars["y"]), strict=True))
    expected = dict(zip(FOUND.thresholds.tolist(), FOUND.shares.tolist(), strict=True))
    assert drawn == {t: pytest.approx(share) for t, share in expected.items() if share and np.isfinite(t)}
    assert test.get("plotly_chart")[0].proto.alt.startswith("How often each threshold is chosen: two resamples")


def test_the_value_stands_beside_that_out_of_the_sample() -> None:
    shown = tables(opened(data="roc_20"))
    assert f"in this sample 0.400 on other rows, about {FOUND.out_of_sample:.3f}" in shown
    assert f"{FOUND.optimism:.3f} too high" in shown
    assert "too low" in tables(opened(data="roc_20", goal="Lowest cost", miss="3"))


def test_the_measures_of_the_present_threshold_have_the_bands_of_the_same_resamples() -> None:
    scores = scores_of_sample()
    bands = bands_at(scores, 0.54, ["recall"], 0.95)["recall"]
    low, high = FOUND.bands(recall)
    at = TWENTY.table().index(0.54)
    # Other resamples of the same law: between two of the steps of a tenth.
    assert bands == pytest.approx((low[at], high[at]), abs=0.1)
    shown = tables(opened(data="roc_20", t="0.54"))
    assert f"recall 50.0% {100 * bands[0]:.1f}% – {100 * bands[1]:.1f}%" in shown


def test_seed_and_resamples_are_asked_for_and_stay_in_the_address() -> None:
    test = opened(data="roc_20")
    test.number_input(key="own seed").set_value(7).run()
    test.number_input(key="own resamples").set_value(500).run()
    test.segmented_control(key="own resample").set_value("classes").run()
    assert (test.query_params["seed"], test.query_params["resamples"]) == ("7", "500")
    assert test.query_params["resample"] == "classes"
    assert "500 resamples of 20 rows, as many of each class, seed 7." in said(test)
    expected = bootstrap_choice(youden_goal(), TWENTY.table(), stratified=True, resamples=500, seed=7)
    assert f"choose {span(*expected.spread())}" in said(test)


GROUPED = "label,score,patient\n" + "".join(
    f"{label},{0.1 * k + 0.01 * patient:.2f},p{patient}\n"
    for patient in range(12)
    for k, label in enumerate((0, 0, 1, 0, 1, 1))
)


def test_whole_groups_are_offered_where_a_column_names_them() -> None:
    plain = opened(data="roc_20", resample="groups")
    assert plain.segmented_control(key="own resample").options == ["rows", "rows of each class"]
    assert "2 000 resamples of 20 rows, seed" in said(plain), "what cannot be is left out"
    data = stored(GROUPED)
    roles = replace(read_roles(data), group="patient")
    test = opened(data=data, roles=roles.to_text(), resample="groups")
    assert "2 000 resamples of 12 groups by patient, seed 20." in said(test)
    assert test.segmented_control(key="own resample").options[-1] == "groups by patient"


def test_limits_that_resamples_cannot_meet_are_counted() -> None:
    test = opened(data="roc_20", limit1="precision", value1="0.95")
    assert re.search(r"In \d+ of them no threshold meets the limits\.", said(test))
    assert "of the choices made in resamples" in said(test)


def test_limits_that_the_sample_cannot_meet_leave_nothing_to_be_sure_of() -> None:
    test = opened(data="roc_20", limit1="precision", value1="0.9", limit2="recall", value2="0.9")
    assert "In the sample itself no threshold meets the limits" in said(test)
    assert not test.get("plotly_chart")
    assert "recall 60.0%" in tables(test), "the present threshold has its bands all the same"


def test_few_groups_are_said_to_be_few() -> None:
    assert "So few groups show little" in said(opened(data="breast_cancer", resample="groups"))


def test_scores_without_a_positive_say_why_there_is_nothing_to_draw() -> None:
    test = opened(data=stored("actual,score\n1,0.9\n1,0.4\n1,0.3\n"))
    assert "No resample has a threshold" in said(test)
    assert not test.get("plotly_chart")


@pytest.mark.parametrize("bad", ["-1", "inf", "nan", "abc", "1e300"])
def test_an_address_nobody_checked_breaks_nothing(bad: str) -> None:
    test = opened(data="roc_20", seed=bad, resamples=bad, resample=bad)
    assert "2 000 resamples of 20 rows, seed 20." in said(test)


# What the surface of the page is given


def scores_of_sample(data: str = "roc_20", **roles: object):
    """The scores of a sample as a page has them, outside of one."""
    from evalcore.analyses import Source

    dataset = read_sample(data)
    dataset = dataset.with_roles(replace(dataset.roles, **roles)) if roles else dataset
    system = dataset.systems[0]
    return scores_of(Source(data, data, dataset, system, len(dataset), None), system)


def read_roles(data: str):
    from pages.widgets.session.current_dataset import found

    return found(data).roles


def test_the_spread_is_on_the_scale_of_the_file() -> None:
    spread = spread_of(best_threshold(scores_of_sample(), youden_goal()))
    assert spread.thresholds.tolist() == FOUND.thresholds[::-1].tolist()
    assert (spread.low, spread.high) == FOUND.spread()
    assert spread.words == f"two resamples in three choose {span(*FOUND.spread())}"
    turned = spread_of(best_threshold(scores_of_sample(positive="N", higher_is_positive=False), youden_goal()))
    assert turned.thresholds[0] == -np.inf
    assert turned.thresholds[1:].tolist() == sorted(spread.thresholds[:-1].tolist())
    assert (np.diff(turned.plateau, axis=1) > 0).all()
    assert turned.low <= turned.high
    assert turned.shares.sum() == pytest.approx(1)


def test_without_a_choice_there_is_no_spread() -> None:
    def never(counts: ConfusionCounts) -> np.ndarray:
        return np.full(np.shape(counts.tp), np.nan)

    goal = replace(cost_goal(), measure=never, name="never")
    assert spread_of(best_threshold(scores_of_sample(), goal)) is None


def test_bands_are_those_of_the_grid() -> None:
    scores = scores_of_sample("breast_cancer")
    bands = bands_of(scores, ["recall", "precision"])
    assert set(bands) == {"recall", "precision"}
    low, high = bands["recall"]
    values = recall(threshold_grid(scores.table).counts)
    assert low.shape == high.shape == values.shape
    assert ((low <= values) & (values <= high)).all()


def test_choices_to_take_away_name_every_threshold_and_the_seed() -> None:
    chosen = best_threshold(scores_of_sample(), youden_goal())
    table = _choices(spread_of(chosen), certainty_of(chosen))
    rows = list(csv.DictReader(io.StringIO(table.to_csv(index=False))))
    assert len(rows) == 21
    assert sum(int(row["resamples"]) for row in rows) == (FOUND.rows >= 0).sum()
    assert {row["seed"] for row in rows} == {"20"}
    assert [row["as good as the best"] for row in rows if row["threshold"] == "0.54"] == ["True"]


def test_an_optimism_of_nothing_has_no_side() -> None:
    rows = "".join(f"{k % 3 == 0:d},0.3\n" for k in range(30))
    shown = tables(opened(data=stored("label,score\n" + rows)))
    assert "optimism 0.000 " in shown
    assert "too high" not in shown
