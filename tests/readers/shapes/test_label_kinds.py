"""Several labels per row: found in the columns, read from sets and from indicators, and refused with a sentence."""

import runpy

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS
from evalcore.analyses import LabelGrid, LabelTable, LabelThresholds, Source
from evalcore.classification import LabelSets
from evalcore.readers import DataSet, ReadProblem, as_kind, label_systems, read_table
from evalcore.readers.base.column_names import part_and_subject
from evalcore.readers.shapes.label_columns import names_in, paired_columns
from tests.readers import made_files as files
from tests.words import sentence_with

RANDOM = np.random.default_rng(8)


def sets_table(separator: str, quote: str = "") -> bytes:
    rows = [("a c d", "a c"), ("b", "a b"), ("", "a"), ("c d", "d"), ("a b c", "")]
    cells = [",".join(f'"{separator.join(cell.split())}"' for cell in row) for row in rows]
    return "\n".join(["true_labels,predicted_labels", *cells]).encode()


def columns_table(truth: str, other: str, labels: str = "abc", rows: int = 60, fractions: bool = False) -> bytes:
    """A table of one column of 0 and 1 and one other per label, in the opposite order."""
    flags = (RANDOM.random((rows, len(labels))) < 0.4).astype(int)
    values = RANDOM.random(flags.shape).round(3) if fractions else (RANDOM.random(flags.shape) < 0.5).astype(int)
    names = [*(truth.format(label) for label in labels), *(other.format(label) for label in reversed(labels))]
    lines = [",".join(f"{value:g}" for value in row) for row in np.hstack([flags, values]).tolist()]
    return "\n".join([",".join(names), *lines]).encode()


def warnings(dataset: DataSet) -> str:
    return " ".join(finding.sentence for finding in dataset.findings if finding.level != "info")


@pytest.mark.parametrize("separator", ["|", ",", ";", " | "])
def test_two_columns_of_sets_are_label_sets(separator: str) -> None:
    dataset = read_table(sets_table(separator), "sets.csv")
    assert (dataset.kind, dataset.systems) == ("label sets", ("a", "b", "c", "d"))
    counts = dataset.label_sets().one_vs_rest()
    assert [cell.tolist() for cell in (counts.tp, counts.fp, counts.fn)] == [[1, 1, 1, 1], [2, 0, 0, 0], [1, 1, 2, 1]]
    assert len(dataset) == dataset.label_sets().rows == 5


def test_lists_as_python_writes_them_are_sets() -> None:
    text = "tags\tpredicted\n['a', 'c']\t['a']\n[]\t['c', 'b']\n['a', 'b']\t['b']\n"
    dataset = read_table(text.encode(), "lists.tsv")
    assert (dataset.kind, dataset.systems) == ("label sets", ("a", "b", "c"))
    assert names_in("{'x y', \"z\"}", ",") == ["x y", "z"]


def test_names_of_classes_with_commas_are_no_sets() -> None:
    rows = "\n".join(f'"{one}, small","{two}, small"' for one in ("cat", "dog") for two in ("cat", "dog", "hen"))
    assert read_table(f"actual,predicted\n{rows}\n".encode(), "names.csv").kind == "labels"


@pytest.mark.parametrize(
    ("truth", "other", "fractions", "kind"),
    [
        ("y_{}", "score_{}", True, "label scores"),
        ("{}_true", "{}_prob", True, "label scores"),
        ("{}", "p_{}", True, "label scores"),
        ("y_true_{}", "y_pred_{}", True, "label scores"),
        ("y_{}", "pred_{}", False, "label sets"),
        ("true_{}", "{}_pred", False, "label sets"),
    ],
)
def test_columns_are_matched_by_the_label_in_their_names(truth: str, other: str, fractions: bool, kind: str) -> None:
    dataset = read_table(columns_table(truth, other, fractions=fractions), "columns.csv")
    assert (dataset.kind, dataset.systems) == (kind, ("a", "b", "c"))
    frame = dataset.frame
    if kind == "label scores":
        arrays = dataset.scored_arrays("b")
        assert (arrays.labels == (frame[truth.format("b")] == 1)).all()
        assert (arrays.scores == frame[other.format("b")]).all()
        assert dataset.scored("b").positives == frame[truth.format("b")].sum()
    else:
        both = (frame[truth.format("b")] == 1) & (frame[other.format("b")] == 1)
        assert dataset.counts("b").tp == both.sum()
        assert dataset.matrix("b").counts[1, 1] == both.sum()
        arrays = dataset.label_arrays("b")
        assert ((arrays.actual == 1) & (arrays.predicted == 1)).sum() == both.sum()


def test_the_files_of_analysts_open_as_several_labels() -> None:
    sets = read_table(files.label_sets(), "sets.csv")
    scores = read_table(files.labels_beside_scores(), "scores.csv")
    assert (sets.kind, sets.systems) == ("label sets", ("a", "b", "c", "d"))
    assert (scores.kind, scores.systems) == ("label scores", ("a", "b", "c"))


def test_one_pair_of_columns_is_an_ordinary_score() -> None:
    assert read_table(columns_table("y_{}", "score_{}", "a", fractions=True), "one.csv").kind == "scores"


def test_a_column_of_sets_beside_scores_is_label_scores() -> None:
    cells = ["|".join(label for label in "abc" if RANDOM.random() < 0.5) for _ in range(40)]
    rows = "\n".join(f"{cell},{RANDOM.random():.3f},{RANDOM.random():.3f},{RANDOM.random():.3f}" for cell in cells)
    dataset = read_table(f"tags,score_a,score_b,score_c\n{rows}\n".encode(), "both.csv")
    assert (dataset.kind, dataset.systems) == ("label scores", ("a", "b", "c"))
    assert dataset.tally("b") == (40, sum("b" in cell for cell in cells))


def test_the_roles_go_through_a_link_and_from_one_kind_to_the_other() -> None:
    dataset = read_table(columns_table("y_{}", "pred_{}"), "columns.csv")
    again = dataset.with_roles(dataset.roles.to_text())
    assert again.roles == dataset.roles
    scores = as_kind(dataset.roles, "label scores", dataset.frame)
    assert dataset.with_roles(scores).kind == "label scores"
    labels = read_table(b"actual,predicted\na,b\nb,b\na,a\n", "labels.csv")
    sets = labels.with_roles(as_kind(labels.roles, "label sets", labels.frame))
    assert sets.label_sets().one_vs_rest().tp.tolist() == [1, 1]


def test_what_the_findings_say() -> None:
    dataset = read_table(b"labels,predicted\na|c,a|z\nb|c,b\n,a\na|b,b|Z\n", "findings.csv")
    sentences = [finding.sentence for finding in dataset.findings]
    assert any(sentence.startswith('Predicted "Z", "z" never occur in column "labels"') for sentence in sentences)
    assert sentence_with(sentences, "1", "4")
    assert any('"Z", "z" differ only in case' in sentence for sentence in sentences)


def test_rows_that_lack_a_value_take_part_in_no_label() -> None:
    text = "y_a,y_b,score_a,score_b\n1,0,0.9,0.2\n,1,0.8,0.7\n0,1,,0.4\n1,1,0.3,0.6\n0,0,0.1,0.1\n"
    dataset = read_table(text.encode(), "gaps.csv")
    assert (dataset.label_scores().rows, dataset.left_out("a"), dataset.left_out("b")) == (3, 2, 2)
    assert "y_a" in warnings(dataset)
    assert dataset.label_rows().complete.tolist() == [True, False, False, True, True]


def test_weights_count_rows() -> None:
    dataset = read_table(b"y_a,y_b,pred_a,pred_b,weight\n1,0,1,1,2\n1,1,0,1,1\n0,1,0,0,3\n", "weights.csv")
    assert dataset.roles.get("weight") == "weight"
    assert dataset.counts("a").tp == 2
    assert dataset.label_sets().one_vs_rest().fn.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"y_a,y_b,score_a,score_b\n1,0,.5,.5\n2,1,.1,.2\n", 'Column "y_a" holds 2 in line 3'),
        (b"y_a,y_b,score_a,score_b\nx,0,.5,.5\ny,1,.1,.2\nz,1,.1,.2\n", 'Column "y_a" has 3 different values'),
    ],
)
def test_a_column_of_one_label_with_other_values_is_refused(text: bytes, sentence: str) -> None:
    dataset = read_table(text, "bad.csv").with_roles("true_labels~y_a~y_b~~label_score~score_a~score_b")
    assert sentence in warnings(dataset)
    with pytest.raises(ReadProblem, match="Column"):
        dataset.label_scores()


def test_columns_that_do_not_match_are_refused() -> None:
    with pytest.raises(ReadProblem, match="in common"):
        paired_columns(("y_a", "y_b", "y_c"), ("score_d", "score_e"))
    assert [label for label, _, _ in paired_columns(("y_a", "y_b"), ("model 1", "model 2"))] == ["a", "b"]


def test_more_labels_than_can_be_listed_are_refused_with_a_sentence() -> None:
    rows = "\n".join(f"n{i % 2500}|n{i * 7 % 2500}|n{i * 3 % 2500},n{i % 2500}|n{i * 5 % 2500}" for i in range(5000))
    dataset = read_table(f"labels,predicted\n{rows}\n".encode(), "many.csv")
    assert dataset.kind == "label sets"
    assert sentence_with(warnings(dataset).replace("\u202f", " "), "2", "500", "000")
    assert dataset.systems == ()
    with pytest.raises(ReadProblem, match="different labels"):
        dataset.label_sets()


