"""Text as people have it: comments and titles above the header, totals below, row numbers; another header if wanted."""

import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, read_table
from tests.readers import made_files as files
from tests.words import sentence_with

FRAME = files.patients(30)
CSV = FRAME.to_csv(index=False)
SEMICOLONS = FRAME.to_csv(index=False, sep=";", decimal=",")


def same(dataset: DataSet) -> str:
    pd.testing.assert_frame_equal(dataset.frame, FRAME)
    return " ".join(finding.sentence for finding in dataset.read_findings)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_comments_above_and_a_total_below(ends: str) -> None:
    text = f'# made by "model 3", all wards\n#\n\n# threshold: 0.5\n{CSV}\nTotal: 30 rows\n'
    dataset = read_table(text.replace("\n", ends).encode(), "x.csv")
    sentences = same(dataset)
    assert sentence_with(sentences, "5", "3")
    assert sentence_with(sentences, "Total: 30 rows", "because")
    assert dataset.lines.at(0) == "line 6"
    assert dataset.lines.origin.header == 5


@pytest.mark.parametrize(
    "titles",
    [
        "Results of the validation\n\n",
        "Results, all wards, and more, to be, checked by, all\n",
        "Study;A 1\nDate;2024-05-01\n",
        '"Results; quoted"\nAs of 2024-05-01\nWard: all\n',
    ],
)
@pytest.mark.parametrize("text", [CSV, SEMICOLONS])
def test_titles_above_the_header(titles: str, text: str) -> None:
    dataset = read_table((titles + text).encode(), "x.csv")
    assert sentence_with(same(dataset), f"{titles.count(chr(10)) + 1}", "header")


def test_two_columns_below_titles_of_two_cells() -> None:
    frame = FRAME[["actual", "score"]]
    dataset = read_table(("Study,A\nWard,all\n" + frame.to_csv(index=False)).encode(), "x.csv")
    pd.testing.assert_frame_equal(dataset.frame, frame)


def test_a_header_that_is_a_comment() -> None:
    assert "#" not in same(read_table(("# " + CSV).encode(), "x.csv"))
    text = "# simulated\n# actual,predicted\n" + "ill,ill\nwell,ill\n" * 9
    dataset = read_table(text.encode(), "x.csv")
    assert (dataset.kind, dataset.roles.actual, len(dataset)) == ("labels", "actual", 18)
    assert dataset.lines.at(0) == "line 3"


@pytest.mark.parametrize(
    "footer",
    [
        "-- end of export --\n",
        "# rows: 569\n",
        "(569 rows affected)\n",
        "(1,569 rows)\n",
        "// end\n",
        "End of file\n",
        "EOF\n",
        "----------\n",
        "30 rows selected.\n",
        '"Total: 30"\n',
        "# rows: 569; ill: 12; well: 18; unknown: 0\n",
        "-- made by; the lab; of ward; A\n",
        "# rows: 569\n# by x\n-- end\n",
        "Total;;;\n",
        "Summe: 30\n",
        "Source: ward A, 2024\n",
        "\n(30 rows affected)\n",
        "\nJ. Doe\n",
        "# end\n",
    ],
)
def test_footers(footer: str) -> None:
    assert "left out" in same(read_table((SEMICOLONS + footer).encode(), "x.csv"))


@pytest.mark.parametrize("last", ["-;0,5;40;a\n", "#1;0,5;40;a\n", "# 1;0,5;40;a\n", "--;0,5;40;a\n"])
def test_a_last_row_with_a_sign_of_comments_is_a_case(last: str) -> None:
    assert len(read_table((SEMICOLONS + last).encode(), "x.csv")) == 31


def test_texts_that_begin_like_comments_are_no_footers() -> None:
    rows = [[f"# day {place}" if place % 2 else f"so {place}", "spam", "ham"] for place in range(30)]
    heads = ["text", "label", "prediction"]
    csv = "".join(f"{','.join(row)}\n" for row in [heads, *rows])
    for data in (csv.encode(), files.workbook(Sheet=[heads, *rows])):
        assert read_table(data, "x").frame["text"].tolist() == [row[0] for row in rows]


def test_two_footers_of_a_large_file() -> None:
    frame = files.patients(20_000)
    text = frame.to_csv(index=False) + "\nTotal: 20000\nSource: ward A\n"
    dataset = read_table(text.encode(), "x.csv")
    pd.testing.assert_frame_equal(dataset.frame, frame)
    assert sentence_with([finding.sentence for finding in dataset.read_findings], "2", "Total: 20000", "Source: ward A")


