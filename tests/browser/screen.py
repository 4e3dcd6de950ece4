"""Waiting for a screen to be complete: the mark that app.py draws last counts the runs of the script."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import FilePayload, FloatRect, Locator, Page, TimeoutError

PATIENCE = 120_000  # milliseconds: how slow the machine is shall not decide
_SETTLED = """([before, wanted]) => {
  const mark = document.querySelector("[data-run]");
  const app = document.querySelector("[data-testid=stApp]");
  const waiting = document.querySelector("[data-testid=stSkeleton]");
  // Charts and components draw themselves a moment after the page has its place for them.
  const charts = [...document.querySelectorAll(".stPlotlyChart")];
  const components = [...document.querySelectorAll("[data-testid=stBidiComponentIsolated]")];
  const drawn = charts.every(chart => chart.querySelector(".main-svg")) && components.every(({shadowRoot}) => {
    const table = shadowRoot?.querySelector(".frame, .cells, .threshold-view, .table > *");
    return table ? table.childElementCount > 0 : Boolean(shadowRoot?.querySelector("span"));
  });
  const complete = mark && Number(mark.dataset.run) > before && !waiting && drawn;
  const rests = complete && app?.dataset.testScriptState === "notRunning";
  const frames = rests && window.atRest?.before === before ? window.atRest.frames + 1 : 0;
  window.atRest = { before, frames };
  return rests && frames >= wanted;
}"""

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
FRAMES = "async many => { for (let frame = 0; frame < many; frame++) await new Promise(requestAnimationFrame) }"
FOCUSED = """(() => {
  let node = document.activeElement
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
  return node
})()"""
"""What has the focus, within components too."""

_RAN = "before => Number(document.querySelector('[data-run]')?.dataset.run) > before"
_THROUGH_HISTORY = "to => { history.pushState({}, '', to); dispatchEvent(new PopStateEvent('popstate')) }"
_UNFOLD = (
    "() => document.querySelectorAll('[data-testid=stMain] details:not([open]) > summary').forEach(s => s.click())"
)
_SHARED = "window.sharesItsVisit"
_EMPTY = "overlap"
"""A page that draws next to nothing without data; the start page takes five times as long."""


def visit(page: Page, address: str) -> None:
    """Open an address and wait until the screen is complete.

    Where the application is open already, this is a way through the history of its visit, which takes half the time of
    loading the frontend anew (`arrive`). To the page that is open already it leads by one that has little to draw, so
    that nothing of its last state is left. The visit still remembers settings of pages, which `follow` and `upload`
    would bring along: a test that uses them arrives.
    """
    start = address[: address.index("/", len("https://"))]
    if page.url.startswith(f"{start}/"):
        settle(page)  # what the last test did may still be running
        if urlsplit(page.url).path == urlsplit(address).path:
            go(page, f"{start}/{_EMPTY}")
        go(page, address)
    else:
        arrive(page, address)
    page.evaluate(f"() => {{ {_SHARED} = true }}")


def arrive(page: Page, address: str) -> None:
    """Load an address as one who has followed a link does, as a visit of its own, and wait for it."""
    page.goto(address)
    settle(page)


def go(page: Page, address: str) -> None:
    """Go to an address through the history of the visit that is open; what no address holds stays as it is."""
    act(page, lambda: page.evaluate(_THROUGH_HISTORY, address))


def act(page: Page, action: Callable[[], object]) -> None:
    """Do something that runs the whole script again, and wait until it has."""
    before = runs(page)
    action()
    settle(page, before)


def unfold(page: Page) -> None:
    """Open everything that is folded on the page, and wait until it is drawn."""
    page.evaluate(_UNFOLD)
    page.evaluate(TWO_FRAMES)
    settle(page)


def reload(page: Page) -> None:
    """Press the browser's reload button and wait until the screen is complete."""
    page.reload()
    settle(page)


def settle(page: Page, before: int = 0) -> None:
    """Wait until the screen is complete, after more runs of the script than there had been before."""
    # Asking at every frame would make the browser draw every frame.
    page.wait_for_function(_SETTLED, arg=[before, 0], polling=50, timeout=PATIENCE)
    # A component hears of what came only after it has been painted, and may then move what stands below it.
    page.wait_for_function(_SETTLED, arg=[before, 3], polling="raf", timeout=PATIENCE)
    # The address that the page has written may come here later than what the page says.
    while page.url != page.evaluate("location.href"):
        page.evaluate(TWO_FRAMES)


