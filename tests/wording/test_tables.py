"""Whatever stands in a cell is shown as text."""

import pytest

from evalcore import METRICS, find
from evalcore.wording import (
    Cell,
    Row,
    as_noun,
    copy_menu,
    html_table,
    measure_links,
    measure_markdown,
    measure_word,
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
