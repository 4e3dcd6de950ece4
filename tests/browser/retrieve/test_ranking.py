"""Rankings in a browser: two files opened together, a row that lights its curve, and the same screen after a reload."""

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import (
    FOCUSED,
    FRAMES,
    act,
    arrive,
    fold,
    go,
    main,
    reload,
    resting_box,
    saved_picture,
    settle,
    upload,
    visit,
)
from tests.retrieval.trec_eval_lists import FOLDER, SEED

QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\n"
RUN = "q1 Q0 a 1 3 x\nq1 Q0 z 2 2 x\nq1 Q0 c 3 1 x\nq2 Q0 b 1 2 x\nq2 Q0 a 2 1 x\n"


def row(page: Page, query: str) -> Locator:
    return page.locator(".rankings .room .row").filter(has=page.locator(".name", has_text=query))


def head(page: Page) -> Locator:
    return page.locator(".st-key-drawer-head p").first


def selected_lines(page: Page) -> Locator:
    return page.locator(".rankings path.selected")


def parameter(page: Page, name: str) -> str | None:
    return parse_qs(urlparse(page.url).query).get(name, [None])[0]


def files(*pairs: tuple[str, str]) -> list[dict]:
    return [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in pairs]


def test_two_files_are_opened_together_and_columns_typed(page: Page, visitor: Callable[..., Page], server: str) -> None:
    arrive(page, f"{server}/ranking")
    upload(page, files(("mine.run", RUN)))
    expect(main(page)).to_contain_text("is a run. Also open the judgments (qrels)")
    upload(page, files(("qrels.txt", QRELS), ("mine.run", RUN)))
    expect(row(page, "q1")).to_be_visible()
    expect(page.locator("[data-testid=stSidebar]")).to_contain_text("Rankings with judgments · 2 queries")
    expect(main(page)).to_contain_text("0.667")  # MAP: (5/6 + 1/2) / 2
    page.get_by_role("button", name="Columns").click()
    typed = page.get_by_role("combobox", name="Measures")
    typed.fill("map")  # not the nearest of the options, GMAP
    act(page, lambda: page.keyboard.press("Enter"))
    typed.fill("IPrec@0.1")
    act(page, lambda: page.keyboard.press("Enter"))
    assert parameter(page, "columns").endswith("~IPrec@0.1")
    stranger = visitor()
    visit(stranger, page.url)
    expect(row(stranger, "q2")).to_be_visible()
    heads = stranger.locator(".rankings .head button").all_inner_texts()
    assert heads[-1] == "IPrec@0.1"
    assert "GMAP" not in heads


def test_what_is_taken_away_is_the_output_of_trec_eval_to_the_byte(page: Page, server: str) -> None:
    arrive(page, f"{server}/ranking")
    upload(page, [FOLDER / "lists.run", FOLDER / "lists.qrels"])
    expect(row(page, "no-list")).to_be_visible()
    act(page, page.get_by_role("button", name="Share").click)
    expect(page.get_by_text("trec_eval -q -c -l 1")).to_be_visible()
    asked = page.get_by_label("Run id", exact=True)
    asked.fill(f"seed{SEED}")
    act(page, lambda: asked.press("Enter"))
    assert parameter(page, "runid") == f"seed{SEED}"
    with page.expect_download() as download:
        page.get_by_role("button", name="trec_eval output").click()
    assert download.value.path().read_bytes() == (FOLDER / "official-c.txt").read_bytes()


