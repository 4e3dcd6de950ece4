"""The page of classes: its picture, its collapse, its rows and its numbers are those of the open data."""

import html

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import roles_of, samples
from evalcore.registry import PAGES
from evalcore.wording import share_text
from pages.widgets.session.address import written
from tests.pages.application import tables
from tests.pages.classify.classes.classes_page import (
    DIGITS,
    captions,
    components,
    count,
    frames,
    opened,
    picture,
    stored,
    table_of,
    told,
)
from tests.pages.classify.confusion.confusion_page import opened as confusion_page
from tests.pages.nasty_names import NASTY
from tests.words import sentence_with


def test_the_picture_holds_the_counts_of_the_rows() -> None:
    test = opened(data="digits")
    names = picture(test)["names"]
    assert names == list("0123456789")
    assert told(test) == [[str(count(a, p)) for p in names] for a in names]


OF_OTHER_KINDS = [id for id, one in samples().items() if one.kind not in PAGES["classify/classes"].kinds]


@pytest.mark.parametrize("sample", OF_OTHER_KINDS)
def test_a_sample_of_another_kind_is_shown_or_answered_with_an_offer(sample: str) -> None:
    test = opened(data=sample)
    assert not test.error
    assert any("This page needs" in text.value for text in test.markdown) == (
        samples()[sample].kind in ("estimates", "masks", "run + judgments", "unknown")
    )


@pytest.mark.parametrize(("sample", "first"), [("cat_fish_hen", [4, 9, 2, 10]), ("woman_man_child", [13, 6, 7, 74])])
@pytest.mark.parametrize("side", ["actual", "predicted"])
def test_a_printed_matrix_gives_its_numbers_whichever_way_it_is_shown(sample, first, side) -> None:
    name = "Cat" if sample == "cat_fish_hen" else "Woman"
    test = opened(data=sample, side=side, **{"class": name})
    assert frames(test) == [first]
    shown = told(test)
    assert [shown[0][0], shown[1][0]] == [
        str(first[0]),
        str({"actual": {"Cat": 6, "Woman": 4}, "predicted": {"Cat": 1, "Woman": 2}}[side][name]),
    ]


@pytest.mark.parametrize("actual", ["rows", "columns"])
def test_how_to_read_the_picture_follows_the_way_it_lies(actual: str) -> None:
    test = opened(data="cat_fish_hen", actual=actual)
    assert picture(test)["axes"][0] == ("actual" if actual == "rows" else "predicted")
    reading = next(fold for fold in test.expander if fold.label == "How to read this")
    assert f"Each {actual.removesuffix('s')} is an actual class" in reading.markdown[0].value


def test_two_classes_four_counts_and_scores_at_the_threshold_work_too() -> None:
    assert told(opened(data="cancer_test", actual="rows")) == [["20", "10"], ["180", "1\u202f820"]]
    assert told(opened(data="roc_20", t="0.54", actual="rows")) == [["5", "5"], ["1", "9"]]
    assert told(opened(data="eight_labels", actual="rows")) == [["4", "1"], ["2", "1"]]


@pytest.mark.parametrize(
    ("data", "axes"),
    [("digits", ["actual", "predicted"]), ("woman_man_child", ["predicted", "actual"]),
     ("cat_fish_hen", ["actual", "predicted"]), ("cancer_test", ["predicted", "actual"]),
     ("breast_cancer", ["predicted", "actual"])],
)  # fmt: skip
def test_the_matrix_lies_as_in_the_file_and_alike_on_all_pages(data: str, axes: list[str]) -> None:
    shown = picture(opened(data=data))
    assert shown["axes"] == axes
    for actual in ("rows", "columns", None):
        chosen = {} if actual is None else {"actual": actual}
        frame = next(
            data for data in components(opened(data=data, **chosen, **{"class": shown["names"][0]})) if "over" in data
        )
        other = next(data for data in components(confusion_page(data=data, **chosen)) if "over" in data)
        rows = axes[0] == "actual" if actual is None else actual == "rows"
        assert frame["over"] == other["over"] == ("the prediction" if rows else "actually")


def test_a_choice_made_on_one_page_holds_on_the_other() -> None:
    test = opened(data="digits")
    test.segmented_control(key="actual control").set_value("columns").run()
    assert test.query_params["actual"] == "columns"
    test.switch_page("pages/classify/confusion.py").run()
    assert test.segmented_control(key="actual control").value == "columns"
    test.segmented_control(key="actual control").set_value(None).run()
    assert test.segmented_control(key="actual control").value == "columns"


