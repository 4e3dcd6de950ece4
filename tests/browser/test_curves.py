"""The curves in a browser: a click cuts, everywhere; a zoom stays; the ring stands where the counts say."""

import re
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import act, main, visit

PAGE = "curves?data=breast_cancer"
_TO_PIXELS = """([key, x, y]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`)
  const { xaxis, yaxis } = plot._fullLayout
  const box = plot.getBoundingClientRect()
  return [box.x + xaxis._offset + xaxis.l2p(x), box.y + yaxis._offset + yaxis.l2p(y)]
}"""
_POINT = """([key, name, index]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`)
  const curve = plot.calcdata.find((points) => points[0].trace.meta?.name === name)
  return [curve.at(index).x, curve.at(index).y]
}"""


def open_curves(page: Page, address: str) -> None:
    visit(page, address)
    for key in ("roc", "pr"):
        expect(page.locator(f".st-key-{key} .operating-point")).to_be_attached()


def ring(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} .operating-point circle")


def threshold(page: Page) -> float:
    return float(parse_qs(urlparse(page.url).query)["t"][0])


def click_at(page: Page, key: str, x: float, y: float) -> None:
    across, down = page.evaluate(_TO_PIXELS, [key, x, y])
    page.mouse.move(across, down)
    expect(page.locator(f".st-key-{key} .hoverlayer .hovertext")).to_be_visible()
    act(page, lambda: page.mouse.click(across, down))


def expect_ring_at(page: Page, key: str, x: float, y: float) -> None:
    across, down = page.evaluate(_TO_PIXELS, [key, x, y])
    page.wait_for_function(
        """([key, across, down]) => {
          const box = document.querySelector(`.st-key-${key} .operating-point circle`).getBoundingClientRect()
          return Math.hypot(box.x + box.width / 2 - across, box.y + box.height / 2 - down) < 1
        }""",
        arg=[key, across, down],
    )


@pytest.mark.parametrize("key", ["roc", "pr"])
def test_a_click_on_a_curve_sets_the_threshold_everywhere(page: Page, server: str, key: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20")
    # Recall 0.5 is reached at 0.54, with one false alarm of ten: a corner of both curves.
    click_at(page, key, *{"roc": (0.1, 0.5), "pr": (0.5, 5 / 6)}[key])
    assert threshold(page) == 0.54
    assert "5 found, 5 missed, 1 false alarm, 9 dismissed" in main(page).inner_text()
    expect_ring_at(page, "roc", 0.1, 0.5)
    expect_ring_at(page, "pr", 0.5, 5 / 6)
    act(page, page.locator(".st-key-menu").get_by_role("link", name="Confusion matrix").click)
    assert threshold(page) == 0.54
    expect(main(page)).to_contain_text("score ≥ 0.54")


def test_a_second_click_on_the_same_point_counts_too(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20")
    click_at(page, "roc", 0.1, 0.5)
    click_at(page, "roc", 0.5, 0.8)
    assert threshold(page) == 0.38
    click_at(page, "roc", 0.1, 0.5)
    assert threshold(page) == 0.54


def test_where_lower_scores_are_positive_a_click_is_on_the_scale_of_the_file(page: Page, server: str) -> None:
    roles = "actual~actual~~score~score~~positive~N~~higher_is_positive~False"
    open_curves(page, f"{server}/curves?data=roc_20&roles={roles}")
    click_at(page, "roc", 0, 0.1)
    assert threshold(page) == 0.1
    assert "1 found, 9 missed, 0 false alarms, 10 dismissed" in main(page).inner_text()


def test_a_click_on_the_curve_of_another_system_chooses_it(page: Page, server: str) -> None:
    open_curves(page, f"{server}/{PAGE}")
    x, y = page.evaluate(_POINT, ["roc", "nearest_neighbours", 4])
    click_at(page, "roc", x, y)
    assert parse_qs(urlparse(page.url).query)["system"] == ["nearest_neighbours"]
    expect(page.locator(".st-key-heading")).to_contain_text("nearest_neighbours")
    expect_ring_at(page, "roc", x, y)


def test_a_zoom_stays_when_the_threshold_moves(page: Page, server: str) -> None:
    open_curves(page, f"{server}/{PAGE}")
    left, top = page.evaluate(_TO_PIXELS, ["roc", 0, 1])
    right, bottom = page.evaluate(_TO_PIXELS, ["roc", 0.4, 0.6])
    page.mouse.move(left - 2, top)
    page.mouse.down()
    page.mouse.move(right, bottom, steps=5)
    page.mouse.up()
    range_of = "() => document.querySelector('.st-key-roc .js-plotly-plot')._fullLayout.xaxis.range[1]"
    page.wait_for_function(f"() => ({range_of})() < 0.5")
    zoomed = page.evaluate(range_of)
    field = page.get_by_label("Exactly")
    field.fill("0.3")
    act(page, lambda: field.press("Enter"))
    expect(page.locator(".st-key-roc .operating-point text")).to_have_text("threshold 0.3")
    assert page.evaluate(range_of) == zoomed
    # Recall and false positive rate at 0.3, as the line under the pictures says them.
    found, alarms = re.search(r"recall ([\d.]+).*?rate ([\d.]+)", main(page).inner_text()).groups()
    across, down = page.evaluate(_TO_PIXELS, ["roc", float(alarms) / 100, float(found) / 100])
    box = ring(page, "roc").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - across) < 3
    assert abs(box["y"] + box["height"] / 2 - down) < 3


def test_a_range_is_dragged_under_the_roc_curve_and_stays_in_the_address(page: Page, server: str) -> None:
    open_curves(page, f"{server}/{PAGE}")
    across, down = page.evaluate(_TO_PIXELS, ["roc", 0.1, 0])
    end, _ = page.evaluate(_TO_PIXELS, ["roc", 0.3, 0])
    page.mouse.move(across, down)
    page.mouse.down()
    page.mouse.move(end, down, steps=4)
    act(page, page.mouse.up)
    low, high = (float(parse_qs(urlparse(page.url).query)[key][0]) for key in ("fpr_from", "fpr_to"))
    assert abs(low - 0.1) < 0.01
    assert abs(high - 0.3) < 0.01
    assert page.get_by_label("Partial area: FPR from").input_value() == f"{low:.3f}"
    expect(main(page)).to_contain_text("pAUC: over false positive rates from")
    # The other end is dragged by its handle, and the first stays.
    further, _ = page.evaluate(_TO_PIXELS, ["roc", 0.5, 0])
    page.mouse.move(page.evaluate(_TO_PIXELS, ["roc", high, 0])[0], down)
    page.mouse.down()
    page.mouse.move(further, down, steps=4)
    act(page, page.mouse.up)
    query = parse_qs(urlparse(page.url).query)
    assert float(query["fpr_from"][0]) == low
    assert abs(float(query["fpr_to"][0]) - 0.5) < 0.01


def test_a_tab_is_a_link_and_its_curve_can_be_clicked(page: Page, server: str) -> None:
    visit(page, f"{server}/curves?data=roc_20&curve=Gain")
    expect(page.locator(".st-key-gain .operating-point")).to_be_attached()
    assert page.locator(".stPlotlyChart").count() == 1
    # Six rows hold five of the ten positives: the threshold 0.54.
    click_at(page, "gain", 6 / 20, 0.5)
    assert threshold(page) == 0.54
    expect_ring_at(page, "gain", 0.3, 0.5)
    assert parse_qs(urlparse(page.url).query)["curve"] == ["Gain"]
    act(page, page.get_by_role("tab", name="Cost").click)
    expect(page.locator(".st-key-cost .operating-point line")).to_be_visible()


def test_outside_a_zoom_the_ring_is_hidden(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20&t=0.1")
    expect(ring(page, "roc")).to_be_visible()
    left, top = page.evaluate(_TO_PIXELS, ["roc", 0, 0.5])
    right, bottom = page.evaluate(_TO_PIXELS, ["roc", 0.5, 0.01])
    page.mouse.move(left + 3, top)
    page.mouse.down()
    page.mouse.move(right, bottom, steps=5)
    page.mouse.up()
    expect(ring(page, "roc")).to_be_hidden()


def test_a_ticked_row_of_the_table_cuts_there(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20")
    act(page, page.get_by_text("The ROC table").click)
    grid = page.locator(".st-key-steps canvas").first
    expect(grid).to_be_visible()
    box = grid.bounding_box()
    # The column of boxes is the first; the header and the row of +∞ come before the row of 0.9.
    act(page, lambda: page.mouse.click(box["x"] + 15, box["y"] + 35 * 2.5))
    assert threshold(page) == 0.9


def test_the_numbers_can_be_taken_away(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20")
    page.get_by_text("Take away").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Numbers as CSV").click()
    assert download.value.suggested_filename == "curves.csv"
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("threshold,TP,FP,FN,TN,TPR,FPR,precision")
    assert len(lines) == 22
    assert lines[6].startswith("0.55,4.0,1.0,6.0,9.0,0.4,0.1,0.8")
