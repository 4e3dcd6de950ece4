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


def labelled_scores(rows: int = 200, seed: int = 1, **columns: object) -> pd.DataFrame:
    """True labels 1 and 0 as "y", and a "score" that is higher where they are 1; more columns behind."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows)
    return pd.DataFrame({"y": y, "score": (y + rng.normal(size=rows)).round(4)}).assign(**columns)


def distances() -> bytes:
    frame = labelled_scores()
    return csv(pd.DataFrame({"actual": np.where(frame["y"] == 1, "ill", "well"), "distance": 3 - frame["score"]}))


def survivors() -> bytes:
    """The score is high where "survived" is 0."""
    frame = labelled_scores()
    return csv(pd.DataFrame({"survived": 1 - frame["y"], "risk_score": frame["score"]}))


def class_probabilities(stated: bool = False) -> bytes:
    """Three probabilities rounded to four decimals, and the true label; also the stated prediction."""
    rng = np.random.default_rng(1)
    p = rng.dirichlet([1, 1, 1], 300)
    actual = [rng.choice(ANIMALS, p=row) for row in p]
    frame = pd.DataFrame({"label": actual} | {f"p_{name}": p[:, i].round(4) for i, name in enumerate(ANIMALS)})
    return csv(frame.assign(predicted=np.array(ANIMALS)[p.argmax(axis=1)]) if stated else frame)


def four_counts() -> bytes:
    return b"model,TP,FP,FN,TN\nA,40,8,10,142\nB,35,4,15,146\nC,45,20,5,130\nD,30,1,20,149\n"


def measures() -> bytes:
    return b"model,precision,recall,f1\nA,0.83,0.8,0.81\nB,0.9,0.7,0.79\nC,0.69,0.9,0.78\n"


def estimates() -> bytes:
    rng = np.random.default_rng(1)
    y = rng.normal(20, 5, 100)
    return csv(pd.DataFrame({"y": y, "yhat": y + rng.normal(size=100)}))


def indexed() -> bytes:
    """The index that pandas writes, dates and ids beside the scores."""
    frame = labelled_scores()
    days = pd.date_range("2024-01-01", periods=len(frame)).strftime("%Y-%m-%d")
    frame = frame.assign(date=days, customer=np.arange(200) * 7 + 1000)
    return frame.sample(frac=1, random_state=1).to_csv(index_label="Unnamed: 0").encode()


def coded_1_2() -> bytes:
    frame = labelled_scores()
    return csv(pd.DataFrame({"ill": 2 - frame["y"], "score": frame["score"]}))


def log_odds() -> bytes:
    return csv(labelled_scores().rename(columns={"score": "logit"}))


def two_models_with_groups() -> bytes:
    rng = np.random.default_rng(2)
    frame = labelled_scores(300)
    bands = rng.choice(["<40", "40–59", "60–79", "80+"], 300)
    other = (frame["score"] + rng.normal(size=300)).round(3)
    frame = frame.rename(columns={"score": "score_a"}).assign(score_b=other, age_band=bands)
    return csv(frame.assign(sex=rng.choice(["f", "m"], 300)))


def kilograms(whole: bool = False) -> bytes:
    weights = np.random.default_rng(3).normal(76, 14, 200).clip(40, 120).round(0 if whole else 1)
    return csv(labelled_scores(weight=weights.astype(int) if whole else weights))


def features() -> bytes:
    """Twenty features, two of them called a score or coded 0 and 1, the truth "churn" and "churn_proba"."""
    rng = np.random.default_rng(4)
    names = ["is_member", "credit_score", *(f"x{i}" for i in range(18))]
    frame = pd.DataFrame(rng.normal(50, 10, (400, 20)), columns=names)
    frame["is_member"] = rng.integers(0, 2, 400)
    churn = rng.integers(0, 2, 400)
    return csv(frame.assign(churn=churn, churn_proba=(0.3 * churn + 0.7 * rng.random(400)).round(4)))


def long(systems: tuple[str, ...] = ("A", "B"), value: str = "score") -> pd.DataFrame:
    """One row per id and model."""
    frames = [labelled_scores(120, seed).assign(model=name) for seed, name in enumerate(systems)]
    y = frames[0]["y"]
    frames = [frame.assign(id=np.arange(120) + 500, y=y)[["id", "model", "y", "score"]] for frame in frames]
    table = pd.concat(frames, ignore_index=True).rename(columns={"score": value})
    return table.sample(frac=1, random_state=1, ignore_index=True)


def same_ranking() -> bytes:
    a = np.random.default_rng(5).random(200)
    y = (np.random.default_rng(6).random(200) < a).astype(int)
    return csv(pd.DataFrame({"y": y, "a": a, "b": np.sqrt(a)}))


def raters() -> bytes:
    """Three raters of 200 items, who skipped a few."""
    rng = np.random.default_rng(7)
    item = rng.choice(["good", "fair", "poor"], 200)
    ratings = {f"rater_{i}": np.where(rng.random(200) < 0.8, item, rng.choice(item, 200)) for i in (1, 2, 3)}
    frame = pd.DataFrame({"item": [f"item {i}" for i in range(200)]} | ratings, dtype=object)
    frame.loc[3:10, "rater_2"] = None
    return csv(frame)


def judge() -> bytes:
    """A judge's score of 5,000 answers, of which people labelled 300."""
    frame = labelled_scores(5000)
    labels = frame["y"].where(np.random.default_rng(8).permutation(5000) < 300)
    ids = [f"answer {i}" for i in range(5000)]
    return csv(pd.DataFrame({"id": ids, "judge_score": frame["score"], "human_label": labels}))


def rows_of_patients() -> bytes:
    return csv(labelled_scores(600).assign(patient=np.repeat(np.arange(60), 10)))


def label_sets() -> bytes:
    """True and predicted sets of labels in one cell each, such as "a|c|d"."""
    rng = np.random.default_rng(19)
    sets = [["|".join(np.array(list("abcd"))[rng.random(4) < 0.4]) for _ in range(60)] for _ in range(2)]
    return csv(pd.DataFrame({"true_labels": sets[0], "predicted_labels": sets[1]}))


def labels_beside_scores() -> bytes:
    """A column of 0 and 1 and a column of scores for each of three labels."""
    rng = np.random.default_rng(20)
    truth = {f"y_{label}": (rng.random(60) < 0.4).astype(int) for label in "abc"}
    return csv(pd.DataFrame(truth | {f"score_{label}": rng.random(60).round(3) for label in "abc"}))