def runs(page: Page) -> int:
    """How many runs of the script this page has seen."""
    return int(page.locator("[data-run]").first.get_attribute("data-run"))  # a page that goes may still be there


def follow(page: Page, name: str) -> None:
    """Go to a page by the menu."""
    _check_own_visit(page)
    act(page, page.locator(".st-key-menu").get_by_role("link", name=name, exact=True).click)


def fold(page: Page, name: str) -> Locator:
    """The heading of a fold, to be clicked."""
    return page.locator("[data-testid=stMain] summary").filter(has=page.get_by_text(name, exact=True))


def upload(page: Page, files: Path | FilePayload | list[Path] | list[FilePayload]) -> None:
    """Open one or several files in the first field for them."""
    _check_own_visit(page)
    act(page, lambda: page.locator("input[type=file]").first.set_input_files(files))


_HELD = """([kind, name, text]) => {
  const files = new DataTransfer()
  files.items.add(new File([text], name, { type: "text/csv" }))
  const { x, y, width } = document.querySelector(".st-key-doors").getBoundingClientRect()
  const under = document.elementFromPoint(x + width / 2, Math.min(y, innerHeight) - 200)
  const all = { bubbles: true, cancelable: true, composed: true }
  return under.dispatchEvent(new DragEvent(kind, { ...all, dataTransfer: files }))
}"""


def drop(page: Page, name: str, text: str, *kinds: str) -> None:
    """Hold a file from the desktop over the picture of the start page, and let it go there."""
    for kind in kinds or ("dragover", "drop"):
        assert not page.evaluate(_HELD, [kind, name, text]), f"{kind} is not heard"
        assert ("file-over" in (page.locator("html").get_attribute("class") or "")) == (kind == "dragover")


def _check_own_visit(page: Page) -> None:
    assert not page.evaluate(f"() => {_SHARED}"), "another test's settings may come along: arrive in place of visit"


def saved_picture(page: Page, camera: Locator) -> tuple[str, bytes]:
    """Press the camera of a picture; the name of the file and what is in it."""
    with page.expect_download() as download:
        camera.click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def resting_box(part: Locator) -> FloatRect:
    """Where something stands on the screen once nothing above it moves it any more, for a pointer."""
    part.scroll_into_view_if_needed()
    there = None
    while there != (here := part.bounding_box()):
        there = here
        part.page.evaluate(TWO_FRAMES)
    assert here is not None
    return here


TOUCH = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def swipe(page: Page, x: float, y: float, right: float, down: float, held: float = 0) -> None:
    """Put a finger on the screen of a phone, let it rest for some milliseconds, move it and lift it."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", {"x": x, "y": y})
    page.evaluate("time => new Promise(done => setTimeout(done, time))", held)
    for part in range(1, 9):
        touch("touchMove", {"x": x + right * part / 8, "y": y + down * part / 8})
        page.evaluate(TWO_FRAMES)
    touch("touchEnd")
    page.evaluate(TWO_FRAMES)


def main(page: Page) -> Locator:
    """The page without the side bar."""
    return page.locator("[data-testid=stMain]")


def choose(page: Page, label: str, option: str) -> None:
    """Choose an option of a selectbox."""
    box = page.get_by_label(label, exact=True).first
    # A list of options closes when the page scrolls, which the click would do first; two frames later it has.
    box.scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)
    before, attempts = runs(page), 40
    for attempt in range(attempts):
        # Again where something above the list still unfolded, which closes it, or took its place under the click.
        try:
            _choose_from_list(box, page.get_by_role("option", name=option, exact=True), PATIENCE / attempts)
            page.wait_for_function(_RAN, arg=before, timeout=PATIENCE / attempts)
        except TimeoutError:
            if attempt == attempts - 1:
                raise
        else:
            break
    settle(page, before)


def _choose_from_list(box: Locator, option: Locator, patience: float) -> None:
    if not option.is_visible():
        box.click()
    option.click(timeout=patience)