def test_rows_light_their_curves_and_a_reload_shows_the_same(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=image_retrieval&sort=query")
    expect(selected_lines(page)).to_have_count(1)
    # The headline takes two lines beside the drawer, and one without.
    place = resting_box(row(page, "q002"))["y"]
    act(page, row(page, "q002").click)
    expect(head(page)).to_have_text("Query q002 · pixels")
    assert abs(resting_box(row(page, "q002"))["y"] - place) < 1
    act(page, lambda: page.keyboard.press("Escape"))
    expect(head(page)).to_have_count(0)
    assert abs(resting_box(row(page, "q002"))["y"] - place) < 1
    # In the same frame as the click, before the server knows of it.
    points = row(page, "q005").evaluate(
        """row => {
          const root = row.getRootNode()
          row.click()
          const line = root.querySelector("path.selected")
          return [line.dataset.place, line.getAttribute("d").length]
        }"""
    )
    assert points[0] == "5"
    assert points[1] > 20
    expect(head(page)).to_have_text("Query q005 · pixels")
    row(page, "q007").locator(".mark").click()
    expect(selected_lines(page)).to_have_count(2)
    expect(head(page)).to_have_text("Query q007 · pixels")
    assert parameter(page, "picked") == "q005~q007"

    act(page, page.locator(".rankings .head button", has_text="AP").click)
    page.wait_for_url("**sort=AP**")
    # A click draws no menu, and a link of it that is opened aside shows the same all the same.
    link = page.locator(".st-key-menu").get_by_role("link", name="Data", exact=True)
    expect(link).to_have_attribute("href", re.compile(r"picked=q005%7Eq007|picked=q005~q007"))
    expect(link).to_have_attribute("href", re.compile("sort=AP"))
    act(page, lambda: (page.get_by_label("k", exact=True).fill("5"), page.keyboard.press("Enter")))
    expect(page.locator(".rankings .head")).to_contain_text("P@5")
    assert parameter(page, "k") == "5"
    expect(selected_lines(page)).to_have_count(2)

    first = page.locator(".rankings .room .row").first.inner_text()
    reload(page)
    expect(selected_lines(page)).to_have_count(2)
    expect(page.locator(".rankings .head")).to_contain_text("P@5")
    expect(head(page)).to_have_text("Query q007 · pixels")
    assert parameter(page, "sort") == "AP"
    page.locator(".rankings .scroller").evaluate("box => { box.scrollTop = 0 }")
    expect(page.locator(".rankings .room .row").first).to_have_text(first.replace("\n", ""), use_inner_text=False)

    page.get_by_label("Find a query").fill("q12")
    expect(page.locator(".rankings .room .row")).to_have_count(10)
    expect(page).to_have_url(re.compile("find=q12"))
    settle(page)
    act(page, page.go_back)
    expect(page.get_by_label("Find a query")).to_have_value("")
    act(page, page.go_forward)
    expect(page.get_by_label("Find a query")).to_have_value("q12")
    page.locator(".rankings .scroller").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(selected_lines(page)).to_have_count(1)
    expect(head(page)).to_contain_text("q12")


def test_a_query_opens_its_list_beside_the_table_and_keys_lead_on(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=image_retrieval&sort=query")
    drawer, scroller = page.locator(".st-key-drawer"), page.locator(".rankings .scroller")
    expect(drawer).to_have_count(0)
    stood = scroller.bounding_box()["y"]
    scroller.focus()
    for _ in range(6):
        page.keyboard.press("ArrowDown")
    act(page, lambda: page.keyboard.press("Enter"))
    expect(head(page)).to_have_text("Query q005 · pixels")
    table = page.locator(".rankings").bounding_box()
    assert table["x"] + table["width"] <= drawer.bounding_box()["x"]
    assert scroller.bounding_box()["y"] < stood + 60, "under the picture, out of view"
    page.wait_for_function(f"() => {FOCUSED}.getAttribute('aria-label') === 'Documents'")
    expect(drawer.locator(".room .row").first).to_contain_text("i0807")
    act(page, lambda: page.keyboard.press("j"))
    expect(head(page)).to_have_text("Query q006 · pixels")
    assert parameter(page, "picked") == "q006"
    act(page, lambda: page.keyboard.press("k"))
    act(page, lambda: page.keyboard.press("k"))
    expect(row(page, "q004")).to_have_attribute("aria-selected", "true")
    # The frame of the row that the keys are on goes along.
    expect(page.locator(".rankings .row.active")).to_contain_text("q004")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert (
        download.value.path().read_text("utf-8-sig").startswith("rank,document,score,grade,relevant,precision,recall")
    )
    act(page, lambda: page.keyboard.press("Escape"))
    expect(drawer).to_have_count(0)
    page.wait_for_function(f"() => {FOCUSED}.className === 'scroller'")
    assert (parameter(page, "picked"), parameter(page, "drawer")) == ("q004", "closed")
    reload(page)
    expect(drawer).to_have_count(0)
    # Letters that are typed lead nowhere, a mark opens nothing, and a second click closes what the first has opened.
    act(page, row(page, "q003").locator(".mark").click)
    expect(selected_lines(page)).to_have_count(2)
    expect(drawer).to_have_count(0)
    act(page, row(page, "q003").click)
    expect(head(page)).to_have_text("Query q003 · pixels")
    page.get_by_label("Find a query").press("k")
    expect(page.locator(".rankings .count")).to_have_text("No query contains “k”")
    expect(page).to_have_url(re.compile("find=k"))
    settle(page)
    assert parameter(page, "picked") == "q003"
    # Among no queries the arrows lead nowhere.
    scroller.press("ArrowDown")
    page.evaluate(FRAMES, 30)
    expect(page.locator(".rankings .picture .legend")).to_contain_text("query q003")
    page.get_by_label("Find a query").fill("")
    act(page, row(page, "q003").click)
    expect(drawer).to_have_count(0)
    # Where a list is open, the arrows of the table lead on too.
    act(page, row(page, "q003").click)
    page.wait_for_function(f"() => {FOCUSED}.getAttribute('aria-label') === 'Documents'")
    scroller.focus()
    act(page, lambda: page.keyboard.press("ArrowDown"))
    expect(head(page)).to_have_text("Query q004 · pixels")


def test_a_phone_reads_it_without_scrolling_sideways(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    visit(page, f"{server}/ranking?data=image_retrieval&picture=ROC")
    expect(selected_lines(page)).to_have_count(1)
    beyond = page.locator("[data-testid=stMain]").evaluate("box => box.scrollWidth - box.clientWidth")
    assert beyond == 0
    name, content = saved_picture(page, page.locator(".rankings .camera"))
    assert name.endswith(" ranking roc.svg")
    assert "ROC of the ranking" in content.decode()
    assert "middle 50" in content.decode()  # the legend goes along


def test_many_queries_are_bands_and_one_of_them_shows_under_the_pointer(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=image_retrieval")
    expect(page.locator(".rankings path.band")).to_have_count(2)
    expect(page.locator(".rankings path.faint")).to_have_count(0)
    cut = "heads => heads.filter(head => head.scrollWidth > head.clientWidth).map(head => head.textContent)"
    assert page.locator(".rankings .head button, .rankings .room .row > *").evaluate_all(cut) == []
    box = resting_box(page.locator(".rankings svg[role=img]"))
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.25, steps=3)
    expect(page.locator(".rankings .tip")).to_contain_text("q")
    assert page.locator(".rankings path.hover").get_attribute("d")


def test_the_gallery_shows_ranks_and_the_sawtooth_of_the_row_under_hand_or_keys(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=image_retrieval")
    expect(page.locator(".rankings canvas")).to_have_count(0)
    below = fold(page, "Edit this list")
    height = resting_box(below)["y"]
    opening = page.get_by_role("button", name="Show the ranks of each query")
    opening.focus()
    act(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".rankings canvas").first).to_be_visible()
    assert abs(resting_box(below)["y"] - height) < 0.5  # nothing has jumped
    assert parameter(page, "gallery") == "on"
    strip = row(page, "q289").locator(".ranks")
    assert strip.get_attribute("aria-label").startswith("relevant at ranks 1, 4, 5, 18")
    saws = page.locator(".rankings path.sawtooth")
    strip.locator("canvas").hover(position={"x": 10, "y": 10})
    expect(saws).to_have_count(1)
    expect(page.locator(".rankings g circle")).to_have_count(1)  # the point of the rank under the pointer
    page.mouse.move(5, 5)
    expect(saws).to_have_count(0)
    page.locator(".rankings .scroller").focus()
    page.keyboard.press("ArrowDown")
    expect(saws).to_have_count(1)
    act(page, lambda: page.keyboard.press("Enter"))
    expect(head(page)).to_have_text("Query q003 · pixels")

    act(page, lambda: page.get_by_label("Second system").select_option("cosine"))
    expect(page.locator(".rankings .key")).to_contain_text("relevant, cosine")
    pointed = page.locator(".rankings .legend").get_by_text("cosine, pointed at")
    expect(pointed).to_be_hidden()
    act(page, page.locator(".rankings .head button", has_text="cosine − pixels").click)
    assert (parameter(page, "beside"), parameter(page, "sort")) == ("cosine", "AP difference")
    page.locator(".rankings .scroller").evaluate("box => { box.scrollTop = 0 }")
    first = page.locator(".rankings .room .row").first
    expect(first).to_contain_text("−0.096")
    first.hover()
    expect(saws).to_have_count(2)
    expect(pointed).to_be_visible()
    reload(page)
    expect(page.get_by_label("Second system")).to_have_value("cosine")
    expect(page.locator(".rankings .sorted")).to_contain_text("cosine − pixels")
    expect(row(page, "q003")).to_be_visible()  # what is selected is in sight again


def test_rows_that_stay_in_sight_are_not_made_again(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=image_retrieval&gallery=on&sort=query")
    expect(page.locator(".rankings canvas").first).to_be_visible()
    kept = page.locator(".rankings .scroller").evaluate(
        """async box => {
          const before = [...box.querySelectorAll(".room .row")]
          box.scrollTop += 56
          await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
          const now = [...box.querySelectorAll(".room .row")]
          const tops = now.map(line => line.offsetTop)
          const isFalling = tops.every((top, n) => !n || top > tops[n - 1])
          return [before.filter(line => now.includes(line)).length / before.length, isFalling]
        }"""
    )
    assert kept[0] > 0.8
    assert kept[1]


def test_a_phone_shows_the_first_ranks_of_each_query(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, f"{server}/ranking?data=image_retrieval&gallery=on")
    canvas = page.locator(".rankings canvas").first
    expect(canvas).to_be_visible()
    shown = int(page.locator(".rankings .head .ranks").inner_text().removeprefix("ranks 1–"))
    assert 30 <= shown <= 60
    box = canvas.bounding_box()
    assert box["x"] + box["width"] <= 390
    # A finger is lifted at once: the sawtooth that it showed stays, and the list is opened.
    touch = {"bubbles": True, "pointerType": "touch"}
    for event in ("pointerover", "pointerleave", "click"):
        row(page, "q289").locator("canvas").dispatch_event(event, touch)
    expect(head(page)).to_have_text("Query q289 · pixels")
    expect(page.locator(".rankings path.sawtooth")).to_have_count(1)


def test_a_shadow_says_that_columns_go_on(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, f"{server}/ranking?data=image_retrieval")
    expect(page.locator(".rankings .table.more")).to_have_count(1)
    page.locator(".rankings .scroller").evaluate("box => { box.scrollLeft = box.scrollWidth }")
    expect(page.locator(".rankings .table.more")).to_have_count(0)


def test_the_list_of_the_only_query_is_open_but_not_on_a_phone(visitor: Callable[..., Page], server: str) -> None:
    page, phone = visitor(), visitor(user_agent="Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")
    for reader, lists in ((page, 1), (phone, 0)):
        visit(reader, f"{server}/ranking?data=ranking_14")
        expect(row(reader, "1")).to_be_visible()
        expect(head(reader)).to_have_count(lists)
    assert page.evaluate("document.activeElement === document.body")
    act(page, lambda: page.keyboard.press("Escape"))
    reload(page)
    expect(head(page)).to_have_count(0)
    act(page, row(page, "1").click)
    expect(head(page)).to_have_text("Query 1 · rank")
    page.wait_for_function(f"() => {FOCUSED}.getAttribute('aria-label') === 'Documents'")


def test_a_list_is_edited_by_hand_and_by_keys_and_the_measures_follow(page: Page, server: str) -> None:
    visit(page, f"{server}/ranking?data=ranking_14")
    expect(main(page)).to_contain_text("= 0.760")
    act(page, main(page).get_by_text("Edit this list", exact=True).click)
    assert parameter(page, "list_part") == "Edit this list"
    rows = page.locator("li[data-place]")
    handle, first = rows.nth(2).locator(".handle"), rows.first.locator(".handle")
    start, end = resting_box(handle), first.bounding_box()
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 2, steps=4)
    act(page, page.mouse.up)
    expect(main(page)).to_contain_text("AP = (1/2 + 2/3 + 3/4 + 4/6 + 5/13) / 5")
    act(page, lambda: rows.first.locator(".handle").press("ArrowDown"))
    expect(main(page)).to_contain_text("AP = (1/1 + 2/3 + 3/4 + 4/6 + 5/13) / 5")
    act(page, rows.nth(1).get_by_role("button", name="Grade 1 for 576").click)
    expect(main(page)).to_contain_text("AP = (1/1 + 2/2 + 3/3 + 4/4 + 5/6 + 6/13) / 6")
    act(page, page.get_by_role("button", name="Back to the data").click)
    expect(main(page)).to_contain_text("= 0.760")
    # What is relevant can be typed too: two pairs judge the list as a data set of their own.
    go(page, f"{server}/data?data=ranking_14&open_by=Paste+a+table")
    page.get_by_role("textbox", name="one pair per line").fill("1, 588\n1, 984")
    act(page, page.get_by_role("button", name="Judge the open rankings").click)
    assert "data=ranking_14" not in page.url
    expect(main(page)).to_contain_text("2 typed pairs are the judgments")
    go(page, page.url.replace("/data?", "/ranking?"))
    expect(main(page)).to_contain_text("AP = (1/1 + 2/7) / 2")
