"""Workbooks open as the same table as text: the first sheet that has one."""

import io
import zipfile

import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, read_table
from evalcore.readers.files import columnar

TABLE = pd.DataFrame({"actual": ["ill", "well", "ill", "well"], "score": [0.9, 0.25, 0.5, 0.125]})
CSV = TABLE.to_csv(index=False)


def same(dataset: DataSet) -> bool:
    pd.testing.assert_frame_equal(dataset.frame, TABLE)
    assert dataset.kind == "scores"
    assert dataset.roles.actual == "actual"
    assert dataset.roles.score == ("score",)
    assert dataset.roles.positive == "ill"
    return True


def xlsx(**sheets: pd.DataFrame) -> bytes:
    packed = io.BytesIO()
    with pd.ExcelWriter(packed, engine="openpyxl") as book:
        for title, frame in sheets.items():
            frame.to_excel(book, sheet_name=title, index=False)
    return packed.getvalue()


def ods(rows: str) -> bytes:
    start = (
        '<?xml version="1.0"?><office:document-content office:version="1.2" '
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
        '<table:table table:name="data">'
    )
    content = start + rows + "</table:table></office:spreadsheet></office:body></office:document-content>"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
    return packed.getvalue()


def ods_row(*cells: object) -> str:
    def cell(value: object) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    return "<table:table-row>" + "".join(map(cell, cells)) + "</table:table-row>"


def test_excel() -> None:
    dataset = read_table(xlsx(data=TABLE), "x.xlsx")
    assert same(dataset)
    assert dataset.lines.at(3) == "row 5"


def test_the_first_sheet_with_a_table_opens() -> None:
    dataset = read_table(xlsx(notes=pd.DataFrame(), data=TABLE, more=TABLE), "x.xlsx")
    assert same(dataset)
    (finding,) = [finding for finding in dataset.findings if "sheets" in finding.sentence]
    assert '"data"' in finding.sentence
    assert '"more"' in finding.sentence


def test_a_table_that_begins_further_down_in_a_sheet() -> None:
    packed = io.BytesIO()
    TABLE.to_excel(packed, index=False, startrow=3, startcol=2)
    dataset = read_table(packed.getvalue(), "x.xlsx")
    assert same(dataset)
    assert dataset.lines.at(0) == "row 5"


def test_mixed_cells_of_a_sheet_are_text_with_a_finding() -> None:
    frame = TABLE.assign(note=pd.Series([1, "many", 2.5, True], dtype=object))
    dataset = read_table(xlsx(data=frame), "x.xlsx")
    assert dataset.frame["note"].tolist() == ["1", "many", "2.5", "True"]
    (finding,) = [finding for finding in dataset.findings if finding.column == "note"]
    assert finding.level == "warning"


def test_numbers_written_as_text_in_a_sheet_are_numbers() -> None:
    dataset = read_table(xlsx(data=TABLE.assign(score=["0.9", "0,25", "0.5", "0.125"])), "x.xlsx")
    assert same(dataset)
    assert any("written as text" in finding.sentence for finding in dataset.findings)


def test_dates_of_a_sheet_are_text() -> None:
    dataset = read_table(xlsx(data=TABLE.assign(day=pd.to_datetime(["2024-01-01"] * 4))), "x.xlsx")
    assert dataset.frame["day"][0].startswith("2024-01-01")


def test_open_document_sheet_with_the_empty_rest_that_libreoffice_writes() -> None:
    rows = "".join([ods_row("actual", "score"), *(ods_row(*row) for row in TABLE.itertuples(index=False))])
    rest = (
        '<table:table-row table:number-rows-repeated="1048571"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
    )
    assert same(read_table(ods(rows + rest), "x.ods"))


def test_cells_far_out_are_refused_before_they_take_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "is_child", False)
    cell = '<table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/>'
    rows = f'{ods_row("actual", "score")}<table:table-row table:number-rows-repeated="1048575">{cell}</table:table-row>'
    with pytest.raises(ReadProblem, match="too far out"):
        read_table(ods(rows), "x.ods")
    sheet = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx(data=TABLE))) as book, zipfile.ZipFile(sheet, "w") as changed:
        for name in book.namelist():
            content = book.read(name)
            if name.endswith("sheet1.xml"):
                content = content.replace(b'r="B5"', b'r="XFD1048576"')
            changed.writestr(name, content)
    with pytest.raises(ReadProblem, match="too far out"):
        read_table(sheet.getvalue(), "x.xlsx")
