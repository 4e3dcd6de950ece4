"""What a release of the threshold sends, and what stays true of the page around it."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, choose, fold, follow, main, reload, visit


def press(page: Page, key: str) -> None:
    page.locator(".threshold-view [role=slider]").focus()
    act(page, lambda: page.keyboard.press(key))


def linked(page: Page) -> set[str]:
    """The thresholds in the links of the menu."""
    links = page.locator(".st-key-menu a").evaluate_all("links => links.map(link => link.href)")
    return {parse_qs(urlparse(link).query)["t"][0] for link in links}


def test_only_what_belongs_to_the_threshold_is_sent_again(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    got: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: got.append(frame)))
    for part in ("Goals", "Take+away"):
        visit(page, f"{server}/threshold?data=roc_20&t=0.54&part={part}")
        got.clear()
        press(page, "ArrowRight")
        sent = b"".join(got)
        assert b"0.55" in sent
        # Neither the program of the view nor its content, and nothing of the side bar.
        assert len(sent) < 60_000
        for word in (b"createElementNS", b"setPointerCapture", b"Choose a sample", b"stops"):
            assert word not in sent


def test_links_and_pages_know_the_new_threshold(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold?data=roc_20&t=0.54")
    assert linked(page) == {"0.54"}
    press(page, "ArrowRight")
    assert linked(page) == {"0.55"}
    press(page, "ArrowLeft")
    assert linked(page) == {"0.54"}
    press(page, "ArrowRight")
    follow(page, "Confusion matrix")
    expect(page).to_have_url(re.compile(r"/confusion\?.*\bt=0\.55(&|$)"))
    assert linked(page) == {"0.55"}
    expect(main(page)).to_contain_text("≥ 0.55")
    follow(page, "Threshold")
    expect(page.locator(".threshold-view")).to_have_attribute("data-threshold", "0.55")
    reload(page)
    expect(page.locator(".threshold-view")).to_have_attribute("data-threshold", "0.55")
    assert linked(page) == {"0.55"}


def test_a_limit_and_an_open_part_are_drawn_with_the_surface(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    act(page, page.get_by_role("button", name="+ limit").click)
    expect(page.locator(".threshold-view")).to_contain_text("not allowed: precision")
    act(page, page.get_by_role("button", name="✕").click)
    expect(page.locator(".threshold-view")).not_to_contain_text("not allowed: precision")
    act(page, fold(page, "Two thresholds").click)
    press(page, "ArrowRight")
    act(page, fold(page, "Two thresholds").click)
    choose(page, "Goal", "Closest to the perfect corner of the ROC curve")
    expect(main(page)).to_contain_text("Best: ")
    expect(page.locator("[data-run]")).to_have_count(1)
