"""A browser and a server for the tests of this folder, one of each a worker."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

from tests.browser import chromium
from tests.browser.screen import PATIENCE
from tests.browser.server import serving

STILL = """() => {
  const style = new CSSStyleSheet()
  style.replaceSync("[data-testid=stSkeleton] { animation: none !important }")
  document.adoptedStyleSheets = [style]
}"""
"""What stands for a page that is still coming pulses, and every frame of it would be drawn by the processor."""

WIDE: ViewportSize = {"width": 1280, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 844}
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
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


class Rooms:
    """Browser contexts by their options, kept for the session: the scripts of the page are fetched and read once."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    @contextmanager
    def room(self, **options: object) -> Iterator[BrowserContext]:
        """A context that nobody else is in, and that nobody remembers afterwards."""
        free = self._free.setdefault(repr(sorted(options.items())), [])
        context = free.pop() if free else self._opened(options)
        yield context
        leave(context)
        free.append(context)

    def _opened(self, options: dict[str, object]) -> BrowserContext:
        context = self._browser.new_context(**options)
        context.set_default_timeout(PATIENCE)  # waits for what is clicked and filled as long as `expect` does
        context.add_init_script(f"({STILL})()")
        # While an empty page stays open, the pages after it share its process (`--process-per-site`), which has
        # compiled the scripts already: that is half of what loading the frontend costs.
        stays = context.new_page()
        stays.route("**", lambda route: route.fulfill(body=""))
        stays.goto("http://127.0.0.1/")
        return context


@pytest.fixture(scope="session")
def rooms(browser: Browser) -> Rooms:
    return Rooms(browser)


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
def visitor(rooms: Rooms) -> Iterator[Callable[..., Page]]:
    """Opens pages of people who have never been here; fails if their console reports an error."""
    console = Console()
    with ExitStack() as stack:

        def arrive(viewport: ViewportSize = WIDE, **options: object) -> Page:
            page = stack.enter_context(rooms.room(**options)).new_page()
            page.set_viewport_size(viewport)
            console.watch(page)
            return page

        yield arrive
    assert console.errors == []


@pytest.fixture(scope="session")
def tab(rooms: Rooms) -> Iterator[tuple[BrowserContext, Console]]:
    """Where the shared visit takes place, and what its console has reported."""
    with rooms.room() as context:
        yield context, Console()


@pytest.fixture
def page(tab: tuple[BrowserContext, Console], request: pytest.FixtureRequest) -> Iterator[Page]:
    """A visit that the tests of a file share: loading the frontend takes longer than most tests.

    `visit` opens an address in it by the way of the back button; after a failure the next test gets a new visit.
    """
    context, console = tab
    if console.file != request.path:  # a session remembers settings, which are no business of another file
        leave(context)
        console.file = request.path
    page = context.pages[-1] if len(context.pages) > 1 else context.new_page()
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


def leave(context: BrowserContext) -> None:
    """Forget a visit, all but the files that the browser has fetched and the page that stays."""
    for page in context.pages[1:]:
        if page.url.startswith(("http", "file:")):
            page.evaluate("() => localStorage.clear()")
        page.close()
    context.clear_cookies()
    context.clear_permissions()