def test_hostile_names_of_columns_take_no_time() -> None:
    for name in ("y_" * 5000, "(" * 20_000, "score_" + ")" * 20_000, "", "_", "y_"):
        assert isinstance(part_and_subject(name)[1], str)


def test_thresholds_of_labels_are_their_own_else_those_of_the_rule() -> None:
    source = Source.of(read_table(columns_table("y_{}", "score_{}", fractions=True), "columns.csv"))
    assert LabelThresholds().at(source, "a") == 0.5
    assert LabelThresholds(common=0.3, own={"a": 0.8}).at(source, "a") == 0.8
    assert LabelThresholds(common=0.3, own={"a": 0.8}).at(source, "b") == 0.3
    best = LabelThresholds(best_f1=True).at(source, "b")
    scored = source.dataset.scored("b")
    tables = [scored.counts_at(t) for t in scored.thresholds()]
    f1 = [2 * float(c.tp) / (2 * float(c.tp) + float(c.fp) + float(c.fn)) for c in tables]
    assert scored.thresholds()[int(np.argmax(f1))] == best
    written = LabelThresholds(best_f1=True, own={"a": 0.8})
    assert LabelThresholds.of(written.lists, None, ("a", "b", "c")) == written


def test_the_rows_behind_a_cell_are_those_it_counts() -> None:
    dataset = read_table(columns_table("y_{}", "pred_{}", rows=200), "columns.csv")
    table = LabelTable.of(Source.of(dataset))
    frame = dataset.frame
    for missed in (True, False):
        grid = LabelGrid(table, missed)
        for i, one in enumerate(grid.classes):
            for j, two in enumerate(grid.classes):
                assert len(grid.rows_of(one, two)) == grid.matrix.counts[i, j]
    rows = LabelGrid(table, True).rows_of("a", "b")
    one = frame.iloc[rows]
    assert ((one["y_a"] == 1) & (one["pred_a"] == 0) & (one["y_b"] == 0) & (one["pred_b"] == 1)).all()


@pytest.mark.parametrize("thresholds", [None, [0.4, 0.5, 0.6]])
def test_the_exported_python_makes_the_same_numbers(thresholds, tmp_path, monkeypatch) -> None:
    names = ("y_{}", "pred_{}") if thresholds is None else ("y_{}", "p_{}")
    (tmp_path / "file.csv").write_bytes(columns_table(*names, fractions=thresholds is not None))
    monkeypatch.chdir(tmp_path)
    table = LabelTable.of(Source.of(read_table(tmp_path / "file.csv")), thresholds)
    (tmp_path / "script.py").write_text(table.code, encoding="utf-8")
    sets = runpy.run_path(str(tmp_path / "script.py"))["sets"]
    assert METRICS["samples_f1"](sets) == table.values["samples_f1"]


def test_empty_tables_have_a_verdict() -> None:
    source = Source.of(read_table(sets_table("|"), "sets.csv"))
    table = LabelTable(source, LabelSets.from_indicators([[0], [0]], [[1], [0]], "a"))
    assert sentence_with(table.verdict, "No row")
    assert sentence_with(table.notes, "1", "undefined")


def test_the_systems_of_a_table_have_a_column_for_every_label() -> None:
    """Features, incomplete systems and columns of another kind are none; a weight stays one."""
    random = np.random.default_rng(1)
    columns = {f"y_{label}": random.integers(0, 2, 40) for label in "ab"}
    columns |= {f"{system}_{label}": random.random(40) for system in ("m1", "m2") for label in "ab"}
    columns |= {"m3_a": random.random(40), "size": random.random(40), "sample_weight": random.random(40)}
    columns |= {f"flag_{label}": random.integers(0, 2, 40) for label in "ab"}
    dataset = DataSet.of(pd.DataFrame(columns))
    assert dataset.kind == "label scores"
    assert dataset.roles.get("weight") == "sample_weight"
    systems = label_systems(dataset)
    assert {name: roles.get("label_score") for name, roles in systems.items()} == {
        "m1": ("m1_a", "m1_b"),
        "m2": ("m2_a", "m2_b"),
    }
    assert label_systems(dataset.with_roles("actual~y_a~~score~m1_a~~positive~1")) == {}
    one = pd.DataFrame(columns)[["y_a", "y_b", "m1_a", "m1_b"]]
    assert (DataSet.of(one).kind, label_systems(DataSet.of(one))) == ("label scores", {})


def test_a_column_of_a_label_with_another_number_is_refused_with_its_line() -> None:
    good = read_table(columns_table("true_{}", "score_{}", "ab", fractions=True), "labels.csv")
    frame = good.frame.copy()
    frame.loc[3, "true_a"] = 2
    (problem,) = (one for one in DataSet.of(frame, "labels.csv", roles=good.roles).findings if one.level == "error")
    assert (problem.code, good.kind) == ("bad labels", "label scores")
    assert "2" in problem.sentence
    assert "line 5" in problem.sentence
