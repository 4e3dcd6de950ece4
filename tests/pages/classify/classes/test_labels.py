"""The page of several labels per row: its table, its thresholds in the link, one label, and pairs of labels."""

import json
import os
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score, label_ranking_average_precision_score
from streamlit.testing.v1 import AppTest

from evalcore.analyses import LabelTable, Source, label_comparison_roles
from evalcore.readers import DataSet, Workspace, read_sample, read_table
from evalcore.wording import count_text
from tests.pages.application import tables, unfold
from tests.words import sentence_with

ROOT = Path(__file__).parents[4]
DIGITS = pd.read_csv(ROOT / "sample_data" / "digits_labels.csv")
LABELS = ["even", "above 4", "prime", "loop"]


def opened(page: str = "classify/classes", **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update({"data": "digits_labels"} | parameters)
    test.switch_page(f"pages/{page}.py").run()
    assert not test.exception
    return test


def table(test: AppTest) -> pd.DataFrame:
    """The lines of the labels, without those of their averages."""
    return next(shown for shown in tables(test) if "label" in shown)


def components(test: AppTest) -> list[dict]:
    return [json.loads(component.proto.json) for component in test.get("bidi_component")]


def cells_of_the_label(test: AppTest) -> list[float]:
    return next([cell["value"] for cell in data["cells"]] for data in components(test) if "ratios" in data)


def f1_at(label: str, threshold: float) -> float:
    return float(f1_score(DIGITS[f"y_{label}"], DIGITS[f"score_{label}"] >= threshold))


def f1_at_each_threshold(label: str) -> list[float]:
    """By counting, of which some are compared with scikit-learn, whose checks take longer than the page."""
    truth, scores = DIGITS[f"y_{label}"].to_numpy(bool), DIGITS[f"score_{label}"].to_numpy()
    thresholds = np.unique(scores)
    values = [2 * (truth & said).sum() / (truth.sum() + said.sum()) for said in (scores >= at for at in thresholds)]
    for index in range(0, len(thresholds), 200):
        assert values[index] == pytest.approx(f1_at(label, thresholds[index]), rel=1e-15)
    return values


def test_each_label_has_a_line_with_its_threshold() -> None:
    shown = table(opened())
    assert shown["label"].tolist() == LABELS
    assert shown["threshold"].tolist() == [0.5] * 4
    assert shown["F1"].tolist() == pytest.approx([f1_at(label, 0.5) for label in LABELS], abs=5.1e-4)
    assert shown["support"].tolist() == [DIGITS[f"y_{label}"].sum() for label in LABELS]


def test_one_click_sets_the_best_threshold_of_every_label() -> None:
    test = opened()
    test.segmented_control(key="rule of thresholds").set_value("best F1 of each").run()
    assert test.query_params["thresholds"] == "F1"
    shown = table(test)
    for label, f1 in zip(LABELS, shown["F1"], strict=True):
        assert f1 == pytest.approx(max(f1_at_each_threshold(label)), abs=5.1e-4)
    assert "chosen on these rows" in " ".join(caption.value for caption in test.main.caption)
    test.segmented_control(key="rule of thresholds").set_value("usual").run()
    assert set(test.query_params) == {"data"}


def test_one_threshold_for_all_labels_stands_in_the_link() -> None:
    test = opened()
    test.segmented_control(key="rule of thresholds").set_value("one for all").run()
    test.number_input(key="threshold for all").set_value(0.3).run()
    assert test.query_params["t"] == "0.3"
    assert table(test)["threshold"].tolist() == [0.3] * 4


def test_the_slider_moves_the_threshold_of_the_chosen_label_alone() -> None:
    test = opened(system="prime")
    test.number_input(key="threshold field").set_value(0.25).run()
    assert test.query_params["thresholds"] == "prime~0.25"
    assert table(test)["threshold"].tolist() == [0.5, 0.5, 0.25, 0.5]
    truth, said = DIGITS["y_prime"] == 1, DIGITS["score_prime"] >= 0.25
    expected = [(truth & said).sum(), (truth & ~said).sum(), (~truth & said).sum(), (~truth & ~said).sum()]
    assert sorted(cells_of_the_label(test)) == sorted(expected)
    test.button(key="reset thresholds").click().run()
    assert "thresholds" not in test.query_params


def test_the_pages_of_one_label_read_its_own_threshold() -> None:
    link = {"system": "loop", "thresholds": "F1!loop~0.3"}
    truth, said = DIGITS["y_loop"] == 1, DIGITS["score_loop"] >= 0.3
    for page in ("confusion", "threshold", "classes"):
        test = opened(f"classify/{page}", **link)
        assert dict(test.query_params) == {"data": "digits_labels", **link}
        if page == "confusion":
            assert (truth & said).sum() in cells_of_the_label(test)
    curves = opened("classify/curves", **link)
    words = " ".join(text.value for text in curves.main.markdown)
    assert sentence_with(words, "0.3", str((truth & said).sum()), "found")


def test_a_tick_opens_a_label() -> None:
    test = opened()
    assert any("**even against the rest**" in text.value for text in test.markdown)
    test.sidebar.selectbox(key="sidebar system").set_value("loop").run()
    assert any("**loop against the rest**" in text.value for text in test.markdown)
    assert test.sidebar.selectbox(key="sidebar system").label == "Label"


@pytest.mark.parametrize("grid", ["missed and predicted instead", "true together"])
def test_a_pair_of_labels_opens_its_rows(grid: str) -> None:
    test = opened(grid=grid, cell="prime~loop")
    truth = {label: DIGITS[f"y_{label}"] == 1 for label in LABELS}
    said = {label: DIGITS[f"score_{label}"] >= 0.5 for label in LABELS}
    behind = truth["prime"] & truth["loop"]
    if grid.startswith("missed"):
        behind = truth["prime"] & ~said["prime"] & said["loop"] & ~truth["loop"]
    words = " ".join(text.value for text in test.main.markdown)
    assert f"**{behind.sum()}** rows have " in words
    if behind.any():
        rows = next(shown for shown in tables(test) if "digit" in shown)
        assert rows["digit"].tolist() == DIGITS["digit"][behind].tolist()


def test_a_measure_says_how_many_rows_it_is_defined_for() -> None:
    source = Source.of(read_sample("digits_labels"))
    table = LabelTable.of(source, [0.5] * 4)
    n = {key: line.cells[3].text for key, line in zip(table.values, table.lines({}), strict=True)}
    truth = DIGITS[[f"y_{label}" for label in LABELS]].any(axis=1)
    said = (DIGITS[[f"score_{label}" for label in LABELS]] >= 0.5).any(axis=1)
    expected = {"samples_precision": said.sum(), "samples_recall": truth.sum(), "hamming_loss": len(DIGITS)}
    expected |= {"samples_f1": (truth | said).to_numpy().sum()}
    assert {key: n[key] for key in expected} == {key: count_text(int(rows)) for key, rows in expected.items()}


def test_the_verdict_names_the_worst_of_the_labels_that_some_row_has() -> None:
    frame = pd.DataFrame({"truth": ["a|b", "b", "a"] * 9, "predicted": ["a|b", "b|c", "b"] * 9})
    table = LabelTable.of(Source.of(DataSet.of(frame)))
    assert table.sets.classes == ("a", "b", "c")
    assert "a, 0.667" in table.verdict


def test_sets_have_no_threshold() -> None:
    test = opened(data="digits_label_sets")
    assert "threshold" not in table(test).columns
    assert not any(box.key == "rule of thresholds" for box in test.segmented_control)
    assert table(test)["label"].tolist() == sorted(LABELS)
    assert sum(table(test)["TP"]) == sum(
        ((DIGITS[f"y_{label}"] == 1) & (DIGITS[f"score_{label}"] >= 0.5)).sum() for label in LABELS
    )


def test_names_from_a_file_stay_names() -> None:
    random = np.random.default_rng(1)
    names = ["<b>x</b>", "a~b!c*d", "[link](http://x.y)"]
    frame = pd.DataFrame({f"y_{name}": (random.random(50) < 0.5).astype(int) for name in names})
    for name in names:
        frame[f"score_{name}"] = random.random(50).round(3)
    content = frame.to_csv(index=False).encode()
    data = Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(read_table(content, "names.csv"))
    test = opened(data=data, system="a~b!c*d")
    test.number_input(key="threshold field").set_value(0.25).run()
    assert not test.exception
    assert table(test)["threshold"].tolist() == [0.5, 0.25, 0.5]
    assert not any("[link](http" in text.value for text in test.main.markdown)


def two_systems(names: str = "{system}_{label}", truth: str = "y_{label}") -> pd.DataFrame:
    """The truth of the digits, their scores as those of one system, and other scores as those of a second one."""
    random = np.random.default_rng(2)
    columns = {truth.format(label=label): DIGITS[f"y_{label}"] for label in LABELS}
    for label in LABELS:
        columns[names.format(system="m1", label=label)] = DIGITS[f"score_{label}"]
    for label in LABELS:
        noisy = 0.6 * DIGITS[f"score_{label}"] + 0.4 * random.random(len(DIGITS))
        columns[names.format(system="m2", label=label)] = noisy.round(3)
    return pd.DataFrame(columns)


def stored(frame: pd.DataFrame) -> str:
    content = frame.to_csv(index=False).encode()
    return Workspace(os.environ["EVALCORE_WORKSPACE"], 10**9).save(read_table(content, "systems.csv"))


@pytest.mark.parametrize("names", ["{system}_{label}", "score_{system}_{label}", "{label} {system}"])
def test_one_of_several_systems_is_chosen(names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = two_systems(names)
    data = stored(frame)
    test = opened(data=data)
    box = test.sidebar.selectbox(key="sidebar labeller")
    assert (box.label, box.options, box.value) == ("System", ["m1", "m2"], "m1")
    assert "roles" not in test.query_params
    assert table(test)["F1"].tolist() == pytest.approx([f1_at(label, 0.5) for label in LABELS], abs=5.1e-4)
    box.select("m2").run()
    assert not test.exception
    expected = [f1_score(frame[f"y_{label}"], frame[names.format(system="m2", label=label)] >= 0.5) for label in LABELS]
    assert table(test)["F1"].tolist() == pytest.approx(expected, abs=5.1e-4)
    code = next(block.value for block in unfold(test).code if "hamming_loss" in block.value)
    monkeypatch.chdir(tmp_path)
    frame.to_csv("systems.csv", index=False)
    Path("labels.py").write_text(code)
    runpy.run_path("labels.py")
    again = opened(data=data, roles=test.query_params["roles"])
    assert again.sidebar.selectbox(key="sidebar labeller").value == "m2"
    back = again.sidebar.selectbox(key="sidebar labeller").select("m1").run()
    assert "roles" not in back.query_params


def test_one_of_several_columns_of_sets_is_chosen() -> None:
    frame = two_systems()
    sets = {
        name: ["; ".join(label for label in LABELS if row[f"{start}_{label}"] >= 0.5) for _, row in frame.iterrows()]
        for name, start in (("truth", "y"), ("model one", "m1"), ("model two", "m2"))
    }
    test = opened(data=stored(pd.DataFrame(sets)))
    test.sidebar.selectbox(key="sidebar labeller").select("model two").run()
    expected = [f1_score(frame[f"y_{label}"], frame[f"m2_{label}"] >= 0.5) for label in sorted(LABELS)]
    assert table(test)["F1"].tolist() == pytest.approx(expected, abs=5.1e-4)


def test_two_systems_are_compared_on_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = two_systems()
    test = opened(data=stored(frame), system="prime", classes_part="Compare systems")
    words = " ".join(text.value for text in test.main.markdown)
    assert sentence_with(words, "m1", "better", "+0.0198")
    shown = next(part for part in tables(test) if "value of A" in part)
    truth = frame[[f"y_{label}" for label in LABELS]].to_numpy()
    for place, system in (("A", "m1"), ("B", "m2")):
        scores = frame[[f"{system}_{label}" for label in LABELS]].to_numpy()
        values = shown.reset_index().set_index("measure")[f"value of {place}"]
        assert values["Label-ranking average precision"] == pytest.approx(
            label_ranking_average_precision_score(truth, scores), abs=5.1e-5
        )
        right = ((scores >= 0.5) == truth).all(axis=1)
        assert values["Subset accuracy"] == pytest.approx(right.mean(), abs=5.1e-5)
        assert values["Micro F1"] == pytest.approx(f1_score(truth, scores >= 0.5, average="micro"), abs=5.1e-5)
    code = next(block.value for block in unfold(test).code if "compare_label_systems" in block.value)
    monkeypatch.chdir(tmp_path)
    frame.to_csv("systems.csv", index=False)
    Path("labels.py").write_text(code)
    runpy.run_path("labels.py")


def test_the_systems_are_compared_on_one_label_by_the_page_that_compares_systems() -> None:
    data = stored(two_systems())
    roles = label_comparison_roles(Source.of(read_table(two_systems().to_csv(index=False).encode(), "x.csv")), "prime")
    test = opened("classify/compare", data=data, roles=roles, thresholds="micro~F1", t="0.4")
    assert "thresholds" not in test.query_params  # those of the labels, which are not open here
    words = " ".join(text.value for text in test.main.header)
    assert sentence_with(words, "m1_prime", "better", "+0.029")