def test_the_margins_stand_at_the_matrix() -> None:
    data = picture(opened(data="woman_man_child"))
    assert (data["sums"], data["total"]) == ([["19", "18", "63"], ["20", "20", "60"]], "100")
    turned = picture(opened(data="woman_man_child", actual="rows", show="share of row", errors="true"))
    assert turned["sums"] == [["20", "20", "60"], ["19", "18", "63"]]


def test_a_cell_of_the_address_opens_its_rows_and_the_two_by_two_of_its_class() -> None:
    test = opened(data="digits", cell="8~1", **{"class": "8", "beside": "1"})
    rows = table_of(test, "line")
    assert len(rows) == count("8", "1") == 5
    assert set(rows["actual"]) == {8}
    assert set(rows["logistic_regression"]) == {1}
    assert (
        rows["line"].tolist()
        == (DIGITS.index[(DIGITS.actual == "8") & (DIGITS.logistic_regression == "1")] + 2).tolist()
    )
    right, said, is_8 = count("8", "8"), (DIGITS.logistic_regression == "8").sum(), (DIGITS.actual == "8").sum()
    assert frames(test)[0][:3] == [right, said - right, is_8 - right]
    assert picture(test)["picked"] == [8, 1]
    assert picture(opened(data="digits", cell="8~1", side="predicted"))["picked"] == [1, 8]


def test_two_classes_stand_side_by_side_under_their_fold() -> None:
    link = {"data": "cat_fish_hen", "class": "Cat", "beside": "Fish"}
    assert frames(opened(**link, cell="Cat~Fish")) == [[4, 9, 2, 10]]
    test = opened(**link)
    assert frames(test) == [[4, 9, 2, 10], [4, 9, 2, 10], [2, 1, 8, 14]]
    test.selectbox(key="second class on this page").select("Hen").run()
    assert test.query_params["beside"] == "Hen"


def test_a_link_with_the_old_switch_unfolds_the_slices() -> None:
    test = opened(data="digits", slices="true", slices_by="Recall")
    assert test.selectbox(key="slices_by").value == "recall"
    assert test.query_params["classes_part"] == "Slices"
    assert not any(box.key == "slices_by" for box in opened(data="digits").selectbox)


def test_a_confusion_of_the_list_opens_its_cell_and_closing_leaves_the_classes() -> None:
    test = opened(data="cat_fish_hen")
    test.button(key="confusion 0").click().run()
    assert dict(test.query_params) == {
        "data": "cat_fish_hen",
        "selected": "cell~Fish~Cat",
        "class": "Fish",
        "beside": "Cat",
    }
    assert any("The file holds counts" in text.value for text in test.markdown)
    test.button(key="close-rows").click().run()
    assert "selected" not in test.query_params
    assert "class" in test.query_params


@pytest.mark.parametrize(
    ("order", "names"),
    [("as given", "Cat Fish Hen"), ("by size", "Fish Hen Cat"), ("by error", "Fish Cat Hen"), ("clustered", None)],
)
def test_an_order_moves_the_picture_and_the_table_of_classes_alike(order: str, names: str | None) -> None:
    test = opened(data="cat_fish_hen", order=order)
    shown = picture(test)["names"]
    assert names is None or shown == names.split()
    assert table_of(test, "MCC")["class"].tolist() == shown
    place = {name: i for i, name in enumerate(shown)}
    assert told(test)[place["Fish"]][place["Cat"]] == "6"


def test_by_hand_the_chosen_classes_come_first() -> None:
    test = opened(data="digits", order="by hand", first="7~2")
    assert picture(test)["names"] == list("7201345689")
    test.multiselect(key="classes that come first").set_value(["9"]).run()
    assert picture(test)["names"][:3] == ["9", "0", "1"]


def test_classes_are_merged_into_a_group_and_split_again() -> None:
    test = opened(data="digits")
    test.multiselect(key="members of a group").set_value(["8", "1"]).run()
    test.text_input(key="name of a group").set_value("round & straight").run()
    test.button(key="merge chosen").click().run()
    names = picture(test)["names"]
    assert names == ["0", "round & straight", *"2345679"]
    both = ("1", "8")
    together = sum(count(a, p) for a in both for p in both)
    assert told(test)[1][1] == str(together)
    # What was confused between the two is right now.
    right = share_text((sum(count(a, a) for a in "0123456789") + count("1", "8") + count("8", "1")) / 1797)
    before = share_text(sum(count(a, a) for a in "0123456789") / 1797)
    assert any(f"10 → 9 classes, accuracy {before} → {right}, mean recall " in one.value for one in test.caption)
    again = opened(
        **{k: v[0] if isinstance(v, list) else v for k, v in test.query_params.items()}, cell="2~round & straight"
    )
    assert tables(again, "rows of the drawer")
    test.button(key="split all").click().run()
    assert picture(test)["names"] == list("0123456789")


