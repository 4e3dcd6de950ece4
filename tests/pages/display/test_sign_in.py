"""Sign-in: with ``[auth]`` configured, nothing is shown or opened before it."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[3]


def started(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    return test


@pytest.mark.parametrize("page", ["start/home", "start/data", "classify/threshold", "retrieve/ranking"])
def test_before_the_sign_in_no_page_is_shown(page: str) -> None:
    test = started(data="roc_20")
    test.user = {"is_logged_in": False}  # as Streamlit has it where ``[auth]`` is written
    test.switch_page(f"pages/{page}.py").run()
    assert not test.exception
    assert [button.label for button in test.button] == ["Sign in"]
    assert not test.sidebar.children
    for kind in ("bidi_component", "selectbox", "file_uploader", "page_link", "plotly_chart"):
        assert not test.get(kind)
    assert any("data-run" in element.proto.body for element in test.get("html"))


def test_after_the_sign_in_the_pages_are_there_with_a_way_out() -> None:
    test = started(data="roc_20")
    test.user = {"is_logged_in": True, "iss": "id", "sub": "ada", "email": "[a](http://e.com)"}
    test.run()
    assert not test.exception
    assert test.sidebar.selectbox(key="sidebar data").value == "roc_20"
    way_out = next(button for button in test.sidebar.button if button.label == "Sign out")
    assert "](http" not in way_out.help


def test_without_a_provider_nobody_is_asked() -> None:
    test = started(data="roc_20").run()
    assert not any(button.label in ("Sign in", "Sign out") for button in (*test.button, *test.sidebar.button))
    assert test.sidebar.selectbox(key="sidebar data").value == "roc_20"
