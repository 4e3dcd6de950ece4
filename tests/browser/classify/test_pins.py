"""Pins and undo in a browser: by hand, keys and touch, in the link, on other pages and in the report."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Rooms
from tests.browser.screen import (
    SCROLLED,
    TOUCH,
    TWO_FRAMES,
    act,
    arrive,
    choose,
    follow,
    main,
    reload,
    resting_box,
    swipe,
    upload,
)
from tests.browser.threshold_view import drag, handle, said, typed

AT = "/threshold?data=breast_cancer&t=0.3648"


def changes(page: Page) -> list[str]:
    """What stands small beside the rates of the 2×2, and the letters of its cells."""
    letters = page.locator(".threshold-view .letters").all_text_contents()
    return [*letters, *page.locator(".threshold-view text.small.grey").filter(has_text="pt").all_text_contents()]


def chip(page: Page, index: int) -> None:
    page.locator(".st-key-pins").get_by_role("button").nth(index).click()


def undo(page: Page) -> str:
    return page.locator(".undo button").first.get_attribute("title")


def test_a_pin_is_compared_with_while_the_line_moves_and_stays_in_the_link(page: Page, server: str) -> None:
    sent: list[object] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    arrive(page, server + AT)
    assert page.locator(".threshold-view .ghost, .st-key-pins").count() == 0
    expect(page.locator(".undo")).to_be_hidden()
    act(page, page.get_by_role("button", name="Pin this threshold").click)
    # On the pin itself nothing differs.
    expect(page.get_by_role("button", name="Unpin this threshold")).to_have_attribute("aria-pressed", "true")
    assert changes(page) == ["TP", "FP", "FN", "TN"]
    sent.clear()
    heard = drag(page, page.locator(".threshold-view .knob"), 60)
    assert not sent
    assert all(re.search(r", against 0.3648: (found|false alarms|dismissed) [−+]", words) for words in heard[2:])
    during = changes(page)
    act(page, page.mouse.up)
    # The server says to the digit what was seen under the hand.
    assert changes(page) == during
    assert len(during) > 12
    assert page.locator(".threshold-view path.ghost").count() == 1
    reload(page)
    assert changes(page) == during
    # By the key, from where the arrows have got to.
    handle(page).focus()
    page.keyboard.press("ArrowLeft")
    act(page, lambda: page.keyboard.press("p"))
    assert changes(page) == ["TP", "FP", "FN", "TN"]
    assert page.locator(".threshold-view path.ghost").count() == 2


def test_pins_are_named_compared_and_taken_out(page: Page, server: str) -> None:
    own, other = "0.5~logistic_regression~~", "0.37~nearest_neighbours~~Spring"
    arrive(page, f"{server}{AT}&pins={own}!{other}&part=Pins")
    chips = page.locator(".st-key-pins").get_by_role("button")
    expect(chips.nth(1)).to_contain_text("Spring")
    expect(main(page)).to_contain_text("by accuracy")
    expect(main(page)).to_contain_text("right only at A")
    chip(page, 0)
    name = page.get_by_label("Name", exact=True)
    name.fill("Last year")
    act(page, lambda: name.press("Enter"))
    expect(chips.first).to_contain_text("Last year")
    expect(page).to_have_url(re.compile("Last"))
    page.keyboard.press("Escape")
    chip(page, 1)
    act(page, page.get_by_role("button", name="Compare with this pin").click)
    expect(chips.first).to_contain_text("Spring")
    page.keyboard.press("Escape")
    # The system and the threshold of a pin come back together.
    chip(page, 0)
    act(page, page.get_by_role("button", name="Go to Spring").click)
    expect(page).to_have_url(re.compile("system=nearest_neighbours"))
    expect(handle(page)).to_have_attribute("aria-valuetext", re.compile(r"^0\.37:"))
    for link in ("Confusion matrix", "Curves"):
        follow(page, link)
        expect(main(page)).to_contain_text("Compared with the pin Spring")
    follow(page, "Report")
    frame = page.frame_locator("[data-testid=stMain] iframe")
    expect(frame.locator(".threshold-view .ghost").first).to_be_attached()
    expect(frame.locator("body")).to_contain_text("right only at A")


def test_undo_goes_through_what_was_done_and_says_it(page: Page, server: str) -> None:
    arrive(page, server + AT)
    act(page, lambda: (handle(page).focus(), page.keyboard.press("p")))
    typed(page, "0.5")
    assert undo(page) == "Undo: threshold 0.3648 → 0.5"
    choose(page, "System", "nearest_neighbours")
    assert undo(page) == "Undo: system logistic_regression → nearest_neighbours"
    choose(page, "Goal", "Lowest cost")
    assert undo(page) == "Undo: goal Lowest cost"
    act(page, lambda: page.keyboard.press("Control+z"))
    expect(page.get_by_label("Goal", exact=True)).not_to_have_value("Lowest cost")
    act(page, page.locator(".undo button").first.click)
    expect(page).not_to_have_url(re.compile("system="))
    act(page, lambda: page.keyboard.press("Control+z"))
    expect(page.locator(".undo [role=status]")).to_have_text("Back to threshold 0.3648")
    assert said(page).startswith("0.3648:")
    act(page, lambda: page.keyboard.press("Control+z"))
    expect(page.locator(".st-key-pins")).to_have_count(0)
    expect(page.locator(".undo button").first).to_be_disabled()
    act(page, lambda: page.keyboard.press("Control+Shift+z"))
    act(page, lambda: page.keyboard.press("Control+y"))
    assert said(page).startswith("0.5:")
    expect(page.locator(".undo [role=status]")).to_have_text("Redone: threshold 0.5")
    # A field that is typed into has an undo of its own, and another page is not taken back.
    before = page.url
    handle(page).focus()
    page.keyboard.press("Enter")
    page.keyboard.type("0.7")
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    assert page.url == before
    follow(page, "Curves")
    expect(page.locator(".undo button").first).to_be_disabled()


def test_each_change_of_costs_is_a_step_and_comes_back_whole(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold?data=payments&t=0.5&limit1=recall&value1=0.4")
    page.get_by_role("button", name="What does a miss cost?").click()
    for label, value in (("A miss costs", "amount"), ("A false alarm costs", "share")):
        field = page.locator(f".threshold-view select[aria-label='{label}']")
        act(page, lambda field=field, value=value: field.select_option(value))
    assert undo(page) == "Undo: costs"
    act(page, page.get_by_role("button", name="Go to").first.click)
    whole = page.url
    for keys in ("Control+z", "Control+Shift+z"):
        for _ in range(3):
            act(page, lambda keys=keys: page.keyboard.press(keys))
        assert ("goal" in page.url, "amounts" in page.url) == (keys != "Control+z",) * 2
    assert page.url == whole
    # On a page that asks for none of them, another file takes them out and its undo brings them back.
    follow(page, "Home")
    before = page.url
    table = b"actual,score\nyes,0.9\nno,0.2\nyes,0.7\nno,0.4\n"
    upload(page, {"name": "other.csv", "mimeType": "text/csv", "buffer": table})
    assert re.fullmatch("Undo: data set .* → other.csv", undo(page))
    act(page, lambda: page.keyboard.press("Control+z"))
    assert page.url == before
    assert "limit1=recall" in page.url
    # The goal and its costs are in the link of every page.
    follow(page, "Confusion matrix")
    arrive(page, page.url)
    follow(page, "Threshold")
    expect(page.get_by_label("Goal", exact=True)).to_have_value("Lowest cost")
    assert "check_share" in page.url


def test_undo_names_rows_counts_and_parts(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold?data=breast_cancer&t=0.5")
    act(page, page.get_by_role("radio", name="In use").or_(page.get_by_role("button", name="In use")).first.click)
    assert undo(page) == "Undo: In use opened"
    page.get_by_role("spinbutton", name=re.compile("^FN ")).focus()
    act(page, lambda: page.keyboard.press("Enter"))
    assert undo(page) == "Undo: rows"
    act(page, page.get_by_role("button", name="Use as filter").click)
    assert undo(page) == "Undo: changed table"
    follow(page, "Confusion matrix")
    number = page.locator(".cell.fn input")
    number.fill("3")
    act(page, lambda: number.press("Enter"))
    assert undo(page) == "Undo: edited counts"


_UNDER_UNDO = """() => {
  const tools = document.querySelector(".undo")
  tools.classList.add("used")
  const own = tools.getBoundingClientRect()
  const others = [...document.querySelectorAll(":is(.stMain, .stAppHeader) :is(button, a, h1, h2)")]
  return others.filter(node => !tools.contains(node)).filter(node => {
    const box = node.getBoundingClientRect()
    return box.width && own.left < box.right && box.left < own.right && own.top < box.bottom && box.top < own.bottom
  }).map(node => node.innerText)
}"""


def test_undo_lies_over_nothing_on_a_phone(rooms: Rooms, server: str) -> None:
    with rooms.room(**TOUCH) as context:
        page = context.new_page()
        for there in ("/", "/confusion?cells=90%2C10%2C20%2C880"):
            arrive(page, server + there)
            for width in (320, 390, 640):
                page.set_viewport_size({"width": width, "height": 844})
                page.evaluate(TWO_FRAMES)
                assert page.evaluate(_UNDER_UNDO) == [], (there, width)


def test_a_phone_pins_by_touch(rooms: Rooms, server: str) -> None:
    with rooms.room(**TOUCH) as context:
        page = context.new_page()
        arrive(page, f"{server}{AT}&pins=0.5~logistic_regression~~The+threshold+of+the+whole+of+last+year")
        heading = page.locator(".threshold-view text").filter(has_text=re.compile("^(At this|Against)")).bounding_box()
        assert heading["x"] + heading["width"] <= page.locator(".threshold-view .tools").bounding_box()["x"]
        arrive(page, server + AT)
        button = page.get_by_role("button", name="Pin this threshold")
        resting_box(button)
        act(page, button.tap)
        chips = page.locator(".st-key-pins").get_by_role("button")
        assert chips.first.bounding_box()["height"] >= 24
        assert page.locator(".undo button").first.bounding_box()["height"] >= 40
        act(page, page.locator(".undo button").first.tap)
        expect(chips).to_have_count(0)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
        # The name of the pin ends before the tools.
        arrive(page, f"{server}/threshold?data=breast_cancer&t=0.5&pins=0.5005~logistic_regression~~")
        words = page.locator(".threshold-view text").filter(has_text="Against 0.5005").bounding_box()
        assert words["x"] + words["width"] <= page.locator(".threshold-view .tools").bounding_box()["x"]


def test_a_finger_on_the_line_scrolls_up_and_down_and_moves_it_sideways(rooms: Rooms, server: str) -> None:
    with rooms.room(**TOUCH) as context:
        page = context.new_page()
        for there, name in (("/", "home"), ("/threshold?data=breast_cancer&t=0.5", "threshold")):
            arrive(page, server + there)
            cut = resting_box(page.locator(".threshold-view .knob"))
            x, y, before, words = cut["x"] + 15, cut["y"] + 120, page.evaluate(SCROLLED), said(page)
            swipe(page, x, y, 0, -90)
            assert page.evaluate(SCROLLED) > before + 50, name
            assert said(page) == words
        cut = resting_box(page.locator(".threshold-view .knob"))
        act(page, lambda: swipe(page, cut["x"] + 15, cut["y"] + 80, 40, 4))
        assert said(page) != words
        assert page.locator(".stMultiSelect").first.bounding_box()["width"] > 300