def test_labels_that_differ_by_case_or_blanks_are_merged_with_one_click() -> None:
    table = pd.DataFrame(
        {"actual": ["Cat", "cat", " cat", "dog", "Cat", "dog"], "predicted": ["cat", "Cat", "Cat", "dog", "dog", "dog"]}
    )
    test = opened(data=stored(table))
    assert any("case or blanks" in text.value for text in test.markdown)
    test.button(key="merge spellings").click().run()
    assert len(picture(test)["names"]) == 2
    assert told(test) == [["3", "1"], ["0", "2"]]
    assert not any("case or blanks" in text.value for text in test.markdown)


def test_a_class_that_is_never_predicted_is_said_and_left_out_of_the_means() -> None:
    test = opened(data=stored("actual,predicted\na,a\nb,a\nc,c\na,c\n"))
    assert sentence_with(captions(test), "never predicted")
    assert np.isnan(table_of(test, "MCC")["precision"].iloc[1])
    assert "precision for 1" in captions(test)
    # 1/2 for a, 1/2 for c; b is left out.
    averages = table_of(test, "MCC").attrs["foot"]
    assert averages["precision"][averages["class"].index("macro average")] == 0.5


def test_one_class_only_is_said_and_nothing_breaks() -> None:
    test = opened(data=stored("actual,predicted\na,a\na,a\na,a\n"))
    assert "only one class" in captions(test)
    assert sentence_with(captions(test), "No class is confused")


def test_missing_labels_are_left_out_and_counted() -> None:
    test = opened(data=stored("actual,predicted\na,a\nb,\n,b\nb,b\na,b\n"), actual="rows")
    assert told(test) == [["1", "1"], ["0", "1"]]
    assert sentence_with(captions(test), "2", "prediction")


def test_ten_thousand_classes_are_called_an_identifier() -> None:
    n = 12_000
    data = stored(pd.DataFrame({"actual": [f"id{i}" for i in range(n)], "predicted": [f"id{i}" for i in range(n)]}))
    test = opened(data=data, roles=roles_of(actual="actual", predicted=("predicted",)).to_text())
    assert sentence_with(test.error[0].value, "identifiers")


@pytest.mark.parametrize(("cell", "sentence"), [("-3", "0 or more"), ("", "Fill in every cell")])
def test_a_matrix_with_a_bad_cell_is_refused_with_its_place(cell: str, sentence: str) -> None:
    roles = roles_of(counts=("a", "b"), group="actual")
    test = opened(data=stored(f"actual,a,b\na,4,{cell}\nb,1,2\n"), roles=roles.to_text())
    assert sentence in html.unescape(test.error[0].value)
    assert "line 2" in html.unescape(test.error[0].value)


def test_fractions_in_a_matrix_are_weights() -> None:
    test = opened(data=stored("actual,a,b\na,4.5,0.5\nb,1,2\n"))
    assert told(test) == [["4.50", "0.50"], ["1", "2"]]


@pytest.mark.parametrize(("are", "words"), [("importance", "**2 (3.50 by weight)**"), ("counts", "**3.50**")])
def test_weights_count_in_the_cell_and_rows_are_rows(are: str, words: str) -> None:
    data = stored("actual,predicted,weight\na,b,2.5\na,b,1\nb,b,1\na,a,1\n")
    roles = roles_of(actual="actual", predicted=("predicted",), weight="weight", weights_are=are)
    test = opened(data=data, cell="a~b", actual="rows", roles=roles.to_text(), **{"class": "a"})
    assert told(test)[0] == ["1", "3.50"]
    assert any(words in text.value for text in test.markdown)


NAMES = [*NASTY, " ", "Größe" * 100]


def test_names_that_are_markup_or_very_long_do_nothing() -> None:
    table = pd.DataFrame({"actual": NAMES * 2, "predicted": NAMES + NAMES[1:] + NAMES[:1]})
    test = opened(data=stored(table), cell=written([NASTY[:2]]))
    texts = [
        *(t.value for t in test.main.markdown),
        *(c.value for c in test.main.caption),
        *(b.label for b in test.main.button),
    ]
    for name in ("![x](http", "<script>", "<b>x</b>", "[a](http", ":smile:"):
        assert not any(name in text for text in texts), name
    # The scripts are ours: one tells the menu what is open, one moves the drawer.
    ours = ("data-run", "evalcoreDrawer")
    bodies = [e.proto.body for e in test.main.get("html") if not any(one in e.proto.body for one in ours)]
    assert not any(name in body for name in ("<script>", "<b>x</b>") for body in bodies)
    assert max(map(len, picture(test)["names"])) <= 80


