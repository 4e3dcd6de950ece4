"""A page with only the panels about costs and people under the threshold view, and small tables to open in it."""

import html
import re

from streamlit.testing.v1 import AppTest

from tests.analyses.small_scores import plain_text, small_table
from tests.pages.uploads import saved


def _panels() -> None:
    import streamlit as st

    from evalcore.analyses import best_threshold, prices_of
    from evalcore.classification import amount_goal, youden_goal
    from pages.widgets.classify.threshold.certainty import show_class_weights
    from pages.widgets.classify.threshold.costs import (
        show_cost_sensitivity,
        show_decision_curve,
        show_forecast,
        show_referral_band,
    )
    from pages.widgets.controls.threshold import count_at_threshold
    from pages.widgets.session import address
    from pages.widgets.session.loaded import open_scores, threshold_of
    from pages.widgets.session.page_exit import PageExit

    address.restore()
    shown = st.query_params.get("panel", "")
    try:
        scores = open_scores()
        threshold = threshold_of(scores)
        goal = youden_goal()
        if column := st.query_params.get("amounts"):
            goal = amount_goal(prices_of(scores.current.dataset, scores.system, column), fp_cost=4)
        chosen = best_threshold(scores, goal)
        if shown in ("", "costs"):
            show_cost_sensitivity(chosen, threshold)
        if shown in ("", "month"):
            show_forecast(chosen, threshold, count_at_threshold(scores))
        if shown in ("", "decisions"):
            show_decision_curve(chosen, threshold)
        if shown in ("", "two"):
            show_referral_band(chosen, threshold)
        if shown == "weights":
            show_class_weights(scores)
    except PageExit:
        st.error("ended")


def panels(**parameters: str) -> AppTest:
    """The panels at an address; `panel` chooses one of them: costs, month, decisions, two, weights."""
    test = AppTest.from_function(_panels, default_timeout=60)
    for key, value in parameters.items():
        test.query_params[key.replace("__", " ")] = value
    test.run()
    assert not test.exception
    assert not test.error
    return test


def table(labels: list[int], scores: list[float], names: tuple[str, str] = ("ill", "well"), **roles: object) -> str:
    """Store a table of scores; its id."""
    return saved(small_table(labels, scores, names, **roles))


def one_class(label: int) -> str:
    """Two scored rows of one class; the only row of the other class has no score."""
    return table([label, label, 1 - label], [0.2, 0.7, float("nan")])


def words(test: AppTest) -> str:
    """All sentences of the page, with ordinary blanks and without marks of bold letters."""
    said = " ".join(part.value for part in (*test.main.markdown, *test.main.caption))
    return plain_text(said)


def cells(test: AppTest, table: int = 0) -> list[list[str]]:
    """The cells of one of the tables, row by row."""
    markup = [part.proto.body for part in test.get("html")]
    rows = re.findall("<tr>(.*?)</tr>", markup[table].partition("</thead>")[2] or markup[table])
    plain = [
        [html.unescape(re.sub("<[^>]*>", "", cell)).replace("\u202f", "") for cell in re.findall("<td.*?</td>", row)]
        for row in rows
    ]
    return [row for row in plain if row]
