"""The first visit of a fresh server: the right page at once, whatever the address, and nothing alarming."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import arrive, follow
from tests.browser.server import serving


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[str]:
    """A server nobody has visited. Name it before the visitor, whose pages are closed first then."""
    with serving(tmp_path) as address:
        yield address


def test_the_first_link_opens_its_page_with_the_side_bar_and_no_notice(
    fresh_server: str, visitor: Callable[..., Page]
) -> None:
    page = visitor()
    arrive(page, f"{fresh_server}/data?data=roc_20")
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Data")
    expect(page.locator(".st-key-heading")).to_contain_text("Twenty scored instances")
    expect(page.locator("[data-testid=stSidebar] .st-key-menu")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("not found")).to_have_count(0)


def test_the_menu_works_at_once_on_a_fresh_server(fresh_server: str, visitor: Callable[..., Page]) -> None:
    page = visitor()
    arrive(page, fresh_server)
    follow(page, "Data")
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Data")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_responses_carry_the_headers_that_keep_a_page_to_itself(page: Page, server: str) -> None:
    headers = page.request.get(server).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_nothing_is_asked_of_any_other_host(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    arrive(page, f"{server}/data?data=roc_20")
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []
