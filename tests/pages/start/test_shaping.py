"""Changing the table on the data page: steps in the address, a click to apply or take back, kept with the upload."""

from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses.data.script import reading_code
from evalcore.readers import read_table
from pages.widgets.session.current_dataset import entry, forget
from pages.widgets.session.visitor import workspace
from tests.pages.application import facts

ROOT = Path(__file__).parents[3]
MESSY = "truth,score,age\n" + "".join(
    f"{('Yes', 'yes', 'NO', 'no')[row % 4]},{(row * 37 % 100) / 100 if row % 9 else -99},{20 + row}\n"
    for row in range(60)
)
MATRIX = "true,cat,dog,fox\ncat,5,1,0\ndog,2,7,1\nfox,0,3,9\n"


@pytest.fixture
def messy() -> Iterator[str]:
    data = stored(MESSY)
    yield data
    workspace().delete(data)
    forget(data)


def stored(text: str) -> str:
    return workspace().save(read_table(text.encode(), "mine.csv"), "")


def page(file: str = "start/data.py", **parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update(parameters)
    test = test.switch_page(f"pages/{file}").run()
    assert not test.exception
    return test


def tab(test: AppTest, name: str) -> AppTest:
    test.session_state["shaping part"] = name
    return test.run()


def press(test: AppTest, label: str) -> AppTest:
    next(button for button in test.main.button if button.label == label).click().run()
    assert not test.exception
    return test


def field(test: AppTest, kind: str, label: str):
    return next(each for each in getattr(test.main, kind) if each.label == label)


def test_a_filter_stands_in_the_header_of_every_page_and_is_removed_by_a_click(messy: str) -> None:
    test = page(data=messy)
    field(test, "selectbox", "Column").set_value("age").run()
    field(test, "number_input", "From").set_value(40.0).run()
    press(test, "Keep this range")
    assert test.query_params["shape"] == "range~age~40~*"
    assert "40 rows, 10 positive (yes) · filtered from 60 rows: age ≥ 40" in facts(test)
    other = page("classify/threshold.py", data=messy, shape="range~age~40~*")
    assert "filtered from 60 rows: age ≥ 40" in facts(other)
    press(test, ":material/close: Remove")
    assert "shape" not in test.query_params
    assert "filtered" not in facts(test)


def test_without_findings_every_row_that_a_filter_left_is_used() -> None:
    data = stored("truth,predicted,site\n" + "a,a,x\nb,b,x\nc,b,x\nb,b,y\n" * 9)
    for shape, words in {"": "Every row is used.", "only~site~x": "Every row of the filtered table is used."}.items():
        assert words in " ".join(one.value for one in page(data=data, shape=shape).main.markdown)


def test_a_warning_that_a_filter_causes_offers_all_rows() -> None:
    data = stored("truth,pred,site\n" + "a,a,x\nb,b,x\na,b,y\n" * 9)
    test = page(data=data, shape="only~site~y")
    words = lambda: unescape(" ".join(one.value for one in test.main.markdown))  # noqa: E731
    assert 'Only in the filtered rows: Column "truth" holds only one class' in words()
    press(test, "Back to all rows")
    assert "shape" not in test.query_params
    assert "holds only one class" not in words()


def test_classes_are_merged_and_renamed(messy: str) -> None:
    test = tab(page(data=messy), "Classes")
    field(test, "multiselect", "Classes").set_value(["Yes", "yes"]).run()
    press(test, "Merge")
    assert test.query_params["shape"] == "merge~truth~yes~Yes"
    tab(test, "Classes")
    field(test, "multiselect", "Classes").set_value(["NO", "no"]).run()
    field(test, "text_input", "Merge them into").set_value("well").run()
    press(test, "Merge")
    assert "positive = Yes · 60 rows, 30 positive (Yes)" in facts(test).replace("&#61;", "=")
    press(tab(test, "Classes"), "Remove all steps")
    assert "shape" not in test.query_params


def test_renaming_keeps_chosen_roles_and_the_open_system(messy: str) -> None:
    test = page(data=messy, roles="actual~truth~~score~score~age~~positive~no", system="age")
    tab(test, "Names")
    field(test, "selectbox", "Rename").set_value(("system", "age")).run()
    field(test, "text_input", "New name").set_value("years").run()
    press(test, "Rename")
    assert test.query_params["roles"] == "actual~truth~~score~score~years~~positive~no"
    assert test.query_params["system"] == "years"
    tab(test, "Names")
    field(test, "text_input", "New name").set_value("My *trial*").run()
    press(test, "Rename")
    assert "My &#42;trial&#42;" in facts(test)
    assert {entry.name for entry in workspace().list() if entry.id == messy} == {"mine.csv"}  # another's upload


def test_classes_of_a_matrix_are_dropped() -> None:
    test = tab(page(data=stored(MATRIX)), "Classes")
    field(test, "multiselect", "Classes").set_value(["cat"]).run()
    press(test, "Drop")
    assert "22 rows" in facts(test)


def test_a_link_whose_steps_cannot_be_applied_shows_the_file_and_a_sentence(messy: str) -> None:
    for shape, says in (
        ("range~ag", "cannot be read"),
        ("range~gone~1~2", "no column"),
        ("only~age~7", "No row is left"),
    ):
        test = page("classify/threshold.py", data=messy, shape=shape)
        assert any("it was read" in warning.value and says in warning.value for warning in test.warning)
        assert "60 rows" in facts(test)
        assert "shape" not in test.query_params


def test_a_step_that_another_needs_is_not_taken_back(messy: str) -> None:
    test = page(data=messy, shape="rename~age~years~~range~years~40~*")
    next(button for button in test.main.button if button.key == "remove step 0").click().run()
    assert any("needs this one" in error.value for error in test.error)
    assert test.query_params["shape"] == "rename~age~years~~range~years~40~*"


def test_a_stored_upload_opens_in_the_shape_it_was_given_and_under_its_name(tmp_path) -> None:
    data = stored(MESSY)
    workspace().keep_shape(data, "title~Trial~~range~age~40~*", "")
    assert next(entry.name for entry in workspace().list() if entry.id == data) == "Trial"
    workspace().keep_shape(data, "title~Stolen", "somebody else")
    assert workspace().shape(data) == "title~Trial~~range~age~40~*"
    entry(data)
    workspace().delete(data)
    assert not list(workspace().folder.glob(f"{data}*"))


@pytest.mark.parametrize(
    ("scores", "label", "says"),
    [((90, 80, 20, 55, 10, 60), "They are percentages: ÷ 100", "divided by 100"),
     ((2.5, 1.5, -2, 0.5, -3, -0.5), "They are log-odds: 1 ÷ (1 + e⁻ˣ)", "were log-odds")],
)  # fmt: skip
def test_the_probabilities_page_scales_scores_by_a_click_and_says_so(scores, label: str, says: str) -> None:
    rows = "".join(f"{row % 2},{score}\n" for row, score in enumerate(scores))
    test = page("classify/probabilities.py", data=stored("truth,score\n" + rows))
    press(test, label)
    assert any(says in caption.value for caption in test.main.caption)
    press(test, "Use the numbers in the file")
    assert "shape" not in test.query_params


DOTS = "actual;predicted\n" + "".join(f"{one};{two}\n" for one, two in [("1.013", "992"), ("875", "1.020")] * 6)


@pytest.mark.parametrize(("word", "numbers"), [("Thousands", [1013, 875] * 6), ("Decimals", [1.013, 875] * 6)])
def test_either_reading_of_a_mark_is_one_click_that_a_reload_and_an_export_keep(
    word, numbers, tmp_path, monkeypatch
) -> None:
    data = stored(DOTS)
    test = page(data=data)
    assert any("thousands or decimals" in line.value for line in test.main.markdown)
    press(test, word)
    assert not any("thousands or decimals" in line.value for line in test.main.markdown)
    shape = test.query_params["shape"]
    press(page(data=data, shape=shape), ":material/close: Remove")
    shaped = read_table(DOTS.encode(), "mine.csv").shaped(shape)
    assert shaped.frame["actual"].tolist() == numbers
    (tmp_path / "mine.csv").write_text(DOTS)
    monkeypatch.chdir(tmp_path)
    script: dict = {}
    exec(reading_code(data, shaped, None), script)  # noqa: S102
    assert script["data"].frame["actual"].tolist() == numbers
    workspace().delete(data)
    forget(data)


def test_columns_that_look_like_scores_become_systems_in_one_click() -> None:
    text = "truth,xgb,forest,score\n" + "".join(f"{row % 2},{row / 7:.3f},0.{row}5,{row / 9:.3f}\n" for row in range(7))
    test = press(page(data=stored(text)), "Read them as systems")
    assert test.query_params["roles"] == "actual~truth~~score~xgb~forest~score~~positive~1"
