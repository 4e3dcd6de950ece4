"""Whatever stands in a cell is shown as text."""

import math
from base64 import b64decode

import numpy as np
import pytest

from evalcore import METRICS, find
from evalcore.wording import (
    Cell,
    Column,
    Row,
    as_noun,
    copy_menu,
    html_table,
    measure_links,
    measure_markdown,
    measure_word,
    packed_table,
    visible_blanks,
    with_parameters,
)

EVIL = '<img src=x onerror="alert(1)">&'


def test_every_text_of_a_table_is_escaped() -> None:
    cell = Cell(EVIL, aside=EVIL, below=EVIL, title=EVIL, kind=EVIL)
    table = html_table([EVIL], [[cell], Row.group(EVIL, 2)])
    assert "<img" not in table
    assert table.count("&lt;img") == 7
    assert '"alert' not in table


def test_rows_carry_their_class_and_headings_their_span() -> None:
    table = html_table([], [Row(["a", Cell("b", strong=True, heading=True)], "all"), Row.group("g", 2)], "groups")
    assert table == (
        '<table class="groups"><tbody><tr class="all"><td>a</td><th><b>b</b></th></tr>'
        '<tr class="group"><th colspan="2">g</th></tr></tbody></table>'
    )


@pytest.mark.parametrize(
    ("measure", "word"),
    [(METRICS["recall"], "recall"), (METRICS["youden_j"], "Youden's J"), (find("F2"), "F2"),
     (find("AUC"), "AUC")],
)  # fmt: skip
def test_a_measure_is_named_as_in_the_middle_of_a_sentence(measure, word) -> None:
    assert measure_word(measure) == word


def test_a_measure_leads_to_its_entry_with_the_parameters_of_the_page() -> None:
    link = measure_markdown(find("PPV"))
    assert link == "[**Precision**](measures?measure=precision)"
    carried = with_parameters(link, {"data": "a b", "measure": "AP"})
    assert carried == "[**Precision**](measures?data=a+b&measure=precision)"
    assert measure_links({"AP": "AP"}, "retrieval") == ["[AP](measures?measure=average_precision_at)"]


def test_a_label_inside_a_sentence_is_quoted_unless_it_is_an_everyday_word() -> None:
    assert [as_noun(label) for label in ("ill", "1", "Heart failure")] == ["ill", "“1”", "“Heart failure”"]
    assert [visible_blanks(name) for name in (" cat", "cat", "")] == ["␣cat", "cat", "(empty)"]


def test_an_empty_table_and_a_large_one_are_not_copied() -> None:
    assert (copy_menu(["measure"], []), copy_menu(["a", "b"], [["1", "2"]] * 2_000)) == ("", "")


def shown(column: dict) -> list:
    """The texts of a column, row by row."""
    index = np.frombuffer(b64decode(column["index"]), f"<u{column['width']}")
    return [column["texts"][place] for place in index.tolist()]


def test_numbers_of_a_sorted_table_are_written_and_lie_in_their_order_with_undefined_last() -> None:
    values = np.array([0.5, math.nan, -0.0004, math.inf, -12_345.678, 0.5])
    (column,) = packed_table({"difference": values}, {"difference": Column(3)}, {"difference": [-1.5, None]})["columns"]
    assert shown(column) == ["0.500", "undefined", "0.000", "∞", "−12\u202f345.678", "0.500"]
    assert column["texts"] == ["−12\u202f345.678", "0.000", "0.500", "∞", "undefined"]
    assert (column["undefined"], column["right"], column["foot"]) == (True, True, ["−1.500", ""])
    many = packed_table({"n": np.arange(70_000)}, {}, {})["columns"][0]
    assert (many["width"], shown(many)[-1]) == (4, "69\u202f999")


def test_the_best_value_is_marked_and_bars_are_shares_of_the_highest() -> None:
    values = np.array([0.2, math.nan, 0.1, 0.4])
    columns = packed_table(
        dict.fromkeys("ab", values), {"a": Column(1, best="highest", kind="bar"), "b": Column(1, best="lowest")}, {}
    )["columns"]
    assert [column["texts"][column["best"]] for column in columns] == ["0.4", "0.1"]
    assert columns[0]["bars"] == [25, 50, 100, 0]


def test_texts_lie_in_the_order_of_the_numbers_in_them_and_can_turn_no_letters() -> None:
    values = {"name": ["q10", "q9", None, "\u202eq"], "interval": ["0.10–0.20", "−0.100 to 0.010", "0.05–0.10", "–"]}
    names, intervals = packed_table(values, {}, {})["columns"]
    assert names["texts"] == ["q9", "q10", "‹U+202E›q", "undefined"]
    assert intervals["texts"] == ["−0.100 to 0.010", "0.05–0.10", "0.10–0.20", "–"]
    assert (names["right"], intervals["right"]) == (False, True)


def test_a_table_of_a_file_shows_its_values_as_they_are_and_has_no_links() -> None:
    values = {"precision": np.array([2019, 2020]), "x": np.array([1234567.25, 0.1 + 0.2]), "yes": [True, None]}
    year, number, truth = packed_table(values, {}, {}, missing=None)["columns"]
    assert (shown(year), year["measure"]) == (["2019", "2020"], None)
    assert (shown(number), shown(truth)) == (["1234567.25", "0.3"], ["True", ""])
    own = packed_table(values | {"measure": ["Recall", "nothing"]}, {}, {})["columns"]
    assert [column["measure"] for column in own] == ["precision", None, None, None]
    assert own[3]["keys"] == [None, "recall"]
    assert shown(own[2]) == ["yes", "undefined"]