@pytest.mark.parametrize(("first", "taken"), [("7~2!9", ["7", "2"]), ("!", []), ("7~7~nobody", ["7"]), ("", [])])
def test_only_names_of_classes_come_first(first: str, taken: list[str]) -> None:
    test = opened(data="digits", order="by hand", first=first)
    assert test.multiselect(key="classes that come first").value == taken
    assert ("first" in test.query_params) == bool(taken)


@pytest.mark.parametrize("bad", ["~", "!", "~~!~!!", "nobody", "8~nobody", "%FF~%", "8~1~2", "x" * 2000, "8!1"])
def test_bad_values_in_the_address_count_as_missing(bad: str) -> None:
    keys = ("cell", "class", "beside", "groups", "first", "other", "said", "show", "order", "scale", "side")
    test = opened(data="digits", **dict.fromkeys(keys, bad))
    assert not test.error
    assert picture(test)["k"] == 10


def test_a_group_may_not_take_the_name_of_a_class_outside_it() -> None:
    assert picture(opened(data="digits", groups="3~8~1"))["names"] == list("0123456789")


def test_blanks_that_tell_two_classes_apart_are_seen() -> None:
    table = pd.DataFrame({"actual": ["cat", "cat ", "dog"], "predicted": ["cat ", "cat", "dog"]})
    test = opened(data=stored(table))
    assert picture(test)["names"] == ["cat", "cat␣", "dog"]


def test_thirty_classes_whose_names_begin_alike_are_told_apart_everywhere() -> None:
    names = [f"International classification of diseases, chapter {n:02}: lower part" for n in range(30)]
    rows = [f'"{name}","{other}"' for name, other in zip(names, names[1:] + names[:1], strict=True)]
    test = opened(data=stored("\n".join(["actual,predicted", *rows])))
    lists = [*picture(test)["sides"], test.selectbox(key="class on this page").options]
    lists += [table_of(test, "MCC")["class"].tolist()]
    assert [len(set(shown)) for shown in lists] == [30] * len(lists)
    assert max(map(len, lists[0])) <= 24
    told_apart = {test.button(key=f"confusion {index}").label.partition(" :small")[0] for index in range(3)}
    assert len(told_apart) == 3


def test_a_long_name_loses_its_middle_alike_everywhere_and_is_told_whole_where_the_pointer_rests() -> None:
    whole = "Chronic obstructive pulmonary disease of the elderly"
    test = opened(data=stored(f"actual,predicted\n{whole},none\nnone,none\n"))
    short = "Chronic obstru…elderly"
    table = next(data for data in components(test) if "columns" in data)["columns"][0]
    assert short in picture(test)["sides"][0]
    assert short in test.selectbox(key="class on this page").options
    assert table["texts"] == [short, "none"]
    assert table["whole"] == [whole, "none"]
    assert short in test.button(key="confusion 0").label
    assert whole in test.button(key="confusion 0").help


def test_the_table_of_all_classes_gives_way_to_the_class_that_is_picked_and_comes_back() -> None:
    test = opened(data="cat_fish_hen")
    assert len(table_of(test, "MCC")) == 3
    assert not frames(test)
    test.selectbox(key="class on this page").select("Cat").run()
    assert frames(test) == [[4, 9, 2, 10]]
    assert not any("MCC" in table for table in tables(test))
    assert len(table_of(opened(data="cat_fish_hen", classes_part="All classes", **{"class": "Cat"}), "MCC")) == 3
    test.selectbox(key="class on this page").set_value(None).run()
    assert "class" not in test.query_params
    assert len(table_of(test, "MCC")) == 3


def test_a_matrix_without_headings_is_transposed_by_a_click_on_its_warning() -> None:
    test = opened(data=stored("  a b\na 40 8\nb 10 142\n"), **{"class": "a"})
    assert frames(test) == [[40, 10, 8, 142]]
    test.session_state["warnings"] = True
    next(button for button in test.run().button if button.label == "Rows are predicted").click().run()
    assert frames(test) == [[40, 8, 10, 142]]
    assert not any("warning" in popover.proto.popover.label for popover in test.main.get("popover"))
