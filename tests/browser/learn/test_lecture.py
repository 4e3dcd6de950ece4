"""A lecture in a browser: a receipt verified and an altered one refused, a room, the keys of a clicker."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from evalcore.learning import Lecture, Part, lecture_of_file
from tests.browser.screen import act, arrive, main, visit
from tests.browser.server import serving

LECTURE = Lecture(
    "Base rates",
    (
        Part(question="Which rate does not depend on the prevalence?", options=("precision", "recall", "F1"), right=1),
        Part(
            text="Of {n} alarms 20 are true.",
            question="Precision?",
            number="20 / n",
            drawn={"n": (40, 400)},
            page="classify/confusion",
            settings={"data": "cancer_test"},
        ),
    ),
)
LINK = f"/lecture?{urlencode({'lecture': LECTURE.link()})}"


def test_a_receipt_is_verified_and_an_altered_one_refused(page: Page, server: str) -> None:
    visit(page, server + LINK)
    page.get_by_text("A room for the class").click()
    expect(main(page)).to_contain_text("allowedHosts")
    page.get_by_label("Your name").fill("Ada")
    act(page, page.get_by_role("button", name="Start with my own numbers").click)
    page.get_by_text("recall", exact=True).click()
    act(page, page.get_by_role("button", name="Check").click)
    act(page, page.get_by_role("button", name="Next", exact=True).click)
    page.get_by_label("Your answer").fill("3 %")
    act(page, page.get_by_role("button", name="Check").click)
    act(page, page.get_by_role("button", name="Next", exact=True).click)
    expect(main(page)).to_contain_text("1 of 2 right at the first answer")
    receipt = page.locator(".stCode").last.inner_text()
    act(page, page.get_by_role("radio", name="Verify receipts").click)
    copied, raised = receipt.replace('"Ada"', '"Bob"'), receipt.replace("1 of 2", "2 of 2")
    page.get_by_label("Paste one or more receipts").fill("\n".join((receipt, copied, raised)))
    act(page, page.get_by_role("button", name="Verify", exact=True).click)
    rows = page.locator(".results tbody tr")
    expect(rows.nth(0)).to_contain_text("Ada1 of 2✓ verified")
    expect(rows.nth(1)).to_contain_text("✗ The numbers belong to another name")
    expect(rows.nth(2)).to_contain_text("✗ Its answers give 1 of 2")


def test_a_lecture_is_saved_as_one_file_which_opens_it_again(page: Page, server: str, tmp_path: Path) -> None:
    visit(page, server + LINK)
    act(page, page.get_by_role("radio", name="As one file").click)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Lesson as one file").click()
    file = tmp_path / "lesson.html"
    saved.value.save_as(file)
    assert lecture_of_file(file.read_text(encoding="utf-8")).digest == LECTURE.digest
    act(page, page.get_by_role("button", name="Close this lecture").click)
    act(page, lambda: page.locator("input[type=file]").set_input_files(file))
    expect(page.get_by_role("radio", name="Verify receipts")).to_be_visible()
    assert LECTURE.link() in page.url


def test_a_room_is_led_by_the_keys_of_a_clicker(visitor: Callable[..., Page], tmp_path: Path) -> None:
    with serving(tmp_path, "app.py", "--server.allowedHosts=127.0.0.1") as server:
        lecturer = visitor(viewport={"width": 1024, "height": 768})
        arrive(lecturer, server + LINK)
        lecturer.get_by_text("A room for the class").click()
        act(lecturer, lecturer.get_by_role("button", name="Open a room").click)
        code = lecturer.url.partition("room=")[2][:5]
        assert "host=" not in lecturer.url  # which a projector shows
        lecturer.reload()
        expect(lecturer.get_by_role("button", name="Close the room")).to_be_visible()
        guests = [visitor() for _ in range(2)]
        for guest, answer in zip(guests, ("recall", "precision"), strict=True):
            arrive(guest, f"{server}/lecture?room={code}")
            guest.get_by_text(answer, exact=True).click()
            guest.get_by_role("button", name="Send my guess").click()
            expect(main(guest)).to_contain_text(f"Your guess: {answer}. Wait for the answer.")
        expect(main(lecturer)).to_contain_text("2 guesses")
        act(lecturer, lecturer.get_by_role("button", name="Present").click)
        expect(lecturer.locator("[data-testid=stSidebar]")).to_be_hidden()
        code_of_room = lecturer.get_by_alt_text(f"QR code of the room's address, {server}/lecture?room={code}")
        assert code_of_room.evaluate("node => node.complete && node.naturalWidth > 0")
        assert code_of_room.bounding_box()["height"] > 0.25 * 768
        act(lecturer, lambda: lecturer.keyboard.press("PageDown"))
        expect(main(lecturer)).to_contain_text("2 guesses, 1 of them right")
        for guest in guests:
            expect(main(guest)).to_contain_text("2 guesses, 1 of them right")
        act(lecturer, lambda: lecturer.keyboard.press("ArrowRight"))
        expect(main(guests[1])).to_contain_text("Step 2 of 2")
        act(lecturer, lecturer.get_by_role("link", name="Open this on its page").click)
        assert "/confusion?" in lecturer.url
        act(lecturer, lambda: lecturer.keyboard.press("PageUp"))
        expect(main(lecturer)).to_contain_text(f"Room {code} · 0 guesses")
        text = lecturer.locator(".st-key-lecture-step [data-testid=stMarkdownContainer] p", has_text="alarms").first
        assert text.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") >= 20
        act(lecturer, lambda: lecturer.keyboard.press("Escape"))
        expect(lecturer.locator("[data-testid=stSidebar]")).to_be_visible()
        assert "present=" not in lecturer.url
        for each in (lecturer, *guests):
            each.close()  # before the server goes, which they would miss


def test_an_answer_its_table_and_the_way_on_stay_on_a_projector(visitor: Callable[..., Page], server: str) -> None:
    """The longest steps of the lessons at 1024 × 768, and type that is read from the last row at 1920 × 1080."""
    page = visitor(viewport={"width": 1024, "height": 768})
    for lesson, step in (("prevalence", 5), ("roc", 2), ("roc", 4), ("interpolation", 1), ("micro-macro", 2)):
        arrive(page, f"{server}/lecture?lecture={lesson}&present=1&lecture_step={step}")
        act(page, lambda: page.keyboard.press("PageDown"))
        page.wait_for_function(_ALL_SHOWN)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function(_ALL_SHOWN)
    for lesson, step in (("roc", 4), ("interpolation", 3), ("costs", 5), ("micro-macro", 5), ("ndcg", 4)):
        arrive(page, f"{server}/lecture?lecture={lesson}&present=1&lecture_step={step}")
        act(page, lambda: page.keyboard.press("PageDown"))
        page.wait_for_function(_ALL_SHOWN)
        page.wait_for_function(_ALL_LARGE)


_ALL_SHOWN = """() => {
  const shown = [...document.querySelectorAll(".st-key-lecture-step :is([data-testid=stAlert], table)")]
  const way = document.querySelector(".st-key-lecture-back button").getBoundingClientRect()
  const isFree = ({ right, bottom }) => bottom <= (right < way.left ? innerHeight : way.top)
  return shown.length && shown.every(node => isFree(node.getBoundingClientRect())) && way.bottom <= innerHeight
}"""
_ALL_LARGE = """() => {
  const words = document.querySelectorAll(".st-key-lecture-step [data-testid=stMarkdownContainer] :is(p, li)")
  const read = [...words].filter(node => !node.closest("a, button, .st-key-revealed, [data-testid=stCaptionContainer]"))
  const size = node => parseFloat(getComputedStyle(node).fontSize) * node.currentCSSZoom
  return read.length > 2 && read.every(node => size(node) >= 0.03 * innerHeight)
}"""
