"""Masks in a browser: two uploads, the slider over the picture, one image opened, the link, a phone."""

from xml.etree import ElementTree

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, follow, main, reload, resting_box, runs, saved_picture, upload
from tests.readers.join.test_masks import picture

SVG = "{http://www.w3.org/2000/svg}"


def test_masks_are_uploaded_wiped_and_stay_in_the_link(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    arrive(page, f"{server}/overlap")
    square = np.zeros((40, 60), np.uint8)
    square[10:30, 10:30] = 255
    shifted = {"a": np.roll(square, 4, axis=1), "b": square}
    fields = page.locator("input[type=file]")
    for place, suffix in ((0, "gt"), (1, "pred")):
        files = {name: square if suffix == "gt" else given for name, given in shifted.items()}
        fields.nth(place).set_input_files([
            {"name": f"{name}_{suffix}.png", "mimeType": "image/png", "buffer": picture(mask)}
            for name, mask in files.items()
        ])  # fmt: skip
    expect(page.get_by_text("b_pred.png")).to_be_visible()
    act(page, page.get_by_role("button", name="Compare the masks").click)
    expect(main(page)).to_contain_text("mean Dice of 0.900")
    expect(main(page)).to_contain_text("worst: a (0.800)")
    slider, before = page.get_by_label("Outcomes over the actual mask"), runs(page)
    above = page.get_by_alt_text("Outcomes of the pixels of a")
    assert above.evaluate("image => image.naturalWidth") == 60
    expect(main(page)).to_contain_text("false alarm")
    box = resting_box(slider)
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
    assert "inset(0px 0% 0px 0px)" not in above.evaluate("image => image.style.clipPath")
    assert runs(page) == before
    act(page, page.mouse.up)
    assert "wipe=" in page.url
    _, content = saved_picture(page, page.locator(".st-key-mask-overlay .camera"))
    words = " ".join("".join(node.itertext()) for node in ElementTree.fromstring(content).iter(f"{SVG}text"))
    assert words.startswith("Outcomes of the pixels of a, left of the line, over the actual mask")
    assert "false alarm" in words
    assert content.count(b"data:image/png;base64,") == 2
    page.get_by_role("button", name="Statistics").click()
    act(page, lambda: page.locator(".st-key-empty_rule").get_by_role("radio", name="1", exact=True).click())
    reload(page)
    expect(main(page)).to_contain_text("worst: a (0.800)")
    assert 30 < int(slider.input_value()) < 70
    assert "empty_rule=1" in page.url
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
    act(page, page.locator(".st-key-images").get_by_role("rowheader", name="b", exact=True).click)
    assert "mask_image=1" in page.url
    expect(page.get_by_alt_text("Outcomes of the pixels of b")).to_be_visible()


def test_two_pictures_dropped_on_the_data_page_are_a_pair(page: Page, server: str) -> None:
    square = np.zeros((24, 32), np.uint8)
    square[4:20, 4:20] = 255
    files = [
        {"name": name, "mimeType": "image/png", "buffer": picture(np.roll(square, shift, axis=1))}
        for name, shift in (("lung_pred.png", 4), ("lung_gt.png", 0))
    ]
    arrive(page, f"{server}/data")
    upload(page, files[:1])
    expect(main(page)).to_contain_text("open the actual and the predicted ones together")
    upload(page, files)
    expect(main(page)).to_contain_text("PNG 32 × 24")
    follow(page, "Overlap")
    expect(main(page)).to_contain_text("Dice of 0.750")
