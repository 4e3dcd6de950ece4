"""Names from a file are shown and do nothing."""

import html

import pytest

from evalcore.figures.svg.axis import lines_of
from evalcore.reports.parts import markdown_html
from evalcore.wording import Cell, html_table
from evalcore.wording.escaping import escaped, is_word, one_line, plain, plotly_text, read_json, spreadsheet_cell
from tests.pages.nasty_names import NASTY


def shown(markdown: str) -> str:
    """What a label shows, once Streamlit has read it: the browser test holds this to be true."""
    return html.unescape(markdown).replace("\u2060", "")


@pytest.mark.parametrize("name", NASTY)
def test_a_label_holds_no_mark_of_its_own_and_shows_the_name(name: str) -> None:
    label = plain(name)
    assert set(label) & set("<>[]()*_`~$:!\\|^@/") == set()
    assert shown(label) == one_line(name)


def test_the_empty_name_stays_empty() -> None:
    assert plain("") == ""


def test_a_long_name_is_cut_and_says_so() -> None:
    assert one_line("x" * 500 + "yz", limit=10) == "xxxxxx…xyz"
    assert one_line("x" * 10, limit=10) == "x" * 10


def test_line_breaks_become_blanks() -> None:
    assert one_line("two\nlines\r\n and\ttabs") == "two lines and tabs"


@pytest.mark.parametrize("control", ["\x00", "\ufeff", "\x1b", "\u200b"])
def test_controls_that_hide_letters_are_taken_out(control: str) -> None:
    assert one_line(f"abc{control}def") == "abcdef"


@pytest.mark.parametrize("turn", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_controls_that_turn_letters_are_marks_and_the_letters_keep_their_order(turn: str) -> None:
    written = f"abc‹U+{ord(turn):04X}›def"
    assert one_line(f"abc{turn}def") == plotly_text(f"abc{turn}def") == escaped(f"abc{turn}def") == written
    assert shown(plain(f"abc{turn}def")) == written
    assert html_table([turn], [[turn, Cell(turn, aside=turn, below=turn, title=turn)]]).count(written[3:-3]) == 6
    assert turn not in markdown_html(f"**{turn}**") + lines_of(turn)[0][0]


def test_names_without_marks_are_left_alone() -> None:
    assert plain("model a") == "model a"


def test_numbers_and_other_values_are_written() -> None:
    assert (plain(1), plain(True), plain(0.5)) == ("1", "True", "0&#46;5")


@pytest.mark.parametrize("cell", ["=1+2", "+1", "-1", "@sum(a1)", "\tx", "\rx", "\nx", " =1+2"])
def test_a_cell_that_would_start_a_formula_starts_a_text(cell: str) -> None:
    assert spreadsheet_cell(cell) == "'" + cell


def test_a_cell_that_a_spreadsheet_may_split_starts_no_formula_in_any_part() -> None:
    assert spreadsheet_cell("a;=1+2; -1;b\n@x\t+y") == "a;'=1+2;' -1;b\n'@x\t'+y"
    assert (spreadsheet_cell("＝1"), spreadsheet_cell("\n=x")) == ("'＝1", "'\n'=x")


@pytest.mark.parametrize("cell", ["a=b", "a; b", "", "model", 1, -1.5, None, True])
def test_other_cells_stay_as_they_are(cell: object) -> None:
    assert spreadsheet_cell(cell) is cell


@pytest.mark.parametrize("name", NASTY)
def test_a_figure_shows_the_name_and_reads_no_tag(name: str) -> None:
    text = plotly_text(name, limit=1_000)
    assert "<" not in text
    assert html.unescape(text) == "".join(filter(str.isprintable, " ".join(name.split())))


def test_a_long_name_on_a_figure_is_cut() -> None:
    assert plotly_text("x" * 500 + "yz", limit=10) == "xxxxxx…xyz"


@pytest.mark.parametrize(
    ("label", "word"), [("ill", True), ("not ill", True), ("1", False), ("True", False), ("ja", False), ("≥ 5", False)]
)
def test_a_label_stands_behind_a_number_only_as_a_word(label: str, word: bool) -> None:
    assert is_word(label) is word


def test_half_a_character_of_a_file_can_be_written() -> None:
    assert read_json(r'{"name": "half \ud800"}') == {"name": "half ?"}
