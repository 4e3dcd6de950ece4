"""The way of a table through the application: upload, roles, page, link, reload, back button."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import SCROLLED, act, arrive, choose, drop, fold, follow, go, main, reload, upload, visit

CSV = "truth,model a,model b\n" + "".join(
    f"{'ill' if row % 3 == 0 else 'well'},{row * 37 % 100 / 100},{row * 53 % 100 / 100}\n" for row in range(60)
)


def upload_text(page: Page, content: str = CSV, name: str = "clinic.csv") -> None:
    upload(page, {"name": name, "mimeType": "text/csv", "buffer": content.encode()})
    expect(page.locator("[data-testid=stFileUploaderFile]")).to_have_count(0)


def heading(page: Page) -> Locator:
    return page.locator(".st-key-heading")


def test_an_uploaded_table_is_open_on_every_page_and_for_a_stranger_until_it_is_deleted(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    arrive(page, f"{server}/data")
    page.locator("[data-testid=stFileUploaderDropzone] button").focus()
    upload_text(page)
    expect(heading(page)).to_contain_text("clinic.csv · model a · positive = ill · 60 rows, 20 ill")
    # The focus stays where it was, though the field is a new one and stands below the table now.
    expect(page.locator(".st-key-upload-data-1 [data-testid=stFileUploaderDropzone] button")).to_be_focused()
    follow(page, "Home")
    expect(heading(page)).to_contain_text("60 rows, 20 ill")
    reload(page)
    expect(heading(page)).to_contain_text("60 rows, 20 ill")
    follow(page, "Data")
    act(page, page.get_by_role("radio", name="well", exact=True).click)
    act(page, page.get_by_role("radio", name="less likely well").click)
    choose(page, "System", "model b")
    expect(heading(page)).to_contain_text("clinic.csv · model b · positive = well · 60 rows, 40 well")
    stranger = visitor()
    visit(stranger, page.url)
    expect(main(stranger)).to_have_text(main(page).inner_text(), use_inner_text=True)
    expect(stranger.get_by_role("radio", name="less likely well")).to_have_attribute("aria-checked", "true")
    address = page.url
    row = page.locator("[class*=st-key-stored]").filter(has_text="clinic.csv")
    for last in (False, True):
        page.get_by_role("tab", name="Stored").click()
        row.get_by_role("button", name="Delete").click()
        act(page, page.get_by_role("button", name="Yes, delete").click)
        expect(row).to_have_count(0)
        if not last:
            act(page, page.get_by_role("button", name="Undo", exact=True).click)
    arrive(stranger, address)
    expect(stranger.locator("[data-testid=stSidebar]")).to_contain_text("not here any more")


def test_files_are_joined_by_their_ids_and_a_model_is_added_later(page: Page, server: str) -> None:
    def payload(name: str, *rows: str) -> dict:
        return {"name": name, "mimeType": "text/csv", "buffer": "\n".join(rows).encode()}

    truth = [f"c{row},{'ill' if row % 3 == 0 else 'well'},{30 + row}" for row in range(60)]
    model = [f"c{row},{row * 37 % 100 / 100}" for row in range(59, 4, -1)]
    other = [f"{30 + row},{row * 53 % 100 / 100}" for row in range(60)]
    arrive(page, f"{server}/data")
    upload(page, [payload("a.csv", "case,score", *model), payload("truth.csv", "code,actual,age", *truth)])
    expect(heading(page)).to_contain_text("truth.csv with a.csv · positive = ill · 55 of 60 rows, 18 ill")
    expect(main(page)).to_contain_text("55 of 60 rows of")
    addition = page.get_by_test_id("stFileUploader").filter(has_text="Add a file with the same ids")
    act(page, lambda: addition.locator("input").set_input_files([payload("b.csv", "years,score", *other)]))
    expect(main(page)).to_contain_text("No column of ids in")
    choose(page, "Column of ids in the first file", "age")
    choose(page, "Column of ids in the second file", "years")
    act(page, page.get_by_role("button", name="Join", exact=True).click)
    expect(heading(page)).to_contain_text("truth.csv with a.csv, b.csv")
    follow(page, "Curves")
    expect(main(page)).to_contain_text("score b")


def test_back_and_forward_show_what_was_there(page: Page, server: str) -> None:
    arrive(page, f"{server}/data")
    choose(page, "Data set", "Cancer test")
    expect(heading(page)).to_contain_text("Cancer test")
    follow(page, "Home")
    expect(heading(page)).to_contain_text("Cancer test")
    act(page, page.go_back)
    expect(page).to_have_url(re.compile(r"/data\?data=cancer_test$"))
    act(page, page.go_back)
    expect(page).to_have_url(re.compile(r"/data$"))
    expect(heading(page)).not_to_contain_text("Cancer test")
    act(page, page.go_forward)
    expect(heading(page)).to_contain_text("Cancer test")


def test_a_spoilt_address_says_in_the_end_what_is_shown(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold?data=roc_20&t=abc&seed=-1&part=nonsense&goal=nonsense&best=nonsense&lines=recall")
    expect(page).to_have_url(f"{server}/threshold?data=roc_20&lines=recall")


def test_back_goes_back_by_one_page_with_what_was_open_on_it(page: Page, server: str) -> None:
    with_part = re.compile(r"/threshold\?data=breast_cancer&part=Groups$")
    with_fold = re.compile(r"/probabilities\?data=breast_cancer&probabilities_part=Recalibrate$")
    groups = page.get_by_role("radio", name="Groups", exact=True)
    arrive(page, f"{server}/compare?data=breast_cancer")
    # A choice that writes several keys is one step back.
    before = page.url
    act(page, page.get_by_role("button", name="⇄").click)
    expect(page).to_have_url(re.compile("system=.*other=|other=.*system="))
    act(page, page.go_back)
    expect(page).to_have_url(before)
    follow(page, "Threshold")
    expect(page.get_by_role("radio", name="Choose", exact=True)).to_have_attribute("aria-checked", "true")
    expect(page).not_to_have_url(re.compile("part="))
    act(page, groups.click)
    expect(page).to_have_url(with_part)
    follow(page, "Probabilities")
    expect(page).not_to_have_url(re.compile("part="))
    act(page, fold(page, "Recalibrate").click)
    expect(page).to_have_url(with_fold)
    follow(page, "Data")
    act(page, page.go_back)
    expect(page).to_have_url(with_fold)
    act(page, page.go_back)
    act(page, page.go_back)
    expect(page).to_have_url(with_part)
    expect(groups).to_have_attribute("aria-checked", "true")


def test_the_threshold_on_home_is_moved_by_keys(page: Page, server: str) -> None:
    arrive(page, server)
    page.locator(".threshold-view [role=slider]").focus()
    act(page, lambda: page.keyboard.press("ArrowRight"))
    expect(page).to_have_url(re.compile(r"[?&]t=0\.5"))


def test_a_file_dropped_on_the_picture_of_home_takes_it_over_in_place(page: Page, server: str) -> None:
    arrive(page, server)
    view = page.locator(".threshold-view")
    place = view.bounding_box()
    act(page, lambda: drop(page, "clinic.csv", CSV))
    expect(page).to_have_url(re.compile(r"/\?data="))
    expect(view).to_contain_text("actual ill")
    assert view.bounding_box() == pytest.approx(place, abs=2)
    line = page.locator(".st-key-read-here")
    expect(line).to_contain_text("Read as: truth · model a · positive = ill")
    act(page, line.get_by_role("button", name="Change").click)
    act(page, page.get_by_role("radio", name="well", exact=True).click)
    expect(line).to_contain_text("positive = well")
    act(page, lambda: page.keyboard.press("Escape"))
    act(page, line.get_by_role("link", name="Continue on Threshold").click)
    expect(page).to_have_url(re.compile(r"/threshold\?data="))
    follow(page, "Home")
    act(page, line.get_by_role("button", name="Close").click)
    expect(view).to_contain_text("actual malignant")


def test_the_palette_finds_pages_samples_measures_and_thresholds(page: Page, server: str) -> None:
    def find(words: str) -> None:
        page.keyboard.press("Control+k")
        page.keyboard.type(words)
        act(page, lambda: page.keyboard.press("Enter"))

    arrive(page, f"{server}/threshold?data=breast_cancer")
    find("recall ≥ 0.95")
    expect(page).to_have_url(f"{server}/threshold?data=breast_cancer&t=0.3869")
    for words, page_and_part in {
        "risk-coverage": "threshold?data=breast_cancer&t=0.3869&part=Two+thresholds",
        "calibration curve": "probabilities?data=breast_cancer&t=0.3869",
    }.items():
        find(words)
        expect(page).to_have_url(f"{server}/{page_and_part}")
    find("ndcg")
    expect(page).to_have_url(re.compile(r"/measures\?data=breast_cancer&t=0.3869&measure=ndcg$"))
    find("step by step")
    expect(page).to_have_url(f"{server}/curves?data=breast_cancer&t=0.3869&measure=ndcg&gone=1")
    expect(page.locator(".stMain details[open]").first).to_be_in_viewport(ratio=0.3)
    find("virus")
    expect(page).to_have_url(f"{server}/confusion?data=virus_test")
    page.keyboard.press("Control+k")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Find").click()
    page.keyboard.press("Escape")
    find("playground")
    expect(page).to_have_url(f"{server}/playground?data=virus_test")
    page.keyboard.press("Control+k")
    page.keyboard.type("no such page")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_role("combobox", name="Find a page").fill("playground")
    expect(page.get_by_text("Nothing found")).to_be_hidden()
    page.keyboard.press("Escape")  # an open dialog would lie over what the next test clicks


def test_another_data_set_forgets_the_choices_made_for_the_last_and_a_pasted_table_opens(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/data?data=roc_20&t=0.5")
    choose(page, "Data set", "Cancer test")
    assert page.url.endswith("/data?data=cancer_test")
    page.get_by_role("tab", name="Paste a table").click()
    page.get_by_label("Paste a table with a header line").fill("actual\tscore\nill\t0.9\nwell\t0.2\nwell\t0.6\n")
    act(page, page.get_by_role("button", name="Open this table").click)
    expect(heading(page)).to_contain_text("3 rows, 1 ill")


def test_a_warning_opens_where_it_is_told_with_what_mends_it(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold")
    rows = "".join(f"{row // 2 % 2},{row / 40},p{row // 4}\n" for row in range(40))
    upload(page, {"name": "visits.csv", "mimeType": "text/csv", "buffer": f"actual,score,patient\n{rows}".encode()})
    act(page, page.get_by_role("button", name="1 warning").click)
    act(page, page.get_by_role("button", name="Rows belong to patient").click)
    expect(page.get_by_role("button", name="1 warning")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"/threshold\?.*cluster~patient"))


def test_a_refused_file_says_why_and_leaves_open_what_was_open(page: Page, server: str) -> None:
    arrive(page, f"{server}/data?data=roc_20")
    before = heading(page).inner_text()
    upload_text(page, "<html><body>no table</body></html>", "page.csv")
    expect(page.locator("[data-testid=stAlert]")).to_contain_text("page.csv")
    assert heading(page).inner_text() == before


def test_an_upload_belongs_to_its_browser_and_to_who_has_the_key(
    visitor: Callable[..., Page], server: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    def stored(page: Page) -> Locator:
        page.get_by_role("tab", name="Stored").click()
        return page.locator("[class*=st-key-stored]").filter(has_text="only mine.csv")

    mine, other = visitor(), visitor()
    arrive(mine, f"{server}/data")
    upload_text(mine, name="only mine.csv")
    link = mine.url
    arrive(mine, f"{server}/data")
    expect(stored(mine).get_by_role("button", name="Delete")).to_be_visible()
    arrive(other, f"{server}/data")
    expect(stored(other)).to_have_count(0)
    go(other, link)
    expect(stored(other).get_by_role("button", name="Open")).to_be_visible()
    expect(stored(other).get_by_role("button", name="Delete")).to_have_count(0)
    [key] = tmp_path_factory.getbasetemp().glob("server[0-9]*/workspace/key")
    arrive(other, f"{server}/unlock/{key.read_text()}")
    arrive(other, f"{server}/data")
    stored(other).get_by_role("button", name="Delete").click()
    act(other, other.get_by_role("button", name="Yes, delete").click)
    expect(stored(other)).to_have_count(0)


def test_a_spoilt_address_shows_the_page_and_why_nothing_is_open(page: Page, server: str) -> None:
    for address in ("/data?data=..%2F..%2Fetc%2Fpasswd", "/?data=%00&t=abc&system=x&roles=~~~"):
        visit(page, server + address)
        expect(page.locator("[data-testid=stMain] h1")).to_be_visible()
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        alert = page.locator("[data-testid=stAlert]")
        expect(alert).to_contain_text("The data set of this address is not here any more")


def test_links_of_the_menu_carry_the_data_and_on_a_phone_it_gives_way_to_the_page(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    arrive(page, f"{server}/?data=roc_20")
    page.locator("[data-testid=stExpandSidebarButton]").click()
    link = page.locator(".st-key-menu").get_by_role("link", name="Data", exact=True)
    assert link.get_attribute("href").endswith("data?data=roc_20")  # for another tab
    follow(page, "Data")
    expect(page.locator("[data-testid=stExpandSidebarButton]")).to_be_visible()


def test_the_menu_shows_where_one_is_until_the_reader_scrolls_it(page: Page, server: str) -> None:
    arrive(page, f"{server}/measures")
    link = page.locator(".st-key-menu").get_by_role("link", name="Measures", exact=True)
    expect(link).to_be_in_viewport(ratio=1)
    assert page.evaluate(SCROLLED) == 0
    page.locator("[data-testid=stSidebarContent]").evaluate("bar => bar.scrollTo(0, 0)")
    act(page, lambda: main(page).get_by_role("button", name="F-measure").first.click())
    expect(link).not_to_be_in_viewport(ratio=1)
