"""Whatever stands in a cell is shown as text."""

from evalcore.wording import Cell, Row, html_table

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
