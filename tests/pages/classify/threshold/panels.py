"""A page with only the panels under the threshold view, whose tests need no other part of the page."""

import streamlit as st
from streamlit.testing.v1 import AppTest


def _panels() -> None:

    from evalcore.inference import IntervalChoice
    from pages.widgets.classify.threshold.groups import show_subgroups
    from pages.widgets.classify.threshold.threshold import show_takeaway
    from pages.widgets.controls.roles import offer_direction
    from pages.widgets.controls.threshold import count_at_threshold
    from pages.widgets.session import address
    from pages.widgets.session.loaded import open_scores, threshold_of
    from pages.widgets.session.page_exit import PageExit

    address.restore()
    try:
        scores = open_scores()
        threshold = threshold_of(scores)
        intervals = IntervalChoice(address.text("method", "wilson"), address.number("level", 0.95))
        offer_direction(scores)
        show_subgroups(scores, threshold, intervals)
        show_takeaway(scores, threshold, count_at_threshold(scores), intervals)
    except PageExit:
        pass


def panels(monkeypatch, **parameters: str) -> AppTest:
    """The panels at an address; links to other pages stand as Markdown, because this page has no others."""
    monkeypatch.setattr(st, "page_link", lambda page, label, **_: st.markdown(f"[{label}]({page})"))
    test = AppTest.from_function(_panels, default_timeout=60)
    for key, value in parameters.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception
    return test
