"""Tables joined by ids: which columns are taken, what is counted, how columns of several files are named."""

import runpy

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analyses import Source
from evalcore.readers import DataSet, KeysNeeded, ReadProblem, Workspace, join_tables, read_files, read_table
from evalcore.readers.files import columnar as large_files
from tests.readers import made_files as files
from tests.words import facts, sentence_with


def table(name: str, **columns: object) -> DataSet:
    return DataSet.of(pd.DataFrame(columns), name)


def csv(frame: pd.DataFrame) -> bytes:
    return frame.to_csv(index=False).encode()


IDS = [f"case-{number:03}" for number in range(60)]
TRUTH = pd.DataFrame({"case_id": IDS, "age": range(30, 90), "actual": ["ill", "well", "well"] * 20})


def predictions(seed: int, rows: int = 60, **names: str) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    order = random.permutation(60)[:rows]
    frame = pd.DataFrame({"case_id": np.array(IDS)[order], "score": random.random(rows).round(3)})
    return frame.rename(columns=names)


def test_truth_and_predictions_in_another_order_with_some_missing() -> None:
    other = predictions(0, 50)
    other.loc[len(other)] = ["case-999", 0.5]
    data = read_files({"predictions.csv": csv(other), "truth.csv": csv(TRUTH)})
    assert (data.kind, data.systems, data.name) == ("scores", ("score",), "truth.csv with predictions.csv")
    by_id = dict(zip(other["case_id"], other["score"], strict=True))
    expected = [by_id.get(id, np.nan) for id in IDS]
    np.testing.assert_array_equal(data.frame["score"], expected)
    first = next(id for id in IDS if id not in by_id)
    assert (
        facts(data.read_findings[0].sentence)
        == f"predictions.csv case_id 50 60 truth.csv {first} {IDS.index(first) + 2} 1 predictions.csv case-999 52"
    )
    assert data.left_out() == 10


def test_one_file_per_model_makes_systems() -> None:
    files = {f"{name}.csv": csv(TRUTH.merge(predictions(seed))) for seed, name in enumerate(("forest", "logistic"))}
    data = read_files(files)
    assert data.systems == ("score forest", "score logistic")
    assert data.frame.columns.tolist() == ["case_id", "age", "actual", "score forest", "score logistic"]
    assert [finding.level for finding in data.read_findings] == ["info"]


def test_equal_scores_of_two_files_stay_two_systems() -> None:
    files = {f"{name}.csv": csv(TRUTH.merge(predictions(0))) for name in ("forest", "copy")}
    assert read_files(files).systems == ("score forest", "score copy")


def test_a_list_of_the_predictions_of_several_models_is_one_column_each() -> None:
    parts = [predictions(seed).assign(model=name) for seed, name in enumerate(("forest", "logistic"))]
    data = read_files({"truth.csv": csv(TRUTH), "long.csv": csv(pd.concat(parts))})
    assert data.systems == ("score forest", "score logistic")
    again = parts[1].set_index("case_id")["score"]
    np.testing.assert_array_equal(data.frame["score logistic"], again[IDS])


@pytest.mark.parametrize(
    ("first", "other", "key"),
    [
        ({"id": [7, 8, 12]}, {"id": ["007", "012", "008"]}, (("id",), ("id",))),
        ({"patient": ["a", "b", "c"]}, {"case": ["c ", "a", "b"]}, (("patient",), ("case",))),
        ({"code": ["x1", "x2", "x3"]}, {"sample": ["x3", "x1", "x2"]}, (("code",), ("sample",))),
        (
            {"patient": ["a", "a", "b"], "visit": [1, 2, 1]},
            {"patient": ["b", "a", "a"], "visit": [1, 2, 1]},
            (("patient", "visit"), ("patient", "visit")),
        ),
        (
            {"id": [1, 2, 3], "file": ["p", "q", "r"]},
            {"id": [1, 2, 3], "file": ["r", "q", "p"]},
            (("file",), ("file",)),
        ),
    ],
    ids=["numbers with zeros", "other names of ids", "only the values", "two columns", "ids before row numbers"],
)
def test_the_columns_of_ids_are_recognized(first: dict, other: dict, key: tuple) -> None:
    data = join_tables([table("a", actual=[1, 0, 1], **first), table("b", score=[0.5, 0.25, 0.75], **other)])
    assert dict(data.joined[0])["b"] == key
    assert data.frame["score"].notna().all()


def test_without_ids_that_match_the_user_chooses_them() -> None:
    tables = [table("a", actual=["x", "y"], age=[40, 50]), table("b", score=[0.1, 0.2], years=[50, 40])]
    with pytest.raises(KeysNeeded, match="No column of ids") as caught:
        join_tables(tables)
    assert caught.value.columns == {"a": ["actual", "age"], "b": ["score", "years"]}
    assert join_tables(tables, {"b": (("age",), ("years",))}).frame["score"].tolist() == [0.2, 0.1]
    by_order = join_tables(tables, {"b": ((), ())})
    assert by_order.frame["score"].tolist() == [0.1, 0.2]
    assert sentence_with(by_order.findings[0].sentence, "b", "a")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"b": "id"}, '"7" occurs twice in'),
        ({"b": "key"}, '"a" has no column "key"'),
        ({"c": "id"}, 'no file named "c"'),
        ({"b": ((), ())}, '"b" has 3 rows and "a" 2 rows'),
    ],
)
def test_what_cannot_be_joined_says_why(keys: dict, problem: str) -> None:
    tables = [table("a", id=[7, 8], actual=[1, 0]), table("b", id=[7, 8, 7], score=[0.1, 0.2, 0.3])]
    with pytest.raises(ReadProblem, match=problem):
        join_tables(tables, keys)


