"""The parts under the surface: each opens by its link with its own numbers, a limit is drawn, all can be taken away."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import act, choose, go, main, resting_box, visit

ROOT = Path(__file__).parents[3]
# At 0.54 five of ten positives and one of ten negatives are found; at 0.34 nine and eight.
PARTS = [
    ("roc_20", "Choose", "", ["Best: 0.54 (5 missed, 1 false alarm)."]),
    ("roc_20", "Certainty", "&resamples=500&seed=7", ["500 resamples of 20 rows, seed 7.", "in this sample 0.400"]),
    ("roc_20", "If+costs+are+not+known", "", ["≥ 0.54 is the best choice", "At 1 : 1 and a prevalence of 50.0%"]),
    ("roc_20", "In+use", "&volume=200&minutes=6", ["Alarms per day 60 Hours 6.00", "false alarms FP 10"]),
    ("roc_20", "Two+thresholds", "&t2=0.34", ["referred between 4 7 11 550", "decided 45.0% 100.0%"]),
    (
        "breast_cancer",
        "Groups",
        "&group_rate=Recall",
        ["small has only 6 actual positives", "What would equal rates cost?"],
    ),
    ("roc_20", "Resampling", "&times=2", ["recall goes from 60.0% to 90.0%, precision from 60.0% to 52.9%"]),
]


def words(page: Page) -> str:
    return " ".join(main(page).inner_text().replace("\u202f", "").split())


def test_every_part_opens_by_its_link_with_its_own_numbers(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20")
    for data, part, settings, told in PARTS:
        go(page, f"{server}/threshold?data={data}&t=0.54&part={part}{settings}")
        shown = words(page)
        for one in told:
            assert one in shown, part
        if part == "Resampling":
            page.get_by_role("slider", name="Count each positive row").focus()
            act(page, lambda: page.keyboard.press("ArrowRight"))
            assert "times=5.0" in page.url
            expect(main(page)).to_contain_text("Threshold ½ now means 0.166667")
            act(page, page.locator(".st-key-resampled button").click)
            assert "t=0.16" in page.url


@pytest.mark.parametrize(
    ("asked", "forbidden", "best"),
    [
        ("Lowest+cost&miss=3&limit1=precision&value1=0.6", "not allowed: precision < 0.60", "0.38"),
        ("Flag+at+most+so+many+rows&rows=3", "not allowed: more than 3 rows flagged", "0.7"),
    ],
)
def test_what_a_goal_rules_out_is_grey_on_the_surface(
    page: Page, server: str, asked: str, forbidden: str, best: str
) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54&goal={asked}")
    surface = page.locator(".threshold-view")
    expect(surface).to_contain_text(forbidden)
    expect(surface.locator(".shade").first).to_be_attached()
    # What is not allowed is faint on both curves, and the best threshold has a ring on each.
    expect(surface.locator(".curve.faint")).to_have_count(2)
    expect(surface.locator("circle.goal.ring")).to_have_count(2)
    act(page, page.get_by_role("button", name=f"Go to {best}", exact=True).click)
    expect(main(page)).to_contain_text("That is yours.")
    expect(page.locator(".threshold-view")).to_have_attribute("data-threshold", best)
    go(page, f"{server}/threshold?data=roc_20&t=0.54&goal=Weighted+recall+and+specificity")
    expect(page.locator(".threshold-view")).not_to_contain_text("not allowed")
    # Without a limit the fields of this goal stand on one line.
    top = "labels => labels.map(label => label.getBoundingClientRect().top)"
    tops = page.locator(".st-key-goals [data-testid=stWidgetLabel]").evaluate_all(top)
    assert len(tops) == 2
    assert max(tops) - min(tops) <= 1


def test_the_promise_for_new_rows_is_drawn_and_stays_in_the_link(page: Page, server: str) -> None:
    goal = "Keep+limits+on+new+rows&best_of=Precision&limit1=recall&value1=0.9"
    visit(page, f"{server}/threshold?data=breast_cancer&t=0.4&goal={goal}")
    surface = page.locator(".threshold-view")
    expect(surface).to_contain_text("limits hold on new rows (95\u202f% confidence)")
    expect(surface.locator("path.promise")).to_have_count(1)
    expect(main(page)).to_contain_text("holds on new rows for thresholds up to 0.427")
    choose(page, "Confidence on new rows", "99 %")
    expect(page).to_have_url(re.compile("confidence=99"))
    visit(page, page.url)
    expect(main(page)).to_contain_text("holds on new rows for thresholds up to 0.4082")
    expect(page.locator(".threshold-view")).to_contain_text("limits hold on new rows (99\u202f% confidence)")


def test_the_decision_is_taken_away_as_text_json_and_python_that_runs(page: Page, server: str, tmp_path: Path) -> None:
    limit = "&goal=Lowest+cost&miss=3&limit1=precision&value1=0.6"
    visit(page, f"{server}/threshold?data=roc_20&t=0.54&part=Take+away{limit}")
    act(page, page.get_by_role("button", name="Share").click)
    saved = {}
    for tab, button in (("Text", "Text as a file"), ("JSON", "JSON as a file"), ("Python", "Python as a file")):
        page.get_by_role("tab", name=tab, exact=True).click()
        with page.expect_download() as found:
            page.get_by_role("button", name=button).click()
        saved[tab] = found.value.path().read_text(encoding="utf-8")
    record = json.loads(saved["JSON"])
    assert record["counts"] == {"tp": 5, "fp": 1, "fn": 5, "tn": 9}
    assert [limit["at_least"] for limit in record["limits"]] == [0.6]
    assert re.search(r"a miss costs 3\).*precision at least 0\.6", record["goal"]["words"])
    assert record["goal"]["words"] in saved["Text"]
    program = tmp_path / "decision.py"
    program.write_text(saved["Python"], encoding="utf-8")
    run = [sys.executable, str(program)]
    subprocess.run(run, check=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
    # The counts are asserted, not repeated: with another threshold it fails.
    program.write_text(saved["Python"].replace("counts_at(0.54)", "counts_at(0.8)"), encoding="utf-8")
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    assert subprocess.run(run, check=False, cwd=tmp_path, env=env, capture_output=True).returncode == 1


def test_a_chart_that_changes_with_the_threshold_keeps_its_zoom_and_its_way_back(page: Page, server: str) -> None:
    shown = "String(document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range)"
    visit(page, f"{server}/threshold?data=roc_20&t=0.54&part=Two+thresholds&t2=0.34")
    whole = page.evaluate(shown)
    area = page.locator(".js-plotly-plot .nsewdrag").first
    box = resting_box(area)
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.7 * box["height"], steps=3)
    page.mouse.up()
    page.wait_for_function(f"whole => {shown} !== whole", arg=whole)
    zoomed = page.evaluate(shown)
    before = page.locator(".js-plotly-plot").first.element_handle()
    handle = page.locator(".threshold-view [role=slider]")
    handle.focus()
    act(page, lambda: handle.press("ArrowRight"))
    page.wait_for_function("plot => !plot.isConnected", arg=before)
    page.wait_for_function(f"zoomed => {shown} === zoomed", arg=zoomed, timeout=20_000)
    area.dblclick()
    page.wait_for_function(f"zoomed => {shown} !== zoomed", arg=zoomed)
