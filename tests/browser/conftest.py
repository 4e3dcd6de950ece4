"""A browser and a server for the tests of this folder, one of each a worker."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser import chromium
from tests.browser.screen import PATIENCE
from tests.browser.server import serving

WIDE = {"width": 1280, "height": 860}
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    if path is None:
        ending = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        ending("no Chromium: put one on the PATH or name it in $CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the server that the tests of this worker share."""
    with serving(tmp_path_factory.mktemp("server")) as address:
        yield address


@pytest.fixture(scope="session")
def rooms(browser: Browser) -> Iterator[dict[str, BrowserContext]]:
    """Browser contexts by their options, kept for the session: the scripts of the page are fetched and read once."""
    contexts: dict[str, BrowserContext] = {}
    yield contexts
    for context in contexts.values():
        context.close()


class Console:
    """The errors that pages have reported."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.file: Path | None = None

    def watch(self, page: Page) -> None:
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        address = message.location.get("url", "")
        # A path like /data makes the frontend look for the server under it first: two 404s that mean nothing.
        harmless = address.endswith(("/_stcore/health", "/_stcore/host-config")) and "404" in message.text
        if message.type == "error" and not harmless:
            self.errors.append(f"{message.text} ({address})")


@pytest.fixture
def visitor(browser: Browser, rooms: dict[str, BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Opens pages of people who have never been here; fails if their console reports an error."""
    occupied: set[str] = set()
    strangers: list[BrowserContext] = []
    console = Console()

    def room(options: dict[str, object]) -> BrowserContext:
        name = repr(sorted(options.items()))
        if name in occupied:  # two visitors of one test share nothing
            strangers.append(opened(browser, **options))
            return strangers[-1]
        occupied.add(name)
        if name not in rooms:
            rooms[name] = opened(browser, **options)
        return rooms[name]

    def arrive(**options: object) -> Page:
        page = room({"viewport": WIDE} | options).new_page()
        console.watch(page)
        return page

    yield arrive
    for context in strangers:
        context.close()
    for name in occupied:
        leave(rooms[name])
    assert console.errors == []


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Iterator[tuple[BrowserContext, Console]]:
    """Where the shared visit takes place, and what its console has reported."""
    context = opened(browser)
    yield context, Console()
    context.close()


@pytest.fixture
def page(tab: tuple[BrowserContext, Console], request: pytest.FixtureRequest) -> Iterator[Page]:
    """A visit that the tests of a file share: loading the frontend takes longer than most tests.

    `visit` opens an address in it by the way of the back button; after a failure the next test gets a new visit.
    """
    context, console = tab
    if console.file != request.path:  # a session remembers settings, which are no business of another file
        leave(context)
        console.file = request.path
    page = context.pages[0] if context.pages else context.new_page()
    if page.url == "about:blank":
        console.watch(page)
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
    page.mouse.move(0, 0)  # what the last test pointed at is not pointed at now
    failures = request.session.testsfailed
    yield page
    if console.errors or request.session.testsfailed > failures:
        leave(context)
    errors, console.errors = console.errors, []
    assert errors == []


def opened(browser: Browser, **options: object) -> BrowserContext:
    """A context that waits for what is clicked and filled as long as `expect` does."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def leave(context: BrowserContext) -> None:
    """Forget a visit, all but the files that the browser has fetched."""
    for page in context.pages:
        if page.url.startswith("http"):
            page.evaluate("() => localStorage.clear()")
        page.close()
    context.clear_cookies()
    context.clear_permissions()
