"""Challenges in a browser: failed, diagnosed and solved; a table that is built; a trap that is opened."""

from playwright.sync_api import Page, expect

from tests.browser.screen import act, main, visit


def test_a_challenge_is_failed_diagnosed_and_solved_and_a_trap_opens_its_page(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/challenges")

    def check() -> None:
        act(page, lambda: page.get_by_role("button", name="Check").click())

    page.get_by_label("Your answer").fill("20/30")
    check()
    expect(main(page)).to_contain_text("You divided by the row")
    expect(main(page)).to_contain_text("0 of 30 solved")
    page.get_by_label("Your answer").fill("10.4 percent")
    check()
    expect(main(page)).to_contain_text("Near enough: the answer is 10.0\u202f%. You answered 10.4\u202f%.")
    expect(main(page)).to_contain_text("1 of 30 solved")
    # A reload begins a new session, which hears from the tab what was answered, and what was typed and not checked.
    page.get_by_label("Your answer").fill("1/9")
    page.reload()
    expect(main(page)).to_contain_text("1 of 30 solved")
    expect(main(page)).to_contain_text("Near enough: the answer is 10.0")
    expect(page.get_by_label("Your answer")).to_have_value("1/9")
    act(page, lambda: page.get_by_role("button", name="Other numbers").click())
    assert "variant=1" in page.url
    expect(main(page)).not_to_contain_text("Near enough")

    visit(page, f"{server}/challenges?challenge=accuracy_paradox")
    for cell, count in {"TP": "5", "FP": "0", "FN": "5", "TN": "9990"}.items():
        field = page.get_by_label(cell, exact=True)
        field.fill(count)
        act(page, lambda field=field: field.press("Tab"))
    expect(page.locator("[class*=st-key-built]")).to_contain_text("50.0")  # the recall of what was typed so far
    check()
    expect(main(page)).to_contain_text("Your test still finds somebody")
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0

    # A list is ordered by hand: its first hit moves up, by a key and by dragging; the numbers follow.
    visit(page, f"{server}/challenges?challenge=rr_ignores_the_rest")
    built = page.locator("[class*=st-key-built]")
    expect(built).to_contain_text("0.500")
    handle = page.get_by_role("button", name="Move Document B")
    handle.focus()
    act(page, lambda: page.keyboard.press("ArrowUp"))
    expect(built).to_contain_text("1.000")
    start, end = (page.get_by_role("button", name=f"Move Document {letter}").bounding_box() for letter in "CE")
    page.mouse.move(start["x"] + 10, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(start["x"] + 10, end["y"] + end["height"], steps=4)
    act(page, page.mouse.up)
    check()
    expect(main(page)).to_contain_text("First = 1")

    act(page, lambda: page.get_by_role("tab", name="Traps").click())
    page.get_by_text("About a half").click()
    check()
    expect(main(page)).to_contain_text("How large are these classes?")
    page.get_by_text("99.9 %").first.click()
    check()
    expect(main(page)).to_contain_text("What to look at")
    act(page, lambda: page.get_by_role("link", name="Open it on its page").click())
    assert "/confusion?data=always_negative" in page.url
    expect(page.locator(".st-key-finding")).to_contain_text("99.9")
