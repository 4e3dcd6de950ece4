"""The knob of costs on the threshold view, by hand, by keys and typed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from evalcore.analyses import Source, best_threshold
from evalcore.classification import cost_goal, youden_goal
from evalcore.figures.threshold_view import Drawing, make_threshold_view, view_alone
from evalcore.inference import IntervalChoice
from evalcore.readers import read_sample
from evalcore.reports import write_report
from tests.analyses.small_scores import scores_of
from tests.browser.conftest import WIDE, Rooms
from tests.browser.screen import TWO_FRAMES, act, reload, resting_box, visit
from tests.browser.threshold_view import handle, stand


@pytest.fixture(scope="module")
def page(rooms: Rooms) -> Iterator[Page]:
    with rooms.room() as context:
        page = context.new_page()
        page.set_viewport_size(WIDE)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        yield page
    assert errors == []


# Whether the names of the lines of measures are drawn after the curve, so that it strikes none of them.
NAMES_ABOVE = """curve => {
  const names = [...curve.ownerSVGElement.querySelectorAll("text")].filter(text => text.textContent === "specificity")
  return names.length === 1 && Boolean(curve.compareDocumentPosition(names[0]) & Node.DOCUMENT_POSITION_FOLLOWING)
}"""


def knob(page: Page) -> Locator:
    return page.get_by_role("spinbutton", name="Cost of a miss, in false alarms")


def says(page: Page, words: str) -> None:
    expect(knob(page)).to_have_attribute("aria-valuetext", re.compile(words))


def test_it_is_one_small_button_until_it_is_used(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5")
    expect(knob(page)).to_be_hidden()
    opener = page.get_by_role("button", name="What does a miss cost?")
    expect(opener).to_have_attribute("aria-pressed", "false")
    opener.click()
    expect(opener).to_have_attribute("aria-pressed", "true")
    expect(knob(page)).to_be_focused()
    expect(page.locator(".threshold-view .cost > span")).to_have_text(re.compile(r"A miss costs\s*false alarm$"))
    says(page, r"^1; 0\.3648 would cost least: 29\.9 per 1\D000 cases; same as acting when the risk is above 50\.0")
    # Looking asks the server nothing.
    assert "goal" not in page.url
    assert handle(page).get_attribute("aria-valuetext").startswith("0.5:")
    # A pin leaves it as it is.
    act(page, page.get_by_role("button", name="Pin this threshold").click)
    expect(opener).to_have_attribute("aria-pressed", "true")
    expect(knob(page)).to_be_visible()


@pytest.mark.parametrize(("threshold", "costs"), [("0.95", "miss_cost=50"), ("0.5", "miss_cost=5&hit_cost=-1")])
def test_the_least_cost_and_that_of_the_threshold_lie_inside(
    page: Page, server: str, threshold: str, costs: str
) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t={threshold}&goal=Lowest+cost&{costs}")
    expect(page.locator(".threshold-view circle.mark.accent").last).to_have_attribute("visibility", "visible")
    expect(page.locator(".threshold-view .under text", has_text="cost, cut off above")).to_be_visible()
    assert page.locator(".threshold-view path.costs").evaluate(NAMES_ABOVE)
    curve, line = (page.locator(f".threshold-view {part}").bounding_box() for part in ("path.costs", ".grip .catch"))
    assert curve["y"] + curve["height"] <= line["y"] + line["height"] + 5  # the box counts the width of the stroke


def test_opened_it_comes_into_view_and_leaves_the_mark_of_the_goal_until_it_is_turned(page: Page, server: str) -> None:
    page.set_viewport_size({"width": WIDE["width"], "height": 420})
    visit(page, f"{server}/threshold?data=payments&t=0.5")
    mark = page.locator(".threshold-view path.goal").last
    page.get_by_role("button", name="What does a miss cost?").scroll_into_view_if_needed()
    before = mark.get_attribute("d")
    page.get_by_role("button", name="What does a miss cost?").click()
    expect(knob(page)).to_be_in_viewport(ratio=1)
    expect(page.locator(".threshold-view .cost output")).to_be_in_viewport(ratio=1)
    assert mark.get_attribute("d") == before
    band = page.locator(".threshold-view path.near")
    expect(band).to_have_attribute("d", "")
    act(page, lambda: knob(page).press("ArrowUp"))
    expect(mark).not_to_have_attribute("d", before)
    expect(band).not_to_have_attribute("d", "")
    page.set_viewport_size(WIDE)


def test_on_a_phone_its_words_have_room_from_the_first_opening(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5")
    page.get_by_role("button", name="What does a miss cost?").click()
    says(page, "^1;")
    page.evaluate(TWO_FRAMES)
    cost, tools = (page.locator(f".threshold-view {part}").bounding_box() for part in (".cost", ".tools"))
    assert cost["y"] + cost["height"] <= tools["y"]
    # The word at the curve of costs leaves the names of the other lines alone.
    visit(page, f"{server}/threshold?data=roc_20&t=0.5&goal=Lowest+cost&miss_cost=60")
    word = page.locator(".threshold-view .under text", has_text="cost").bounding_box()
    for name in page.locator(
        ".threshold-view .under text", has_text=re.compile("^(recall|precision|specificity|F1)$")
    ).all():
        box = name.bounding_box()
        beside = box["x"] + box["width"] < word["x"] or word["x"] + word["width"] < box["x"]
        assert beside or abs(box["y"] - word["y"]) > 12, name.text_content()
    page.set_viewport_size(WIDE)


def test_a_hand_turns_it_and_the_best_threshold_follows_before_the_server_hears(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5")
    page.get_by_role("button", name="What does a miss cost?").click()
    box = resting_box(knob(page))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y)
    page.mouse.move(x + 120, y)
    page.evaluate(TWO_FRAMES)
    says(page, r"^10; 0\.\d+ costs least")
    turned = knob(page).get_attribute("aria-valuetext")
    assert "goal" not in page.url
    act(page, page.mouse.up)
    expect(page).to_have_url(re.compile("goal=Lowest"))
    expect(page).to_have_url(re.compile(r"miss_cost=10\.0"))
    # With every distinct score in the browser, the server's answer is the one that was seen.
    says(page, re.escape(turned))
    expect(page.locator("[class*=st-key-answer]")).to_contain_text("per 1")


def test_keys_step_it_and_a_typed_number_is_taken_exactly(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5&goal=Lowest+cost&miss_cost=5")
    says(page, "^5;")
    knob(page).focus()
    act(page, lambda: page.keyboard.press("ArrowUp"))
    says(page, r"^6\.3;")
    act(page, lambda: [page.keyboard.press("Enter"), page.keyboard.type("3.75"), page.keyboard.press("Enter")])
    says(page, r"^3\.75;")
    expect(page).to_have_url(re.compile(r"miss_cost=3\.75"))
    # What cannot be a cost changes nothing.
    for key in ("Enter", "0", "Enter"):
        page.keyboard.press(key)
    says(page, r"^3\.75;")


def test_on_home_it_stays_open_with_its_number(page: Page, server: str) -> None:
    visit(page, f"{server}/?data=breast_cancer")
    page.get_by_role("button", name="What does a miss cost?").click()
    act(page, lambda: knob(page).press("ArrowUp"))
    says(page, r"^1\.3;")
    act(page, page.get_by_role("button", name="Pin this threshold").click)
    says(page, r"^1\.3;")
    reload(page)
    says(page, r"^1\.3;")


def test_another_goal_puts_it_to_rest(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5&goal=Lowest+cost&miss_cost=5")
    says(page, "^5;")
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5")
    expect(knob(page)).to_be_hidden()


def test_the_rows_own_amounts_are_a_choice_of_the_knob(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=payments&t=0.5&goal=Lowest+cost&miss_cost=8")
    act(page, lambda: page.get_by_role("combobox", name="A miss costs").select_option("amount"))
    alarm = page.get_by_role("spinbutton", name="Cost of a false alarm")
    # The mean fraud, 130, costs as many false alarms as before.
    expect(alarm).to_have_attribute("aria-valuetext", re.compile(r"^16; 0\.366 costs least"))
    expect(alarm).to_have_attribute("title", re.compile("average miss costs as many false alarms as before"))
    expect(page).to_have_url(re.compile("amounts=amount&check=16"))
    act(page, lambda: alarm.press("ArrowUp"))
    expect(alarm).to_have_attribute("aria-valuetext", re.compile("^20; "))
    expect(page.locator("[class*=st-key-answer]")).to_contain_text("flagging none would cost")
    act(page, lambda: page.get_by_role("combobox", name="A false alarm costs").select_option("share"))
    expect(page).to_have_url(re.compile("check_share=0"))
    act(page, lambda: page.get_by_role("combobox", name="A miss costs").select_option(""))
    says(page, "^8; ")


def answered(fn_cost: float | None = None) -> dict:
    """The view of twenty rows with the answer to what a miss costs, as a server sends it."""
    scores = scores_of("roc_20")
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    goal = youden_goal() if fn_cost is None else cost_goal(fn_cost=fn_cost)
    return view_alone(scores, 0.5, view, best_threshold(scores, goal))


@pytest.mark.parametrize(("price", "leaves"), [(0.05, r"^M\S+ \S+V"), (20, r"V[\d.]+$")])
def test_a_cost_above_the_picture_leaves_it_at_its_top(page: Page, price: float, leaves: str) -> None:
    stand(page, answered(price))
    expect(page.locator("path.costs")).to_have_attribute("d", re.compile(leaves), timeout=5000)


def test_no_answer_takes_back_what_is_still_under_the_hand(page: Page) -> None:
    stand(page, answered(5))
    knob(page).press("ArrowUp")
    page.wait_for_function("messages.length === 1")
    knob(page).press("ArrowUp")
    page.evaluate("over => answer({ over, heard: 1 })", answered(6.3)["over"])
    says(page, r"^7\.9;")
    page.wait_for_function("messages.length === 2")
    # Back to what the server last said is a turn too, while the turn before is on its way.
    knob(page).press("ArrowDown")
    page.wait_for_function("messages.length === 3")
    assert page.evaluate("messages.map(message => message.cost)") == [6.3, 7.9, 6.3]


def test_an_answer_counts_where_the_line_has_moved_meanwhile(page: Page) -> None:
    stand(page, answered())
    page.get_by_role("button", name="What does a miss cost?").click()
    knob(page).press("ArrowUp")
    page.wait_for_function("messages.length === 1")
    handle(page).press("ArrowRight")
    page.wait_for_function("messages.length === 2")
    over = answered(1.3)["over"]
    over["cost"]["words"] = "as the server says"
    for heard in (1, 2):
        page.evaluate("sent => answer(sent)", {"over": over, "heard": heard})
    says(page, r"^1\.3; as the server says")


def test_undo_takes_back_a_turn_by_keys(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.5&goal=Lowest+cost&miss_cost=5")
    knob(page).focus()
    act(page, lambda: page.keyboard.press("ArrowUp"))
    says(page, r"^6\.3;")
    act(page, lambda: page.keyboard.press("Control+z"))
    says(page, "^5;")


def test_it_turns_in_a_report_without_a_server(rooms: Rooms, tmp_path: Path) -> None:
    source = Source.of(read_sample("payments"), sample="payments")
    write_report(source, file := tmp_path / "report.html", ["classify/threshold"])
    with rooms.room() as context:
        page = context.new_page()
        page.goto(file.as_uri())
        page.get_by_role("button", name="What does a miss cost?").click()
        knob(page).focus()
        for _ in range(7):
            page.keyboard.press("ArrowUp")
        says(page, r"^5; 0\.4977 costs least: \d+ per")
