"""Every way a table may be written as text opens as the same table."""

import csv

import pandas as pd
import pytest

from evalcore.readers import DataSet, read_table, roles_of
from tests.words import sentence_with

TABLE = pd.DataFrame({"actual": ["ill", "well", "ill", "well"], "score": [0.9, 0.25, 0.5, 0.125]})
CSV = TABLE.to_csv(index=False)


def same(dataset: DataSet) -> bool:
    pd.testing.assert_frame_equal(dataset.frame, TABLE)
    assert dataset.kind == "scores"
    assert dataset.roles.actual == "actual"
    assert dataset.roles.score == ("score",)
    assert dataset.roles.positive == "ill"
    return True


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(delimiter: str, ends: str) -> None:
    assert same(read_table(CSV.replace(",", delimiter).replace("\n", ends).encode(), "x.csv"))


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_decimal_comma(delimiter: str) -> None:
    assert same(read_table(TABLE.to_csv(index=False, sep=delimiter, decimal=",").encode(), "x.csv"))


def test_decimal_comma_in_quotes_between_commas() -> None:
    assert same(read_table(b'actual,score\nill,"0,9"\nwell,"0,25"\nill,"0,5"\nwell,"0,125"\n', "x.csv"))


def test_decimal_commas_far_below_the_header() -> None:
    lines = "0;1\n1;0\n" * 20_000
    dataset = read_table(f"actual;score\n{lines}1;0,5\n".encode(), "x.csv")
    assert dataset.frame["score"].iloc[-1] == 0.5
    assert any("decimal marks" in finding.sentence for finding in dataset.findings)


def test_commas_between_thousands_are_no_decimal_marks() -> None:
    frame = read_table(b'actual,price,score\nill,"1,234",0.5\nwell,"2,500",0.25\nill,"3,000",0.1\n', "x.csv").frame
    assert frame["price"].tolist() == [1234, 2500, 3000]
    frame = read_table(b'actual,price,n\nill,"1,234",1\nwell,"2,500",2\nill,"300",3\n', "x.csv").frame
    assert frame["price"].tolist() == [1234, 2500, 300]


def test_numbers_of_four_digits_do_not_make_the_commas_of_another_column_decimal_marks() -> None:
    rows = "".join(f'{1000 + i},{i % 2},"{1 + i},23{i}"\n' for i in range(8))
    findings = read_table(f"id,actual,score\n{rows}".encode(), "x.csv").findings
    assert [finding for finding in findings if "decimal marks:" in finding.sentence] == []


def test_blank_lines_at_the_end_are_no_rows() -> None:
    assert same(read_table((CSV + "   \r\n \n\x1a").encode(), "x.csv"))


