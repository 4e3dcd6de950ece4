"""The first visit of a fresh server: the right page at once, whatever the address, and nothing alarming."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import Rooms
from tests.browser.screen import arrive, follow
from tests.browser.server import serving


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[str]:
    """A server nobody has visited. Name it before the visitor, whose pages are closed first then."""
    with serving(tmp_path, fresh=True) as address:
        yield address


@pytest.fixture
def stranger(rooms: Rooms) -> Iterator[Page]:
    """A page that may report errors."""
    with rooms.room() as context:
        yield context.new_page()


def test_the_first_link_opens_its_page_without_a_notice_asks_no_other_host_and_the_menu_works_at_once(
    fresh_server: str, visitor: Callable[..., Page]
) -> None:
    page = visitor()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    arrive(page, f"{fresh_server}/data?data=roc_20")
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Data")
    expect(page.locator(".st-key-heading")).to_contain_text("Twenty scored instances")
    expect(page.locator("[data-testid=stSidebar] .st-key-menu")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("not found")).to_have_count(0)
    follow(page, "Home")
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Evalcore")
    follow(page, "Data")
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Data")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert [url for url in asked if not url.startswith((fresh_server, "data:", "blob:"))] == []


def test_responses_carry_headers_that_keep_a_page_to_itself_and_a_policy_that_allows_no_script_but_ours(
    page: Page, server: str
) -> None:
    headers = page.request.get(server).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    policy = headers["content-security-policy"]
    sources = {name: set(rest) for name, *rest in map(str.split, policy.split(";"))}
    assert sources["default-src"] == {"'none'"}
    assert {source for source in sources["script-src"] if "sha256-" not in source} == {"'self'", "blob:"}
    assert not {source for part in sources.values() for source in part} & {"*", "http:", "https:", "'unsafe-eval'"}


def test_what_a_page_is_made_to_load_or_run_does_nothing(stranger: Page, server: str) -> None:
    """Markup that did get into a page: no script runs, nothing is asked of another host."""
    arrive(stranger, server)
    asked: list[Request] = []
    stranger.on("request", lambda request: asked.append(request))
    blocked = stranger.evaluate(
        """async () => {
          const blocked = []
          document.addEventListener("securitypolicyviolation", event => blocked.push(event.effectiveDirective))
          window.harm = 0
          const body = '<img src="http://e.com/a.png"><iframe src="http://e.com"></iframe><script>harm = 1</script>' +
            '<script src="http://e.com/a.js"></script><i onclick="harm = 2">x</i><object data="http://e.com"></object>'
          const part = document.createRange().createContextualFragment(body)
          document.body.append(part)
          document.querySelector("i[onclick]").click()
          setTimeout(() => eval("harm = 3"))  // at once, the debugger would let it pass
          await fetch("http://e.com").catch(() => {})
          await new Promise(done => setTimeout(done, 200))
          return [...new Set(blocked), window.harm]
        }"""
    )
    assert blocked.pop() == 0
    assert {"img-src", "frame-src", "script-src-elem", "script-src-attr", "script-src", "connect-src"} <= set(blocked)
    assert {request.failure for request in asked if request.url.startswith("http://e.com")} == {"csp"}