def test_a_last_row_that_is_cut_off_is_still_a_problem() -> None:
    with pytest.raises(ReadProblem, match=r"Line 32 .* has only 2 fields"):
        read_table((CSV + "ill,0.5\n").encode(), "x.csv")


def test_row_numbers_without_a_name() -> None:
    text = "\t".join(FRAME.columns) + "\n" + FRAME.to_csv(sep="\t", header=False)
    dataset = read_table(text.encode(), "x.tsv")
    pd.testing.assert_frame_equal(dataset.frame.iloc[:, 1:], FRAME)
    assert (dataset.kind, dataset.roles.score) == ("scores", ("score",))
    dataset = read_table(FRAME.to_csv().encode(), "x.csv")
    assert dataset.roles.score == ("score",)


def test_another_header() -> None:
    text = "site,north,2024,x\n" + CSV
    dataset = read_table(text.encode(), "x.csv", header=2)
    assert same(dataset) == ""
    assert dataset.lines.at(0) == "line 3"
    assert dataset.lines.origin.arguments() == {"header": 2}
    assert list(read_table(CSV.encode(), "x.csv", header=0).frame.columns)[:2] == ["column 1", "column 2"]
    assert list(read_table(b"x\n#actual,score\nill,0.5\nwell,0.1\n", "x.csv", header=2).frame) == ["actual", "score"]


@pytest.mark.parametrize("header", [32, 99, -1])
def test_a_header_that_cannot_be(header: int) -> None:
    with pytest.raises(ReadProblem, match=r"header line|no rows"):
        read_table(CSV.encode(), "x.csv", header=header)


def test_a_plain_file_leaves_no_choice() -> None:
    assert read_table(CSV.encode(), "x.csv").lines.origin.is_usual


def test_errors_of_a_spreadsheet_are_missing_values() -> None:
    rows = "".join(f"{'ab'[row % 2]},{row / 100}\n" for row in range(30))
    dataset = read_table(f"actual,score\na,#DIV/0!\nb,#VALUE!\n{rows}".encode(), "x.csv")
    assert (dataset.kind, dataset.left_out()) == ("scores", 2)


def test_values_below_a_limit_of_detection_keep_a_column_from_being_numbers() -> None:
    rows = "".join(f"{row},{'yes' if row % 2 else 'no'},{row / 100 if row % 6 else '<0.01'}\n" for row in range(90))
    dataset = read_table(f"patient,outcome,troponin\n{rows}".encode(), "x.csv")
    (finding,) = [one for one in dataset.findings if one.code == "words"]
    assert 'because 15 rows hold no number: "<0.01"' in finding.sentence
    assert dataset.shaped(finding.action).roles.get("score") == ("troponin",)


NULLS = "actual,score,age,site,n\n" + "".join(
    f"{('ill', 'well')[i % 2] if i % 9 else NULL},{f'0.{i + 11}' if i % 7 else NULL},{i if i % 5 else NULL},"
    f"{'a' if i % 4 else NULL},{i}\n"
    for NULL in ("\\N",)
    for i in range(60)
)


def test_one_click_counts_a_code_of_databases_as_missing_in_every_column() -> None:
    data = read_table(NULLS.encode(), "x.csv")
    (finding,) = [one for one in data.findings if one.action]
    assert sentence_with(finding.sentence, "score", "age", "33", "N", "2")
    assert 'Columns "actual", "site" hold the same.' in finding.sentence
    shaped = data.shaped(finding.action)
    assert not [one for one in shaped.findings if one.action]
    assert shaped.frame.isna().sum().tolist() == [7, 9, 12, 15, 0]
    assert (shaped.kind, shaped.frame["age"].dtype.kind, sorted(shaped.labels)) == ("scores", "f", ["ill", "well"])


def test_a_few_numbers_and_the_dates_made_of_others_are_told_and_cleared_by_one_click() -> None:
    rows = "".join(f"{k % 5 + 1},1;{('1,5', '2,3', '01. Mai', '12. Mrz')[k % 4]}\n" for k in range(40))
    data = read_table(f"wahr;vorhersage\n{rows}".encode(), "x.csv")
    (finding,) = [one for one in data.findings if one.code == "words"]
    assert sentence_with(finding.sentence, "01")
    assert sentence_with(finding.sentence, ", ", "12")
    assert sentence_with(finding.sentence, "4", "first")
    assert sentence_with(finding.sentence, "1.5", "1")
    assert data.shaped(finding.action).frame["vorhersage"].dtype.kind == "f"


