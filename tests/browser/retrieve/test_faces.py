"""Texts and images of documents in a browser: drawn from their own bytes, while nothing asks another host."""

import json
from collections.abc import Callable

from playwright.sync_api import FilePayload, Page, expect

from tests.browser.screen import act, arrive, follow, go, main, reload, upload
from tests.readers.pictures.test_faces import HOSTILE, PNG, zipped

RUN = "q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\nq2 Q0 b 1 2 x\n"
CORPUS = [
    {"_id": id, "title": text, "text": f"{text} and more", "metadata": {"url": HOSTILE[2]}}
    for id, text in zip("abc", HOSTILE, strict=True)
]


def payload(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": data}


def test_texts_and_images_are_shown_and_nothing_is_fetched(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: asked.append(f"alert {dialog.message}"))
    arrive(page, f"{server}/ranking")
    queries = "\n".join(json.dumps({"_id": id, "text": text}) for id, text in zip(("q1", "q2"), HOSTILE, strict=False))
    files = {
        "mine.run": RUN.encode(),
        "qrels.txt": b"q1 0 a 1\nq1 0 b 0\nq2 0 b 1\n",
        "corpus.jsonl": "\n".join(map(json.dumps, CORPUS)).encode(),
        "queries.jsonl": queries.encode(),
    }
    upload(page, [payload(name, data) for name, data in files.items()])
    act(page, page.locator(".rankings .room .row").first.click)
    for text in HOSTILE:
        expect(page.locator(".st-key-drawer")).to_contain_text(f"{text} and more")
    expect(page.locator(".rankings .room")).to_contain_text(HOSTILE[0])
    follow(page, "Data")
    expect(main(page)).to_contain_text("3 of 3 documents have a title, 3 a text, 3 a URL.")
    addition = page.get_by_test_id("stFileUploader").filter(has_text="Add texts, titles or images")
    images = zipped(**{"a.png": PNG, "b.svg": b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"})
    act(page, lambda: addition.locator("input").set_input_files([payload("images.zip", images)]))
    expect(main(page)).to_contain_text("3 a text, 1 an image, 3 a URL.")
    follow(page, "Ranking")
    reload(page)
    act(page, page.locator(".rankings .room .row").first.click)
    thumbnail = page.locator(".st-key-drawer .grid img")
    expect(thumbnail).to_have_count(1)
    expect(thumbnail).to_have_js_property("naturalWidth", 1)
    for name in ("Graded relevance", "Sets"):
        follow(page, name)
        expect(main(page)).to_contain_text(HOSTILE[0])
    go(page, f"{server}/ranking?data=image_retrieval&picked=q005")
    digits = page.locator(".st-key-drawer .grid img")
    expect(digits.first).to_have_js_property("naturalWidth", 8)
    expect(page.locator(".rankings .row[aria-selected=true] img")).to_have_count(1)
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []
