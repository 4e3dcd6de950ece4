"""Tables to paste: names from files are shown as they are and do nothing, numbers stay numbers."""

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.readers import columns_texts
from evalcore.wording import THIN, Cell, Row, table_text, table_words

NASTY = (
    "=1+2",
    "@SUM(A1)",
    "a|b",
    "<script>x</script>",
    "$x_1^2$",
    "\\input{x}",
    "[a](http://e.com)",
    "*b*",
    "100%",
    "a\nb",
    "--x",
)


class Cells(HTMLParser):
    """The texts of the cells of a table, and every tag in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        self.texts[-1] += data


def test_html_and_csv_hold_the_texts_and_no_formula() -> None:
    rows = [[name, "1"] for name in NASTY]
    texts = Cells(table_text(["name", "n"], rows, "HTML"))
    assert texts.tags == {"table", "thead", "tbody", "tr", "th", "td"}
    read = [cell for row in csv.reader(io.StringIO(table_text(["name", "n"], rows, "CSV"))) for cell in row]
    assert texts.texts == read
    assert not any(cell.startswith(("=", "@", "-", "+")) for cell in read)
    assert read[2:6] == ["'=1+2", "1", "'@SUM(A1)", "1"]


def test_numbers_are_numbers_for_a_spreadsheet() -> None:
    row = [f"1{THIN}820", f"66.7{THIN}%", "−0.05", f"+3.1{THIN}pt", "6.6 % – 14.9 %"]
    assert table_text([], [row], "CSV") == "1820,66.7%,-0.05,'+3.1\u202fpt,6.6 % – 14.9 %\n"
    assert table_text([], [["a", "−0.05"], ["b", "undefined"]], "LaTeX").startswith(
        "\\begin{tabular}{lr}\n\\hline\na &"
    )


@pytest.mark.parametrize("name", NASTY)
def test_latex_reads_no_command_of_a_name(name: str) -> None:
    written = table_text([], [[name]], "LaTeX").splitlines()[2].removesuffix(r" \\")
    commands = re.findall(r"\\([A-Za-z]+|.)", written)
    assert set(commands) <= {*"{}#$%&_", "textbackslash", "textasciicircum", "textless", "textgreater", "textbar"}
    bare = re.sub(r"\\([A-Za-z]+\{\}|.)", "", written).replace("{[}", "").replace("{*}", "").replace("-{}-", "")
    assert not re.search(r"[\\{}#$%&_^~<>|\[*]|--", bare)


@pytest.mark.parametrize("name", NASTY)
def test_markdown_keeps_a_name_in_its_cell(name: str) -> None:
    lines = table_text(["name"], [[name]], "Markdown").splitlines()
    assert len(lines) == 3
    inner = lines[2].removeprefix("| ").removesuffix(" |")
    assert not re.search(r"(?<!\\)[|*_`\[\]$]|<|://", inner)


@settings(max_examples=30)
@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=4))
def test_any_texts_make_a_table_of_the_same_shape(rows: list[list[str]]) -> None:
    assert len(Cells(table_text(["a", "b"], rows, "HTML")).texts) == 2 * len(rows) + 2
    assert len(table_text(["a", "b"], rows, "Markdown").splitlines()) == len(rows) + 2
    assert len(table_text(["a", "b"], rows, "LaTeX").splitlines()) == len(rows) + 6


def test_cells_become_their_words() -> None:
    rows = [Row.group("By class", 2), [Cell("recall", aside="TPR"), Cell("80 %", below="n = 5", strong=True)]]
    assert table_words(["measure", ""], rows) == (["measure", ""], [["By class", ""], ["recall TPR", "80 % n = 5"]])


def test_columns_are_written_in_digits_that_people_read_and_long_tables_are_cut() -> None:
    numbers = {"x": [2 / 3, 12345.6, float("nan"), 20.0, float("inf")]}
    assert columns_texts(numbers, ["Markdown"])["Markdown"].splitlines()[2:] == [
        "| 0.6667 |", "| 12346 |", "| undefined |", "| 20 |", "| ∞ |",
    ]  # fmt: skip
    lines = columns_texts({"x": range(10_002)}, ["Markdown"])["Markdown"].splitlines()
    assert (len(lines), "2 more rows" in lines[-1]) == (10_003, True)
    assert columns_texts({"x": range(10_002)}, ["CSV"])["CSV"].count("\n") == 10_003
