"""The outlier of the losses in a browser: dragged, stepped by keys, in the link, on a phone."""

from playwright.sync_api import Page, expect

from tests.browser.screen import act, main, reload, resting_box, runs, saved_picture, visit


def test_the_mean_follows_the_outlier_at_once_and_the_link_holds_it(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/regression?data=diabetes&regression_part=Losses")
    handle = page.locator("svg.outlier .handle")
    box, before = resting_box(handle.locator("circle").last), runs(page)

    def at(loss: str) -> float:
        return float(page.locator(f"svg.outlier line.{loss}").get_attribute("data-at"))

    assert page.locator("svg.outlier text").evaluate_all("all => all.some(one => one.textContent === '400')")
    mean, median, odds = at("squared"), at("absolute"), at("logistic")
    assert at("poisson") == mean
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] - 150, box["y"], steps=4)
    page.wait_for_function("mean => document.querySelector('.st-key-outlier-drag') && true", arg=mean)
    assert at("squared") < mean
    assert at("absolute") <= median
    assert at("logistic") < odds < -1  # the outlier is below the third quartile now
    assert runs(page) == before  # nothing is sent while it is dragged
    act(page, page.mouse.up)
    assert "outlier=" in page.url
    expect(main(page)).to_contain_text("moves the mean by")
    moved = at("squared")
    _, content = saved_picture(page, page.locator(".st-key-outlier-drag .camera"))
    assert b"Best constants with an outlier at" in content
    assert content.count(b"<polyline") == 8
    handle.focus()
    act(page, lambda: page.keyboard.press("End"))
    assert at("squared") > moved
    reload(page)
    expect(main(page)).to_contain_text("moves the mean by")
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
