"""What hands do to the threshold view, and what it says."""

from playwright.sync_api import Locator, Page, expect

from evalcore.figures.threshold_view import view_program
from tests.browser.screen import TWO_FRAMES, act, arrive, follow, resting_box, upload


def handle(page: Page) -> Locator:
    return page.locator(".threshold-view .grip")


def said(page: Page) -> str:
    """What a screen reader hears of the handle."""
    return handle(page).get_attribute("aria-valuetext")


def open_scores(page: Page, server: str, rows: str) -> None:
    """Open the threshold page on a table of scores."""
    arrive(page, f"{server}/data")
    upload(page, {"name": "scores.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    follow(page, "Threshold")


def typed(page: Page, words: str) -> None:
    handle(page).focus()
    page.keyboard.press("Enter")
    field = page.locator(".threshold-view .field input")
    expect(field).to_be_focused()
    field.fill(words)
    act(page, lambda: field.press("Enter"))


def press_at_once(page: Page, keys: list[str]) -> None:
    """Press keys on the handle before the server can say anything."""
    handle(page).evaluate(
        """(grip, keys) => {
          for (const key of keys) grip.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
        }""",
        keys,
    )


def drag(page: Page, start: Locator, right: float, down: float = 0) -> list[str]:
    """Drag something without letting it go; what was heard on the way."""
    box = resting_box(start)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    heard = []
    for part in range(1, 9):
        page.mouse.move(x + right * part / 8, y + down * part / 8)
        page.evaluate(TWO_FRAMES)
        heard.append(said(page))
    return heard


_STAND = """async ([program, data]) => {
  const { default: component } = await import(URL.createObjectURL(new Blob([program], { type: "text/javascript" })))
  const place = document.createElement("div")
  place.append(Object.assign(document.createElement("div"), { className: "threshold-view" }))
  document.body.replaceChildren(place)
  window.evalcoreTexts = new Map([["drawn", JSON.stringify(data.view)]])
  window.messages = []
  const first = { view: "drawn", over: data.over, now: data.now, ink: data.inks[0], of: "these", heard: 0 }
  window.answer = more => {
    const sent = { ...first, answer: null, pin: "", shake: { name: null }, rows: "", ...more }
    const setTriggerValue = (_, message) => window.messages.push(message)
    const data = { ...sent, over: JSON.stringify(sent.over) }
    window.leave = component({ data, parentElement: place, setTriggerValue })
  }
  window.answer({})
}"""


def stand(page: Page, data: dict) -> None:
    """Put the view on an empty page, with the test as its server: it reads `messages` and calls `answer`."""
    page.goto("about:blank")
    page.evaluate(_STAND, [view_program()[0], data])