def test_a_truth_that_differs_is_named() -> None:
    tables = [table(name, id=[3, 1, 2], actual=["x", "y", last]) for name, last in (("a", "x"), ("b", "y"))]
    data = join_tables([tables[0], DataSet.of(tables[1].frame.assign(score=[0.5, 0.1, 0.2]), "b")])
    warning = next(finding for finding in data.findings if finding.column == "actual")
    assert (warning.count, data.frame["actual"].tolist()) == (1, ["x", "y", "x"])
    assert facts(warning.sentence) == "actual b a 1 4"


def test_a_model_is_added_later_and_python_does_the_same(tmp_path) -> None:
    files = {"truth.csv": TRUTH, **{f"{name}.csv": predictions(seed) for seed, name in enumerate("abc")}}
    for name, frame in files.items():
        (tmp_path / name).write_bytes(csv(frame))
    data = read_files({name: csv(files[name]) for name in ("truth.csv", "a.csv")})
    for name in ("b.csv", "c.csv"):
        data = join_tables([data, read_table(csv(files[name]), name)])
    assert sentence_with(data.name, "a.csv, b.csv, c.csv")
    assert data.systems == ("score", "score b", "score c")
    with pytest.raises(ReadProblem, match="already part"):
        join_tables([data, read_table(csv(files["b.csv"]), "b.csv")])
    workspace = Workspace(tmp_path / "stored", 10_000_000)
    again = workspace.load(workspace.save(data))
    assert again.joined == data.joined
    code = Source.of(again).code.replace("read_table('", f"read_table('{tmp_path}/")
    (tmp_path / "script.py").write_text(code)
    pd.testing.assert_frame_equal(runpy.run_path(str(tmp_path / "script.py"))["data"].frame, data.frame)


@settings(deadline=None)
@given(st.lists(st.integers(0, 6)), st.lists(st.integers(0, 9), unique=True), st.booleans())
def test_a_join_is_a_look_up_row_by_row(ids: list[int], others: list[int], is_text: bool) -> None:
    first = table("a", id=np.array(ids, int), actual=np.arange(len(ids)) % 2)
    values = {id: id / 8 for id in others}
    keys = pd.Series(others, dtype=int)
    other = table("b", id=keys.astype("str") if is_text else keys, score=np.array(others, float) / 8)
    joined = join_tables([first, other], {"b": "id"})
    np.testing.assert_array_equal(joined.frame["score"], [values.get(id, np.nan) for id in ids])


def test_large_files_are_joined_in_the_child_process_as_small_ones_are_here(monkeypatch) -> None:
    files = {"a.csv": b"case,score\nx,0.5\ny,0.25\n", "truth.csv": b"age,actual\n30,1\n40,0\n"}
    monkeypatch.setattr(large_files, "SMALL", 10)
    with pytest.raises(KeysNeeded, match=r"^No column of ids") as caught:
        read_files(files)
    assert caught.value.columns == {"truth.csv": ["age", "actual"], "a.csv": ["case", "score"]}
    data = read_files(files, {"a.csv": ((), ())})
    assert (data.frame["score"].tolist(), data.joined[0][1]) == ([0.5, 0.25], ("a.csv", ((), ())))


@pytest.mark.parametrize("names", [("solution.csv", "a_submission.csv"), ("truth.csv", "output.csv")])
def test_a_submission_has_the_column_of_its_solution(names: tuple[str, str]) -> None:
    truth = pd.DataFrame({"id": range(60), "target": [0, 1] * 30})
    shares = truth.assign(target=np.random.default_rng(1).random(60))
    labels = truth.assign(target=[0, 1, 1] * 20)
    for other in (shares, labels, truth):
        for order in ((truth, other), (other, truth)):
            titles = names if order[0] is truth else names[::-1]
            data = read_files({title: csv(frame) for title, frame in zip(titles, order, strict=True)})
            assert data.roles.get("actual") == "target"
            assert data.systems == (f"target {names[1][:-4]}",)
            np.testing.assert_array_equal(data.frame[data.systems[0]], other["target"])


def test_a_sheet_that_was_chosen_is_read_again_by_the_script(tmp_path, monkeypatch) -> None:
    book = files.workbook(First=files.rows_of(TRUTH), Second=files.rows_of(TRUTH.assign(actual=["well", "ill"] * 30)))
    truth, model = read_table(book, "truth.xlsx", sheet="Second"), read_table(csv(predictions(0)), "model.csv")
    workspace = Workspace(tmp_path, 10**9)
    data = workspace.load(workspace.save(join_tables([truth, model])))
    later = join_tables([data, read_table(csv(predictions(1)), "later.csv")])
    assert data.joined_with == later.joined_with == (("truth.xlsx", "sheet", "Second"),)
    monkeypatch.chdir(tmp_path)
    for name, content in (("truth.xlsx", book), ("model.csv", csv(predictions(0))), ("later.csv", csv(predictions(1)))):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "script.py").write_text(Source.of(later).code)
    pd.testing.assert_frame_equal(runpy.run_path(str(tmp_path / "script.py"))["data"].frame, later.frame)
