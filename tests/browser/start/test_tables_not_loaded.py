"""A table that is not loaded, from its path to the threshold page: first rows, roles, counting, stopping, counting."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from playwright.sync_api import Page, expect
from pyarrow.parquet import write_table

from tests.browser.screen import act, arrive, follow, main

ROWS, LINKS = 400_000, 1_000
"""Rows of a file with more distinct scores than are counted apart, and other names of it that nobody waits for."""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A folder with one file under its own name and many others."""
    folder = tmp_path / "log"
    folder.mkdir()
    scores = np.random.default_rng(6).random((2, ROWS))
    diagnosis = pa.array(["well", "ill"]).take(pa.array((scores[0] > scores[1]).astype(np.int8)))
    write_table(pa.table({"diagnosis": diagnosis, "score": scores[0]}), folder / "part.parquet")
    for name in range(LINKS):
        (folder / f"{name}.parquet").hardlink_to(folder / "part.parquet")
    return folder


def test_a_path_is_opened_counted_stopped_and_counted_to_the_end(
    page: Page, server: str, log: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    arrive(page, f"{server}/data?open_by=On+this+machine")
    expect(main(page)).to_contain_text("Opening files by their path needs the key of this server")
    [key] = tmp_path_factory.getbasetemp().glob("server[0-9]*/workspace/key")
    arrive(page, f"{server}/unlock/{key.read_text()}")
    expect(page).to_have_url(f"{server}/")
    arrive(page, f"{server}/data?open_by=On+this+machine")
    path = page.get_by_role("textbox", name="File, folder or database")
    path.fill(str(log))
    act(page, lambda: path.press("Enter"))
    act(page, page.get_by_role("button", name="Open this table").click)
    panel = page.locator(".st-key-unloaded")
    expect(panel).to_contain_text("The first 20 000 of 400 400 000 rows of")
    expect(page.locator(".st-key-heading")).to_contain_text("positive = ill")
    act(page, page.get_by_role("radio", name="well", exact=True).click)
    act(page, page.get_by_role("radio", name="less likely well").click)
    count = panel.get_by_role("button", name="Count all rows")
    count.click()
    expect(panel.get_by_role("progressbar")).to_be_visible()
    panel.get_by_role("button", name="Stop").click()
    expect(panel).to_contain_text("Counting was stopped.")
    for name in range(LINKS):
        (log / f"{name}.parquet").unlink()
    count.click()
    expect(panel).to_contain_text("400 000 rows, counted where they lie")
    expect(page.locator(".st-key-heading")).to_contain_text("400 000 rows")
    follow(page, "Threshold")
    expect(page.locator(".st-key-heading")).to_contain_text("positive = well")
    expect(main(page)).to_contain_text("The area under the ROC curve certainly lies between")
