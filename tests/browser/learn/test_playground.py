"""The playground in a browser: its numbers are Python's; the sweep, hands and keys move it; the sample is opened."""

import json
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from evalcore.classification import average_precision, roc_auc
from evalcore.learning import PRESETS, DrawnBars, Playground, ScoreModel, SkewNormal
from tests.browser.screen import TOUCH, act, arrive, reload, runs, visit
from tests.browser.threshold_view import drag

DRAWN = Playground(ScoreModel(DrawnBars((0, 1, 0, 3, 9) * 4), DrawnBars((7, 0, 2, 0, 1) * 4), 0.25), 150, 4, 55.0)
LEANING = Playground(ScoreModel(SkewNormal(60, 2, 0.9), SkewNormal(47, 10, -0.9), 0.31), 777, 12, 44.4)
RARE = [*PRESETS.values()][4][0]


HOLD = """grip => new Promise(done => {
  const run = () => document.querySelector("[data-run]").dataset.run
  const before = run()
  let begun = false
  const look = () => {
    const value = parseFloat(grip.getAttribute("aria-valuetext"))
    begun ||= value > 80
    if (!begun || value >= 65) return requestAnimationFrame(look)
    const silent = run() === before
    grip.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }))
    done(silent)
  }
  grip.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true }))
  look()
})"""
"""Starts a sweep by a key and holds it by a key as soon as it has come far enough; whether the server heard nothing."""


def surface(page: Page) -> Locator:
    return page.locator(".playground .threshold-view")


def shown(page: Page) -> dict:
    numbers = json.loads(surface(page).get_attribute("data-numbers"))
    return numbers | numbers.pop("counts")


def expected(playground: Playground) -> dict:
    """What Python says of the same settings."""
    model, sample = playground.model, playground.sample
    counts = sample.counts_at([playground.cut])
    return {
        "auc": model.roc_auc,
        "ap": model.average_precision,
        "error": model.auc_error(*model.class_sizes(playground.rows)),
        "sampleAuc": float(roc_auc(sample)),
        "sampleAp": float(average_precision(sample)),
        "recall": float(model.recall_at(playground.cut)),
        "fall_out": float(model.fall_out_at(playground.cut)),
        "precision": float(model.precision_at(playground.cut)),
        **{cell: float(getattr(counts, cell)[0]) for cell in ("tp", "fp", "fn", "tn")},
    }


def linked(page: Page) -> Playground:
    """What the address holds."""
    text = parse_qs(urlsplit(page.url).query)["play"][0]
    return Playground.of([part.split("~") for part in text.split("!")])


def test_under_a_finger_each_button_holds_its_words(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(**TOUCH)
    arrive(page, f"{server}/playground")
    for button in page.locator(".playground button:visible").all():
        assert button.evaluate("button => button.scrollHeight <= button.clientHeight"), button.inner_text()


def test_curves_are_shaped_swept_and_drawn_in_the_browser_with_the_numbers_of_python(page: Page, server: str) -> None:
    for playground in (LEANING, RARE, DRAWN, Playground()):
        visit(page, f"{server}/playground?play={'!'.join('~'.join(part) for part in playground.lists)}")
        assert shown(page) == pytest.approx(expected(playground), rel=1e-9, abs=1e-9)

    # A hill is dragged: everything follows at once, and the link is written when it is let go.
    before, area = runs(page), shown(page)["auc"]
    outline = surface(page).locator("path.outline").first
    outline.evaluate("node => { node.stays = true }")
    drag(page, page.get_by_label("Mean of the positives").and_(page.locator(".knob-of")), 60)
    assert shown(page)["auc"] > area + 0.02
    assert runs(page) == before
    assert outline.evaluate("node => node.stays"), "a frame of shaping writes lines anew, and builds no view"
    act(page, page.mouse.up)
    moved = linked(page)
    assert moved.model.positives.mean > 65
    assert shown(page) == pytest.approx(expected(moved), rel=1e-9, abs=1e-9)

    # The sweep traces the curves without a word to the server, is held by a key, stepped, and hands the threshold over.
    grip = surface(page).get_by_role("slider", name="Threshold")
    grip.focus()
    silent: list[bool] = []
    act(page, lambda: silent.append(grip.evaluate(HOLD)))
    assert silent == [True]
    held = linked(page).threshold
    assert 0 < held < 70
    whole, traced = (surface(page).locator(f"path.curve{kind}").first for kind in (".faint", ":not(.faint)"))
    assert len(traced.get_attribute("d")) < len(whole.get_attribute("d"))
    act(page, lambda: page.keyboard.press("ArrowLeft"))
    assert linked(page).threshold == pytest.approx(held - 0.5)

    # Bars are drawn by the mouse and by keys.
    act(page, page.get_by_role("button", name="Draw bars by hand").click)
    box = surface(page).locator(".paper").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.12, box["y"] + box["height"] * 0.3)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.28, box["y"] + box["height"] * 0.3)
    act(page, page.mouse.up)
    heights = linked(page).model.positives.heights
    assert len({heights[bar] for bar in (2, 3, 4, 5)}) == 1
    assert heights[2] > 5
    brush = page.get_by_label("Bars of the negatives")
    brush.focus()
    page.keyboard.press("Home")
    act(page, lambda: page.keyboard.press("PageUp"))
    assert linked(page).model.negatives.heights[0] == 5
    assert shown(page) == pytest.approx(expected(linked(page)), rel=1e-9, abs=1e-9)

    # A hundred pairs come near the AUC; the link keeps them; the sample becomes the open data set with its threshold.
    act(page, page.get_by_role("button", name="100 pairs").click)
    act(page, page.get_by_role("button", name="A is the positive").click)
    answer = page.locator(".game [role=status]")
    told = answer.inner_text()
    assert "was the positive" in told
    expect(answer.locator("+ .question")).to_contain_text("Next pair: ")
    reload(page)
    assert (linked(page).pairs, linked(page).guesses) == (100, "A")
    expect(answer).to_have_text(told)
    expect(page.locator(".playground .game")).to_contain_text("of 100 right")
    sample = linked(page)
    act(page, page.get_by_role("button", name="Use these scores on Threshold").click)
    expect(page.get_by_role("heading", name="Threshold")).to_be_visible()
    assert f"t={sample.threshold}" in page.url
    expect(page.locator(".threshold-view .count.on-tp")).to_have_text(
        f"{sample.sample.counts_at([sample.cut]).tp[0]:.0f}"
    )
    assert linked(page) == sample
