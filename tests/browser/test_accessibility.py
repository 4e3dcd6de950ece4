"""What axe finds on each page, wide and light, then narrow and dark."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.screen import arrive, visit
from tests.browser.shots import SIZES, addresses

GRAVE = ("serious", "critical")
LOOK = """async grave => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false })
  return violations.filter(({ impact }) => grave.includes(impact)).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" >> ")}: ${failureSummary}`))
}"""


@pytest.mark.parametrize(("size", "scheme"), [("wide", "light"), ("phone", "dark")])
def test_axe_finds_nothing_serious_on_any_page(page: Page, server: str, size: str, scheme: str) -> None:
    page.set_viewport_size(SIZES[size])
    page.emulate_media(color_scheme=scheme)
    arrive(page, server)
    page.evaluate(AXE_SCRIPT)
    findings: list[str] = []
    for name, address in addresses():
        visit(page, server + address)
        findings += [f"{name}: {finding}" for finding in page.evaluate(LOOK, GRAVE)]
    assert findings == []
