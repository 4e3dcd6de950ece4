"""The keys of the threshold view: none is lost, however many are pressed and whatever happens meanwhile."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import WIDE, Rooms
from tests.browser.screen import act, visit
from tests.browser.threshold_view import drag, handle, open_scores, press_at_once, said, typed

MANY = "actual,score\n" + "".join(f"{int(k % 3 == 0)},{k / 4}\n" for k in range(4000))
FEW = "actual,score\n" + "".join(f"{int(k % 3 == 0)},{k}\n" for k in range(500))
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def many(rooms: Rooms, server: str) -> Iterator[Page]:
    """The page with 4,000 scores, 0 to 999.75, of which the browser has only some; the tests share it."""
    with rooms.room() as context:
        page = context.new_page()
        page.set_viewport_size(WIDE)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        open_scores(page, server, MANY)
        yield page
    assert errors == []


def stands_at(page: Page, threshold: str) -> None:
    """The line stands there, and so does the address."""
    shown = threshold.replace("inf", "∞")
    expect(handle(page)).to_have_attribute("aria-valuetext", re.compile(rf"^{re.escape(shown)}:"))
    expect(page).to_have_url(re.compile(rf"[?&]t={re.escape(repr(float(threshold)))}(&|$)"))


def test_of_many_scores_an_arrow_finds_the_very_next_one(many: Page) -> None:
    typed(many, "500.25")
    for expected in ("500.5", "500.75", "501"):
        many.keyboard.press("ArrowRight")
        expect(handle(many)).to_have_attribute("aria-valuetext", re.compile(rf"^{re.escape(expected)}:"))
    stands_at(many, "501")
    # Held down, the key goes on beyond the neighbours that have come; what is pressed meanwhile counts too.
    for _ in range(130):
        many.keyboard.press("ArrowLeft")
    stands_at(many, "468.5")
    # A line that was dragged stands at a stop; the next score is its neighbour in the file.
    act(many, lambda: (drag(many, many.locator(".threshold-view .knob"), 60), many.mouse.up()))
    dragged = float(said(many).split(":")[0])
    many.keyboard.press("ArrowRight")
    many.keyboard.press("ArrowRight")
    stands_at(many, f"{dragged + 0.5:g}")
    # At the end of the scores there is no further one, and no answer is waited for.
    act(many, lambda: many.keyboard.press("End"))
    for _ in range(2):
        many.keyboard.press("ArrowRight")
    stands_at(many, "inf")
    many.keyboard.press("ArrowLeft")
    stands_at(many, "999.75")


@pytest.mark.parametrize(
    ("keys", "threshold"),
    [
        (320 * ["ArrowRight"] + 10 * ["ArrowLeft"], "577.75"),
        # A named place takes back what was pressed before it, and what is pressed after it starts there.
        (64 * ["ArrowRight"] + ["Home"], "0"),
        (["ArrowRight", "Home", "ArrowRight"], "0.25"),
        (70 * ["ArrowRight"] + ["Home"] + 70 * ["ArrowRight"], "17.5"),
        # At an end a key does nothing, so that it needs no second one to be taken back.
        (["End"] + 3 * ["ArrowRight"] + ["ArrowLeft"], "999.75"),
        (["Home"] + 5 * ["ArrowLeft"] + ["ArrowRight"], "0.25"),
        # One percent are 40 rows, from where the arrows have got to; stops lie up to five rows apart.
        (["ArrowRight", "PageUp", "ArrowRight"], "511.5"),
        (["Home", "PageUp", "PageUp"], "21"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_keys_pressed_before_the_server_can_answer_are_all_made(many: Page, keys: list[str], threshold: str) -> None:
    typed(many, "500.25")
    stands_at(many, "500.25")
    press_at_once(many, keys)
    stands_at(many, threshold)


def test_what_is_typed_after_keys_is_where_the_line_ends(many: Page) -> None:
    typed(many, "500.25")
    stands_at(many, "500.25")
    press_at_once(many, 64 * ["ArrowRight"] + ["Enter"])
    many.locator(".threshold-view .field input").evaluate(
        """input => { input.value = "3.1"; input.form.requestSubmit() }"""
    )
    stands_at(many, "3.1")
    many.keyboard.press("ArrowLeft")
    stands_at(many, "3")


def test_a_page_key_goes_on_from_where_the_last_one_went(page: Page, server: str) -> None:
    open_scores(page, server, FEW)
    act(page, lambda: handle(page).press("Home"))
    # Three times five rows of 500, faster than a frame is painted.
    press_at_once(page, 3 * ["PageUp"])
    stands_at(page, "15")
    press_at_once(page, ["ArrowRight", "PageDown"])
    stands_at(page, "11")
    # Below all scores there is nothing more to the left.
    typed(page, "-7")
    press_at_once(page, ["PageDown", "ArrowLeft"])
    handle(page).press("ArrowRight")
    stands_at(page, "0")


def setting(page: Page, name: str) -> str:
    """Open the settings of the surface; a script that chooses one of them."""
    page.get_by_role("button", name="Axis and densities").click()
    expect(page.get_by_role("radio", name=name, exact=True)).to_be_visible()
    return f"""() => [...document.querySelectorAll("[role=radio]")].find(it => it.textContent === "{name}").click()"""


def test_a_setting_that_arrives_takes_no_key_back(many: Page) -> None:
    typed(many, "500.25")
    handle(many).press("ArrowRight")
    stands_at(many, "500.5")
    choose = setting(many, "Share of the class")
    press_at_once(many, ["ArrowRight"])
    act(many, lambda: many.evaluate(choose))
    stands_at(many, "500.75")
    choose = choose.replace("Share of the class", "Counts")
    press_at_once(many, 70 * ["ArrowRight"])
    act(many, lambda: many.evaluate(choose))
    stands_at(many, "518.25")


@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "late"])
def test_a_message_that_gets_no_answer_is_sent_again(rooms: Rooms, server: str, arrives: bool) -> None:
    waiting: list[str | bytes] = []
    keys: list[str | bytes] = []

    def connect(socket: WebSocketRoute) -> None:
        there = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if isinstance(message, bytes) and b'"near"' in message:
                keys.append(message)
                if not arrives and len(keys) == 1:
                    return
            waiting.append(message)
            # Late are the first keys and all that is sent after them, until they have been sent again.
            while waiting and (not arrives or len(keys) != 1):
                there.send(waiting.pop(0))

        socket.on_message(pass_on)

    with rooms.room() as context:
        page = context.new_page()
        page.set_viewport_size(WIDE)
        page.route_web_socket("**/_stcore/stream", connect)
        open_scores(page, server, MANY)
        typed(page, "500.25")
        choose = setting(page, "Share of the class")
        press_at_once(page, 70 * ["ArrowRight"])
        act(page, lambda: page.evaluate(choose))
        stands_at(page, "517.75")
    assert len(keys) > 2


def test_a_setting_that_arrives_during_a_drag_waits_for_its_end(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    choose = setting(page, "Logarithmic")
    before = said(page)
    assert drag(page, page.locator(".threshold-view .knob"), -90)[-1] != before
    act(page, lambda: page.evaluate(choose))
    page.mouse.move(200, 200)
    page.evaluate(FRAMES)
    dragged = said(page)
    page.mouse.up()
    expect(page.locator(".threshold-view.dragging")).to_have_count(0)
    stands_at(page, dragged.split(":")[0])
    assert said(page) == dragged
    expect(page.locator(".threshold-view")).to_contain_text("logarithmic")


def test_a_threshold_that_comes_while_the_page_has_no_mark_makes_no_error(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor()
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    page.evaluate("""() => document.querySelector("[data-run]").removeAttribute("data-run")""")
    handle(page).press("ArrowRight")
    expect(page).to_have_url(re.compile(r"[?&]t=0\.55(&|$)"))
    links = page.locator(".st-key-menu a[href*='t=0.55']")
    expect(links.first).to_be_attached()