def test_a_list_in_quotes_is_no_decimal_comma() -> None:
    dataset = read_table(b'actual,score,seen\nill,0.5,"1,2"\nwell,0.25,"a,b"\n', "x.csv")
    assert dataset.frame["score"].tolist() == [0.5, 0.25]
    assert dataset.frame["seen"].tolist() == ["1,2", "a,b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings(encoding: str) -> None:
    assert same(read_table(CSV.encode(encoding), "x.csv"))
    dataset = read_table(CSV.replace("well", "höher 雪 🙂").encode(encoding if "-" in encoding else "utf-8"), "x.csv")
    assert set(dataset.frame["actual"]) == {"ill", "höher 雪 🙂"}


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_western_encodings_are_guessed_and_said(encoding: str) -> None:
    dataset = read_table(CSV.replace("well", "gesünder").encode(encoding), "x.csv")
    assert set(dataset.frame["actual"]) == {"ill", "gesünder"}
    (finding,) = [finding for finding in dataset.findings if "UTF-8" in finding.sentence]
    assert finding.level == "info"
    assert "line 3" in finding.sentence


def test_bytes_without_meaning_in_windows_are_latin_1() -> None:
    dataset = read_table(CSV.encode().replace(b"well", b"\x81\xfc"), "x.csv")
    assert set(dataset.frame["actual"]) == {"ill", "\x81ü"}


def test_quoted_fields() -> None:
    data = b'"actual","score","note"\n"ill","0.9","says ""no"", twice"\n"well","0.25","two\nlines"\n'
    dataset = read_table(data, "x.csv")
    assert dataset.frame["score"].tolist() == [0.9, 0.25]
    assert dataset.frame["note"].tolist() == ['says "no", twice', "two\nlines"]


def test_a_quote_inside_a_field_is_a_letter() -> None:
    assert read_table(b'actual,score,size\nill,0.9,6" pipe\nwell,0.25,3\n', "x.csv").frame["size"][0] == '6" pipe'


def test_blank_after_the_delimiter_is_no_part_of_a_label() -> None:
    dataset = read_table(b"score, actual\n0.9, ill\n0.25, well\n", "x.csv")
    assert dataset.frame["actual"].tolist() == ["ill", "well"]


def test_blanks_around_some_labels_stay() -> None:
    assert read_table(b"actual,score\nill ,0.9\nwell,0.25\n", "x.csv").frame["actual"][0] == "ill "


def test_separator_line_of_excel() -> None:
    dataset = read_table(b"sep=;\r\n" + CSV.replace(",", ";").replace("\n", "\r\n").encode(), "x.csv")
    assert same(dataset)
    assert dataset.lines.at(0) == "line 3"


def test_blank_lines_before_the_header_count_as_lines() -> None:
    dataset = read_table(b"\n  \r\n" + CSV.encode(), "x.csv")
    assert same(dataset)
    assert dataset.lines.at(0) == "line 4"


def test_a_header_over_two_lines() -> None:
    dataset = read_table(b'"actual",\n'.replace(b",\n", b',"score\n(of b)"\n') + b"ill,0.5\nwell,0.25\n", "x.csv")
    assert list(dataset.frame.columns) == ["actual", "score\n(of b)"]
    assert dataset.lines.at(0) == "line 3"


def test_missing_cells_in_their_usual_spellings() -> None:
    data = b"actual,score\nill,\n,0.5\nNA,0.25\nwell,NaN\nill,null\nwell,0.125\n"
    dataset = read_table(data, "x.csv")
    assert dataset.frame["actual"].isna().sum() == 2
    assert dataset.frame["score"].isna().sum() == 3


def test_truth_values_and_numbers_keep_their_types() -> None:
    frame = read_table(b"actual,predicted,n,x\ntrue,1,1,1\nFALSE,0,2,2.5\n", "x.csv").frame
    assert [column.dtype.kind for _, column in frame.items()] == ["b", "i", "i", "f"]


def test_codes_keep_their_zeros_and_their_digits() -> None:
    frame = read_table(b"code,long,actual,score\n007,12345678901234567890,a,1.5\n012,1,b,2\n", "x.csv").frame
    assert frame["code"].tolist() == ["007", "012"]
    assert frame["long"].tolist() == ["12345678901234567890", "1"]


def test_dates_in_text_stay_text() -> None:
    frame = read_table(
        b"day,time,actual,score\n2024-01-31,2024-01-31 10:00:00,a,1.5\n2024-02-01,2024-01-31 11:00:00,b,2\n"
    )
    assert frame.frame["day"].tolist() == ["2024-01-31", "2024-02-01"]


def test_a_file_without_a_header_gets_names_and_keeps_its_first_row() -> None:
    dataset = read_table(b"1,0.9\n0,0.25\n1,0.5\n", "x.csv")
    assert list(dataset.frame.columns) == ["column 1", "column 2"]
    assert len(dataset) == 3
    assert dataset.lines.at(0) == "line 1"
    assert dataset.kind == "scores"
    assert any(finding.level == "warning" and "instead of names" in finding.sentence for finding in dataset.findings)


def test_a_path_and_its_name(tmp_path) -> None:
    path = tmp_path / "test of mine.csv"
    path.write_text(CSV)
    assert same(read_table(path))
    assert read_table(str(path)).name == "test of mine.csv"
    assert read_table(path, "other").name == "other"


def test_the_digest_is_that_of_the_content() -> None:
    a, b = read_table(CSV.encode(), "a.csv"), read_table(CSV.encode(), "b.csv")
    assert a.digest == b.digest
    assert a.digest != read_table(CSV.encode() + b"ill,0.5\n", "a.csv").digest
    frames = (a.frame, b.frame, a.frame.iloc[::-1])
    one, same, other = (DataSet(frame, roles_of()).digest for frame in frames)
    assert one == same != other


def test_a_column_that_a_few_words_keep_from_being_numbers_is_named() -> None:
    lines = "".join(f"a,{value}\nb,{value}.5\n" for value in range(30))
    dataset = read_table(f"actual,score\n{lines}a,1.5*\n".encode(), "x.csv")
    (finding,) = [finding for finding in dataset.findings if finding.column == "score"]
    assert sentence_with(finding.sentence, "1", "1.5*", "62")


def test_a_word_in_a_column_called_score_is_named_in_a_short_table_too() -> None:
    dataset = read_table(b"query,document,score,grade\nq1,a,0.5,1\nq1,b,oops,0\n", "x.csv")
    (finding,) = [finding for finding in dataset.findings if finding.column == "score"]
    assert '"oops" (first: line 3)' in finding.sentence
    labels = read_table(b"actual,predicted\n1,x\nx,1\n", "x.csv")
    assert not [finding for finding in labels.findings if "read as text" in finding.sentence]


def test_codes_and_dates_are_no_numbers_with_marks() -> None:
    dataset = read_table(b"actual,predicted\n2020-01-01,12:30\n1.2.3,100%x\n", "x.csv")
    assert not [finding for finding in dataset.findings if "read as text" in finding.sentence]


def test_blank_column_in_text_is_a_missing_column() -> None:
    frame = read_table(b"actual,score,x\na,0.5,\nb,0.25,\n", "x.csv").frame
    assert frame["x"].isna().all()


@pytest.mark.parametrize(
    "text",
    [
        'actual,"| a | b |",score\n1,"| c | d |",0.5\n0,"| e | f |",0.4\n',
        '1,"| c | d |","x"\n0,"| e | f |","y"\n',
        'actual,score,"R&amp;"\n1,0.5,x\n0,0.4,y\n',
        '"actual","R&amp;D","a ""b;c"""\n"1","2","3"\n',
    ],
)
def test_what_stands_in_quotes_separates_nothing(text: str) -> None:
    lines = text.splitlines()
    frame = read_table(text.encode(), "x.csv").frame
    assert frame.shape == (len(lines) - 1, len(next(csv.reader(lines[:1]))))


TEXTS = {
    "cp1251": ("исход", "болен", "здоров"),
    "cp866": ("исход", "болен", "здоров"),
    "cp932": ("結果", "陽性", "陰性"),
    "gb18030": ("结果", "阳性", "阴性"),
    "cp949": ("결과", "양성", "음성"),
    "cp1253": ("έκβαση", "άρρωστος", "υγιής"),
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_other_scripts_are_readable(encoding: str) -> None:
    name, *labels = TEXTS[encoding]
    rows = "".join(f"{number},{labels[number % 3 > 0]},{number / 64}\n" for number in range(60))
    dataset = read_table(f"id,{name},score\n{rows}".encode(encoding), "x.csv")
    assert set(dataset.frame[name]) == set(labels)
    (finding,) = [finding for finding in dataset.findings if "UTF-8" in finding.sentence]
    assert "(first in line 1)" in finding.sentence
    assert "Windows-1252" not in finding.sentence


@pytest.mark.parametrize(
    "words",
    [
        ("gesünder", "kränker"), ("höher", "niedriger"), ("Größe", "Maß"), ("guéri", "malade"), ("à", "là"),
        ("señal", "ruido"), ("köttfärs", "ål"), ("Ä", "B"), ("Ü", "Ö"), ("é", "à"), ("naïve Bayes", "façade"),
        ("Übermäßig große Käufer", "ÄÖÜ"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", [2, 40])
def test_latin_letters_stay_western(words: tuple[str, str], rows: int) -> None:
    text = "actual,score\n" + "".join(f"{words[number % 2]},{number / 64}\n" for number in range(rows))
    dataset = read_table(text.encode("cp1252"), "x.csv")
    assert set(dataset.frame["actual"]) == set(words)
