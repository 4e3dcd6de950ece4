"""How sure a threshold is, on the page: the settings stay in the address, and the picture shows the resamples."""

import base64
import html
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.classification import youden_goal
from evalcore.inference import bootstrap_choice
from evalcore.readers import read_table
from tests.analyses.threshold.test_choice_certainty import GROUPED
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


def numbers(encoded: dict) -> list[float]:
    """An array as Plotly sends it to the browser."""
    return np.frombuffer(base64.b64decode(encoded["bdata"]), encoded["dtype"]).tolist()


def test_the_bars_are_the_shares_of_the_resamples() -> None:
    test = opened(data="roc_20")
    bars = json.loads(test.get("plotly_chart")[0].proto.spec)["data"][0]
    drawn = dict(zip(numbers(bars["x"]), numbers(bars["y"]), strict=True))
    found = bootstrap_choice(youden_goal(), TWENTY.table())
    expected = dict(zip(found.thresholds.tolist(), found.shares.tolist(), strict=True))
    assert drawn == {t: pytest.approx(share) for t, share in expected.items() if share and np.isfinite(t)}
    assert test.get("plotly_chart")[0].proto.alt.startswith("How often each threshold is chosen: best threshold in")


def test_by_amounts_the_cost_is_that_of_the_card_and_its_difference_to_new_data_is_said() -> None:
    test = opened(data="payments", goal="Lowest cost", amounts="amount", check="14")
    (table,) = (part.proto.body for part in test.get("html") if "expected on new data" in part.proto.body)
    assert "4\u202f968" in table
    assert "does not allow for it" in said(test)


def test_the_measures_have_their_differences_to_the_pin() -> None:
    bodies = [
        next(
            part.proto.body
            for part in opened(data="roc_20", t="0.54", **pins).get("html")
            if "at 0.54" in part.proto.body
        )
        for pins in ({}, {"pins": "0.7~score~~"})
    ]
    assert ["+15.0" in body for body in bodies] == [False, True]


def test_seed_and_resamples_are_asked_for_and_stay_in_the_address() -> None:
    test = opened(data="roc_20")
    test.number_input(key="own seed").set_value(7).run()
    test.number_input(key="own resamples").set_value(500).run()
    test.segmented_control(key="own resample").set_value("classes").run()
    assert (test.query_params["seed"], test.query_params["resamples"]) == ("7", "500")
    assert test.query_params["resample"] == "classes"
    assert "500 resamples of 20 rows within each class, seed 7." in said(test)


def test_whole_groups_are_offered_where_a_column_names_them() -> None:
    plain = opened(data="roc_20", resample="groups")
    assert plain.segmented_control(key="own resample").options == ["rows", "rows of each class"]
    assert "2 000 resamples of 20 rows, seed" in said(plain), "what cannot be is left out"
    roles = replace(read_table(GROUPED.encode(), "table.csv").roles, group="patient")
    test = opened(data=stored(GROUPED), roles=roles.to_text(), resample="groups")
    assert "2 000 resamples of 12 groups by patient, seed 20." in said(test)
    assert test.segmented_control(key="own resample").options[-1] == "groups by patient"


def test_without_a_choice_the_reason_and_the_bands_of_the_threshold_are_shown() -> None:
    test = opened(data="roc_20", limit1="precision", value1="0.9", limit2="recall", value2="0.9")
    assert "In the sample itself no threshold meets the limits" in said(test)
    assert not test.get("plotly_chart")
    assert any("recall" in block.proto.body for block in test.get("html"))


@pytest.mark.parametrize("bad", ["-1", "inf", "nan", "abc", "1e300"])
def test_an_address_nobody_checked_breaks_nothing(bad: str) -> None:
    test = opened(data="roc_20", seed=bad, resamples=bad, resample=bad)
    assert "2 000 resamples of 20 rows, seed 20." in said(test)
