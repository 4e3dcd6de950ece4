"""What axe finds on each page, narrow and dark, then unfolded, wide and light; what pictures are called.

The pages are open and unfolded, so the robot goes on from there: every fold, tab and segment of every page once.
"""

import random

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page

from tests.browser.screen import TWO_FRAMES, arrive, unfold, visit
from tests.browser.shots import SIZES, addresses
from tests.robot import Finding, Robot

OF_A_LOOK = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
"""Rules that size and colours decide; the others need one look at a page."""
AXE = """async only => {
  const rules = { region: { enabled: false } } // what floats over a page stands in no landmark of the frontend
  const runOnly = only ? { runOnly: only } : { rules }
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false, ...runOnly })
  return violations.filter(({ impact }) => impact !== "minor").flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" >> ")}: ${failureSummary}`))
}"""
WITHOUT_NUMBERS = r"""() => {
  const unnamed = []
  const walk = root => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot)
      const picture = node.matches("img, canvas, [role=img], .stPlotlyChart") && !node.closest("[aria-hidden=true]")
      const { width, height } = picture ? node.getBoundingClientRect() : { width: 0, height: 0 }
      if (Math.min(width, height) < 30) continue
      const words = node.getAttribute("alt") ?? node.closest("[aria-label]")?.getAttribute("aria-label") ?? ""
      if (!/\d/.test(words)) unnamed.push(`${node.localName} is called "${words}"`)
    }
  }
  walk(document.querySelector("[data-testid=stMain]"))
  return unnamed
}"""


def test_axe_and_a_robot_find_nothing_on_any_page_and_every_picture_says_some_of_its_numbers(
    page: Page, server: str
) -> None:
    look(page, "phone", "dark")
    arrive(page, server)
    page.evaluate(AXE_SCRIPT)
    findings: list[str] = []
    robot = Robot(page, random.Random(0))
    for name, address in addresses():
        page.mouse.move(0, 0)  # what the robot pointed at last may stand elsewhere on this page
        look(page, "phone", "dark")
        visit(page, server + address)
        found = page.evaluate(AXE, OF_A_LOOK)
        look(page, "wide", "light")
        unfold(page)
        found += page.evaluate(AXE, None) + page.evaluate(WITHOUT_NUMBERS)
        try:
            robot.tour()
        except Finding as broken:
            found.append(f"{broken} after {robot.done[-3:]}")
        findings += [f"{name}: {finding}" for finding in found]
    assert findings == []


def look(page: Page, size: str, scheme: str) -> None:
    """How wide the window is, and its colours."""
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=scheme)
    page.evaluate(TWO_FRAMES)


def test_a_finger_finds_chips_of_its_size(browser: Browser, server: str) -> None:
    page = browser.new_context(viewport=SIZES["phone"], has_touch=True, is_mobile=True).new_page()
    sizes = "chips => chips.map(chip => Math.round(chip.getBoundingClientRect().height)).filter(Boolean)"
    for address, chips in {
        "report?data=breast_cancer": ".stButtonGroup button",
        "threshold?data=breast_cancer": ".stMain :is(.stButtonGroup, .stMultiSelect) button",
        "classes?data=digits": ".st-key-confusions button",
        "?data=breast_cancer": ":is(.st-key-menu, .st-key-doors) a",
        "confusion?data=breast_cancer": ".st-key-menu a",
    }.items():
        visit(page, f"{server}/{address}")
        heights = page.locator(chips).evaluate_all(sizes)
        assert len(heights) > 3
        assert min(heights) >= 40
    page.context.close()
