"""Files as analysts have them, one function each: the bytes of a small one, made from a seed."""

import io
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat

ANIMALS = ["cat", "dog", "horse"]


def csv(frame: pd.DataFrame, **options: object) -> bytes:
    return frame.to_csv(index=False, **options).encode()


def labels(rows: int = 200, seed: int = 1) -> tuple[pd.Series, pd.Series]:
    """True and predicted animals, mostly alike."""
    rng = np.random.default_rng(seed)
    actual = rng.choice(ANIMALS, rows)
    predicted = np.where(rng.random(rows) < 0.7, actual, rng.choice(ANIMALS, rows))
    return pd.Series(actual, name="actual"), pd.Series(predicted, name="predicted")


def patients(rows: int = 200, seed: int = 3) -> pd.DataFrame:
    """A score of the ill and the well, with a ward and an age."""
    rng = np.random.default_rng(seed)
    actual = rng.choice(["ill", "well"], rows, p=[0.3, 0.7])
    score = np.round(rng.normal(np.where(actual == "ill", 0.65, 0.4), 0.15).clip(0, 1), 4)
    ward = rng.choice(["Nord", "Süd"], rows)
    return pd.DataFrame({"actual": actual, "score": score, "ward": ward, "age": rng.integers(20, 90, rows)})


def workbook(**sheets: list[list[object]]) -> bytes:
    """A workbook of sheets, each of some rows."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def rows_of(frame: pd.DataFrame) -> list[list[object]]:
    return [list(frame.columns), *frame.astype(object).to_numpy().tolist()]


def below_titles() -> bytes:
    """Excel: three rows of titles above the header, and a total below."""
    titles = [["Readmission model, validation"], ["Ward", "all"], ["As of 2024-05-01"]]
    return workbook(Results=[*titles, *rows_of(patients()), [], ["Total: 200 patients"]])


def second_sheet() -> bytes:
    """Excel: notes in the first sheet, the predictions in the second, other results in the third."""
    notes = [["Author", "J. Doe"], ["Created", "2024-05-01"], ["Model", "gradient boosting, version 3"]]
    return workbook(Notes=notes, Predictions=rows_of(patients()), Repeat=rows_of(patients(seed=4)))


def excel_with_dates() -> bytes:
    """Excel without surprises, with a column of dates."""
    frame = patients()
    return workbook(Sheet1=rows_of(frame.assign(day=pd.date_range("2024-01-01", periods=len(frame)).to_pydatetime())))


def merged_cells() -> bytes:
    """Excel: a title merged over the columns, and wards merged over their rows."""
    book = openpyxl.load_workbook(io.BytesIO(workbook(Results=[["Results"], *rows_of(patients().sort_values("ward"))])))
    sheet = book.worksheets[0]
    sheet.merge_cells("A1:D1")
    wards = [cell.value for cell in sheet["C"]]
    last = len(wards) - wards[::-1].index("Nord")
    sheet.merge_cells(f"C3:C{last}")
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def german() -> bytes:
    """Semicolons, decimal commas, points between thousands, and umlauts in Windows-1252."""
    frame = patients()
    rng = np.random.default_rng(5)
    amounts = [f"{euros // 1000}.{euros % 1000:03},40" for euros in rng.integers(1_000, 90_000, len(frame))]
    frame = frame.assign(Körpergewicht=np.round(rng.normal(75, 9, len(frame)), 1), Betrag=amounts)
    return frame.to_csv(index=False, sep=";", decimal=",").encode("cp1252")


def json_lines() -> bytes:
    """JSON Lines, with an object in each record."""
    frame = patients()
    records = [{**row, "model": {"name": "a"}} for row in frame.to_dict("records")]
    return "\n".join(map(json.dumps, records)).encode()


def index_column() -> bytes:
    """What `DataFrame.to_csv` writes with its row labels, with a date and an id."""
    frame = patients()
    days = pd.date_range("2024-01-01", periods=len(frame)).astype(str)
    return frame.assign(day=days, patient=np.arange(len(frame)) + 100_000).to_csv().encode()


def spss() -> bytes:
    """SPSS: codes 1 and 2 with labels, 9 as a missing value."""
    frame = patients()
    coded = frame.assign(actual=frame["actual"].map({"well": 1.0, "ill": 2.0}))
    coded.loc[:4, "actual"] = 9
    labels = {"actual": {1: "well", 2: "ill", 9: "unknown"}}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        pyreadstat.write_sav(coded, path, variable_value_labels=labels, missing_ranges={"actual": [9]})
        return path.read_bytes()


def comments_and_footer() -> bytes:
    """Comments above the header, and a total below."""
    return f"# model 3, all wards\n# threshold: 0.5\n{patients().to_csv(index=False)}\nTotal: 200\n".encode()


def cyrillic() -> bytes:
    """Russian labels in Windows-1251."""
    return _renamed(исход={"ill": "болен", "well": "здоров"}).encode("cp1251")


def japanese() -> bytes:
    """Japanese labels in Shift-JIS."""
    return _renamed(結果={"ill": "陽性", "well": "陰性"}).encode("shift_jis")


def _renamed(**labels: dict[str, str]) -> str:
    ((name, words),) = labels.items()
    frame = patients()[["actual", "score"]].replace({"actual": words})
    return frame.rename(columns={"actual": name}).to_csv(index=False)


UNUSABLE = {
    "empty": b"",
    "a header only": b"actual,score\n",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "one class": b"actual,score\n" + b"".join(b"ill,0.%d\n" % number for number in range(1, 9)),
    "equal scores": b"actual,score\n" + b"ill,0.5\nwell,0.5\n" * 20,
}


def matrix(**options: object) -> bytes:
    """A crosstab of true and predicted classes, with the options of `pandas.crosstab`."""
    return pd.crosstab(*labels(), **options).to_csv().encode()


def matrix_of_prefixed_classes() -> bytes:
    """A crosstab whose rows are called "true_…" and whose columns are called "pred_…"."""
    frame = pd.crosstab(*labels())
    return frame.rename(index="true_{}".format, columns="pred_{}".format).to_csv().encode()