def test_a_column_called_score_that_holds_words_is_not_told_to_be_absent() -> None:
    rows = "".join(f"{k % 2},{'?' if k % 4 == 3 else k / 64}\n" for k in range(64))
    data = read_table(f"y,score\n{rows}".encode(), "x.csv")
    words, roles = data.findings[:2]
    assert (words.code, roles.code) == ("words", "no roles")
    assert sentence_with(roles.sentence, "y", "score")
    assert data.shaped(words.action).kind == "scores"


def test_numbers_that_became_dates_are_named() -> None:
    rows = [f"ill,0.{i}\nwell,0.{i + 1}" for i in range(11, 40)]
    data = read_table(("actual,score\n" + "\n".join([*rows, "ill,1-May"]) + "\n").encode(), "x.csv")
    (finding,) = [one for one in data.findings if one.code == "words"]
    assert sentence_with(finding.sentence, "1-May", "60")
    assert sentence_with(finding.sentence, "1.5", "1")
    assert data.shaped(finding.action).frame["score"].dtype.kind == "f"


def test_many_numbers_that_became_the_same_dates_are_named_among_few_numbers() -> None:
    cells = ["1,5", "2,3", "01. Mai", "3,7", "2,9", "12. Mrz"] * 10
    data = read_table(
        "".join(f"{a};{b}\n" for a, b in [("wahr", "Vorhersage"), *zip(cells[::-1], cells, strict=True)]).encode()
    )
    (finding,) = [one for one in data.findings if one.code == "words"]
    assert 'Excel may have turned "1.5" into 1 May.' in finding.sentence
    assert (data.shaped(finding.action).frame.notna().sum() == 40).all()
    whole = "".join(f"{cell}\n" for cell in ["a;b", *["1;01. Mai", "2;3"] * 10])
    assert "words" not in [one.code for one in read_table(whole.encode(), "x.csv").findings]


COUNTRIES = ["DE", "FR", "NA", "ZA", "US", "BW"]


def test_a_country_is_the_truth_of_a_prediction_of_the_same_labels_and_else_a_group() -> None:
    rows = "".join(f"{COUNTRIES[i % 6]},{COUNTRIES[i * i % 6]},{COUNTRIES[i % 5]}\n" for i in range(60))
    data = read_table(f"country,other,predicted\n{rows}".replace("BW", "NA").encode(), "x.csv")
    assert (data.kind, data.roles.actual, data.roles.predicted) == ("labels", "country", ("predicted",))
    data = read_table(f"country,actual,predicted\n{rows}".encode(), "x.csv")
    assert (data.roles.actual, data.roles.group) == ("actual", "country")


def test_na_among_country_codes_is_namibia() -> None:
    text = "country,actual,score\n" + "".join(
        f"{COUNTRIES[i % 6]},{('ill', 'well')[i % 2]},0.{i + 11}\n" for i in range(60)
    )
    data = read_table(text.encode(), "x.csv")
    assert data.frame["country"].value_counts()["NA"] == 10
    (finding,) = [one for one in data.findings if one.code == "country codes"]
    assert sentence_with(finding.sentence, "NA", "10", "4")
    missing = data.shaped(finding.action)
    assert missing.frame["country"].isna().sum() == 10
    assert "country codes" not in [one.code for one in missing.findings]
    labels = read_table(
        "".join(
            f"{a},{b}\n" for a, b in [("actual", "predicted"), *zip(COUNTRIES * 9, COUNTRIES[::-1] * 9, strict=True)]
        ).encode()
    )
    assert "NA" in labels.labels
    assert "codes" not in [one.code for one in labels.findings]


@pytest.mark.parametrize("codes", [["NY", "CA", "NA", "TX"], ["a", "b", "NA", "c"], ["DE", "NA", "FR"]])
def test_na_among_other_codes_is_missing(codes: list[str]) -> None:
    text = "site,actual,score\n" + "".join(
        f"{codes[i % len(codes)]},{('ill', 'well')[i % 2]},0.{i + 11}\n" for i in range(60)
    )
    assert read_table(text.encode(), "x.csv").frame["site"].isna().sum() == 60 // len(codes)
