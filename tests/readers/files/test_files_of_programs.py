"""Files as programs write them: each opens with the roles that its program meant."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses.data.shaping import offer_word
from evalcore.classification import roc_auc
from evalcore.readers import DataSet, ReadProblem, read_files, read_table
from evalcore.readers.base.values import marked_numbers
from evalcore.readers.dataset.assignment import reassigned
from evalcore.readers.files.delimited import tabbed
from evalcore.readers.files.headers import with_arff_names
from evalcore.retrieval import evaluate
from tests.readers import made_files as files
from tests.readers import programs
from tests.words import facts, sentence_with


def read(data: bytes) -> DataSet:
    return read_table(data, "x")


def finding(dataset: DataSet, code: str):
    (found,) = [one for one in dataset.findings if one.code == code]
    return found


@pytest.mark.parametrize(
    ("make", "actual", "predicted", "positive"),
    [
        (programs.caret, "obs", ("pred",), "Yes"), (programs.tidymodels, "Class", (".pred_class",), "bad"),
        (programs.mlr3, "truth", ("response",), "pos"), (programs.h2o, "default_flag", ("predict",), 1),
        (programs.sas, "default", ("_INTO_",), 1), (programs.rapid_miner, "Survived", ("prediction(Survived)",), "Yes"),
        (programs.knime, "Class", ("Prediction (Class)",), "yes"), (programs.orange, "y", (), "yes"),
        (programs.signs, "target", (), 1),
    ],
)  # fmt: skip
def test_probabilities_of_both_classes(
    make: Callable[[], bytes], actual: str, predicted: tuple[str, ...], positive: object
) -> None:
    dataset = read(make())
    assert dataset.kind == "probabilities"
    assert (dataset.roles.actual, dataset.roles.predicted, dataset.roles.positive) == (actual, predicted, positive)
    of_positive = next(name for name, text in dataset.roles.probability if text == str(positive))
    np.testing.assert_array_equal(dataset.frame[of_positive], programs.P)
    assert {one.level for one in dataset.findings} == {"info"}


def test_scored_labels_are_predictions() -> None:
    roles = read(programs.azure()).roles
    assert (roles.get("actual"), roles.get("predicted")) == ("Income", ("Scored Labels",))
    assert roles.get("score") == ("Scored Probabilities",)


@pytest.mark.parametrize(("make", "positive"), [(programs.weka, "2:tested_positive"), (programs.pipeline, "POSITIVE")])
def test_the_confidence_in_a_label_becomes_a_probability(make: Callable[[], bytes], positive: str) -> None:
    dataset = read(make())
    wrong = finding(dataset, "confidence")
    assert wrong.level == "warning"
    turned = dataset.shaped(wrong.action)
    np.testing.assert_allclose(turned.frame[turned.systems[0]], programs.P)
    assert turned.roles.positive == positive
    assert float(roc_auc(turned.scored())) > 0.7 > float(roc_auc(dataset.scored()))
    assert "confidence" not in [one.code for one in turned.findings]


def test_predicted_labels_without_the_truth_are_doubted() -> None:
    assert sentence_with(finding(read(programs.pipeline(False)), "confidence").sentence, "predicted label")


def test_a_score_above_a_half_that_decides_is_no_confidence() -> None:
    score = (0.5 + programs.P / 2).round(4)
    data = {"y": programs.Y, "score": score, "pred": (score > 0.75).astype(int)}
    assert "confidence" not in [one.code for one in read(programs.csv(data)).findings]
    similar = {"y": programs.Y, "similarity": score}
    assert "confidence" not in [one.code for one in read(programs.csv(similar)).findings]


@pytest.mark.parametrize("classes", [2, 3])
def test_percentages_of_each_class_are_divided_by_a_click(classes: int) -> None:
    dataset = read(programs.percentages(classes))
    error = finding(dataset, "scale")
    assert (dataset.kind, error.level) == ("probabilities", "error")
    assert "150 rows of 150 add up to 100" in error.sentence
    divided = dataset.shaped(error.action)
    assert divided.kind == "probabilities"
    assert "error" not in {one.level for one in divided.findings}
    assert len(divided.probabilities().probabilities) == 150


def test_a_reference_and_a_test_that_are_spelt_differently() -> None:
    dataset = read(programs.two_tests())
    assert (dataset.kind, dataset.roles.actual, dataset.roles.predicted) == ("labels", "PCR", ("Antigen",))
    merged = dataset.shaped(finding(dataset, "spellings").action)
    assert len(merged.labels) == 2
    assert merged.roles.positive is not None


@pytest.mark.parametrize(
    ("make", "first"),
    [
        (programs.r_table, 2), (programs.numpy_text, 1), (programs.pandas_print, 2), (programs.markdown, 3),
        (programs.psql, 3),
    ],
)  # fmt: skip
def test_columns_between_blanks_and_drawn_lines(make: Callable[[], bytes], first: int) -> None:
    dataset = read(make())
    assert (dataset.kind, len(dataset), dataset.lines.at(0)) == ("scores", 120, f"line {first}")
    np.testing.assert_array_equal(dataset.frame[dataset.roles.score[0]], programs.P)
    assert len(dataset.labels) == 2
    assert not {"unnamed column", "spellings"} & {one.code for one in dataset.findings if one.count != 1}


def test_a_printed_report_of_measures_says_what_is_needed() -> None:
    report = "         precision    recall  f1-score   support\n\n    cat       0.76      0.84      0.80        45\n"
    report += "    dog       0.79      0.85      0.82        48\n\naccuracy                           0.82       150\n"
    with pytest.raises(ReadProblem, match=r"measures \(precision, recall, accuracy\)"):
        read(report.encode())


@pytest.mark.parametrize("text", ["a b,c\n1 2,3\n", "Some words here\nand more words there\nthen few\n", "a b\n"])
def test_blanks_in_other_texts_separate_nothing(text: str) -> None:
    assert tabbed(text.encode()) == text.encode()


def test_predictions_in_other_words_are_written_as_the_truth_by_a_click() -> None:
    dataset = read(programs.csv({"truth": programs.words(programs.Y), "prediction": programs.PREDICTED}))
    alike = dataset.shaped(finding(dataset, "no common label").action)
    assert (alike.roles.positive, len(alike.matrix().classes)) == ("yes", 2)
    assert float(np.trace(alike.matrix().counts)) == (programs.Y == programs.PREDICTED).sum()
    numbers = read(programs.csv({"label": programs.Y + 3, "pred": programs.words(programs.PREDICTED)}))
    assert finding(numbers, "no common label").action is None


@pytest.mark.parametrize(
    "names", [("time", "event"), ("os_months", "os_status"), ("followup", "death"), ("futime", "died")]
)
def test_a_time_beside_an_event_is_told_of_censoring(names: tuple[str, str]) -> None:
    data = {names[0]: np.arange(120) + 3, names[1]: programs.Y, "risk_score": programs.P}
    told = finding(read(programs.csv(data)), "censored")
    assert (told.level, told.column) == ("info", names[0])
    other = {names[0]: np.arange(120) + 3, "fraud": programs.Y, "risk_score": programs.P}
    assert "censored" not in [one.code for one in read(programs.csv(other)).findings]


@pytest.mark.parametrize("name", ["weight_final", "survey_wt", "finalwt", "pw_2024"])
def test_weights_by_other_names_are_offered(name: str) -> None:
    data = {"voted": programs.Y, "p_vote": programs.P, name: programs.Q + 0.5}
    told = finding(read(programs.csv(data)), "no weight")
    assert (told.level, told.column) == ("info", name)
    assert "choose it under" in told.sentence


def test_classes_listed_beside_their_probabilities_name_them_in_their_order() -> None:
    words, cells = programs.words(programs.Y), [f"[{p}, {q}]" for p, q in zip(programs.P, programs.Q, strict=True)]
    data = {"target": words, "predicted_label": programs.words(programs.PREDICTED), "labels": "['yes', 'no']"}
    roles = read(programs.csv(data | {"probabilities": cells})).roles
    assert (roles.actual, roles.get("predicted")) == ("target", ("predicted_label",))
    assert roles.get("probability") == (("p_yes", "yes"), ("p_no", "no"))


def test_one_set_of_classes_in_every_row_is_no_prediction() -> None:
    words = programs.words(programs.Y)
    dataset = read(programs.csv({"target": words, "predicted_label": words[::-1], "classes": "['yes', 'no']"}))
    assert (dataset.kind, dataset.systems) == ("labels", ("predicted_label",))


def test_labels_that_are_right_in_every_row_are_doubted() -> None:
    answers = programs.RNG.permutation(np.arange(120) % 4).astype(str)
    told = finding(read(programs.csv({"target": answers, "pred": answers})), "perfect")
    assert (told.level, facts(told.sentence)) == ("warning", "pred 120")
    few = read(programs.csv({"target": answers[:40], "pred": answers[:40]}))
    assert "perfect" not in [one.code for one in few.findings]


@pytest.mark.parametrize("truth", ["sentiment.responses", "Patient truth"])
def test_a_label_that_its_own_score_gives_is_no_truth_beside_another(truth: str) -> None:
    words = [programs.words(values, "neg", "pos") for values in (programs.Y, programs.PREDICTED)]
    data: dict[str, object] = {truth: words[0], "Model A label": words[1]}
    roles = read(programs.csv(data | {"Model A score": programs.P})).roles
    assert (roles.get("actual"), roles.get("score")) == (truth, ("Model A score",))
    data = {"senior": programs.Y, "churn": programs.PREDICTED, "churn_proba": programs.P}
    assert read(programs.csv(data)).roles.get("actual") == "churn"


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["(1.234,50)", "300,00"], [-1234.5, 300]), (["519,58-", "7,25"], [-519.58, 7.25]),
        (["\u20135.2", "3.1"], [-5.2, 3.1]), (["\u22125", "3.5"], [-5, 3.5]),
        (["6,71,532.5", "12.5"], [671532.5, 12.5]),
        (["1,23,456", "2,34,567.5"], [123456, 234567.5]), (["%12,3", "%4"], [0.123, 0.04]),
        (["\uff13\uff0e\uff15", "\uff14"], [3.5, 4]),
        (["\u0664\u066b\u0662", "\u0661\u066c\u0662\u0663\u0664\u066b\u0665"], [4.2, 1234.5]),
        (["3.4 kg", "2 kg"], [3.4, 2]), (["5,5 °C", "6 °C"], [5.5, 6]),
        (["1.234,5 mg/l", "300,5 mg/l"], [1234.5, 300.5]),
    ],
)  # fmt: skip
def test_numbers_as_other_countries_and_accountants_write_them(texts: list[str], numbers: list[float]) -> None:
    dataset = read(programs.csv({"id": range(120), "actual": texts * 60, "predicted": texts[::-1] * 60}, sep="\t"))
    assert (dataset.kind, dataset.frame["actual"].iloc[:2].tolist()) == ("estimates", numbers)
    assert sentence_with(finding_of(dataset, "marked numbers", "actual").sentence, f"{texts[0]}", "which")


def finding_of(dataset: DataSet, code: str, column: str):
    (found,) = [one for one in dataset.findings if (one.code, one.column) == (code, column)]
    return found


@pytest.mark.parametrize("texts", [["\u22125", "3"], ["\uff0d\uff15", "\uff13"], ["(5)", "3"]])
def test_whole_numbers_with_other_signs_and_digits_are_numbers(texts: list[str]) -> None:
    read_as = marked_numbers("change", pd.Series(texts, dtype="str"))
    assert read_as is not None
    assert read_as[0].tolist() == [-5, 3]


@pytest.mark.parametrize("texts", [["(1,234)", "1,603"], ["\u22121,234", "1,603"]])
def test_a_minus_does_not_say_what_a_mark_separates(texts: list[str]) -> None:
    assert marked_numbers("amount", pd.Series(texts, dtype="str")) is None


@pytest.mark.parametrize("texts", [["(1)", "(2)"], ["12 a", "13 b"], ["18 years", "20 years"], ["1.5K", "2.5K"]])
def test_signs_around_numbers_that_name_something_stay(texts: list[str]) -> None:
    assert marked_numbers("group", pd.Series(texts, dtype="str")) is None


@pytest.mark.parametrize(
    "form", ["%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%y", "%d.%m.", "%Y.%m.%d", "%Y-%m-%d", "%m/%d/%Y"]
)
@pytest.mark.parametrize("days", [3, len(programs.P)])
def test_dates_are_no_numbers_with_marks(form: str, days: int) -> None:
    dates = pd.Timestamp("2025-06-25") + pd.to_timedelta(np.arange(len(programs.P)) % days, "D")
    table = {"sold": dates.strftime(form), "price": [f"{day}.06" for day in range(len(dates))]}
    dataset = read(programs.csv({"actual": programs.Y, "score": programs.P, **table}))
    assert dataset.frame["price"].dtype.kind == "f"
    assert dataset.frame["sold"].tolist() == list(dates.strftime(form))
    assert not [one.sentence for one in dataset.findings if one.column == "sold" and one.level == "warning"]


@pytest.mark.parametrize("units", [("K", "M"), (" mg", " g"), (" kg", "")])
def test_numbers_in_several_units_are_no_labels_without_a_word(units: tuple[str, str]) -> None:
    cells = [f"{p * 900:.2f}{units[place % 5 == 0]}" for place, p in enumerate(programs.P)]
    told = finding_of(read(programs.csv({"actual": cells, "predicted": cells[::-1]})), "marks", "actual")
    odd = 0 if units[1] else next(place for place, cell in enumerate(cells) if "kg" in cell)
    start = f'Column "actual" holds numbers with signs or units, such as "{cells[odd]}" (first: line {odd + 2}), and'
    assert told.sentence.startswith(f"{start} is read as text. ")
    sheet = read(files.workbook(Sheet=[["actual", "p"], *zip(cells, programs.P.tolist(), strict=True)]))
    assert finding_of(sheet, "marks", "actual").sentence == told.sentence.replace("line", "row")
    mixed = [float(p) if place % 3 else f"{p * 9:.1f}K" for place, p in enumerate(programs.P)]
    sheet = files.workbook(Sheet=[["actual", "score"], *zip(programs.Y.tolist(), mixed, strict=True)])
    for data in (sheet, programs.csv({"actual": programs.Y, "score": mixed})):
        assert [one.code for one in read(data).findings if one.column == "score"] == ["marks"]
    rooms = [f"{number}{'ab'[number % 2]}" for number in range(120)]
    assert "marks" not in [one.code for one in read(programs.csv({"actual": rooms, "p": programs.P})).findings]


def test_values_below_the_limit_with_decimal_commas_are_left_out_by_a_click() -> None:
    values = (programs.P * 3 + programs.Y).round(2)
    cells = ["<1,00" if value < 1 else str(value).replace(".", ",") for value in values]
    data = {"Diagnose": programs.words(programs.Y, "gesund", "krank"), "CRP": cells}
    dataset = read(programs.csv(data, sep=";"))
    told = finding(dataset, "words")
    assert 'hold no number: "<1,00" (first' in told.sentence
    cleared = dataset.shaped(told.action)
    assert (cleared.kind, cleared.roles.actual, cleared.systems) == ("scores", "Diagnose", ("CRP",))
    np.testing.assert_array_equal(cleared.frame["CRP"], np.where(values < 1, np.nan, values))


CARET = """Overall Statistics

               Accuracy : 0.916
    No Information Rate : 0.66
                  Kappa : 0.811
"""
PROC = "Call:\nroc.default(response = a$outcome, predictor = a$s100b)\n\nArea under the curve: 0.7314\n"


@pytest.mark.parametrize(("text", "measures"), [(CARET, "accuracy, kappa"), (PROC, "area under the curve")])
def test_printouts_of_r_say_that_they_hold_measures(text: str, measures: str) -> None:
    with pytest.raises(ReadProblem, match=rf"measures \({measures}\)"):
        read(text.encode())


def test_rows_wider_than_any_line_of_names_are_told_of() -> None:
    rows = "".join(f"{place},1:no,2:yes,+,{q},*{p}\n" for place, (p, q) in enumerate([(0.5, 0.5)] * 30))
    text = f"=== Predictions on test data ===\n\ninst#,actual,predicted,error,distribution\n{rows}"
    with pytest.raises(ReadProblem, match=r"6 columns.*line 4"):
        read(text.encode())


def arff(rows: list[str]) -> bytes:
    head = "% Weka\n@relation preds\n\n@attribute 'actual class' {no,'very yes'}\n@attribute score numeric\n\n@data\n"
    return (head + "\n".join(rows) + "\n").encode()


def test_arff_opens_with_its_names_and_lines() -> None:
    rows = [f"{'no' if y else chr(39) + 'very yes' + chr(39)},{p}" for y, p in zip(programs.Y, programs.P, strict=True)]
    dataset = read(arff(["no,?", *rows]))
    assert (dataset.kind, dataset.roles.actual, dataset.systems) == ("scores", "actual class", ("score",))
    assert (sorted(dataset.labels), dataset.lines.at(0)) == (["no", "very yes"], "line 8")
    np.testing.assert_array_equal(dataset.frame["score"], [np.nan, *programs.P])
    with pytest.raises(ReadProblem, match=r"Line 9 of .* has 3 fields"):
        read(arff(["no,1", "no,1,2", *rows]))


def test_blank_lines_and_comments_are_looked_through_once() -> None:
    # a pattern that tries each way to part them takes longer than any test for 200
    assert with_arff_names(b"\n" * 200 + b"a,b\n1,2\n").endswith(b"a,b\n1,2\n")
    assert with_arff_names(b"\n% Weka\n \n" + arff(["no,1"])).splitlines()[-2:] == [b'"actual class","score"', b"no,1"]


@pytest.mark.parametrize(
    "names", [("obs", "pred"), ("Ist", "Prognose"), ("measured", "forecast"), ("実測値", "予測値")]
)
def test_the_only_numbers_beside_predictions_are_their_truth(names: tuple[str, str]) -> None:
    data = {"": range(1, 121), names[0]: programs.P * 9, names[1]: programs.Q * 9}
    dataset = read(programs.csv(data))
    assert (dataset.kind, dataset.roles.get("truth"), dataset.systems) == ("estimates", names[0], (names[1],))
    assert facts(finding(dataset, "guessed truth").sentence) == f"{names[0]} {names[1]}"
    assert read(programs.csv(data | {"age": programs.P * 50})).kind == "unknown"


def test_scores_named_after_the_truth_and_its_classes_are_probabilities() -> None:
    data = {"churn": programs.words(programs.Y, "false", "true"), "churn_false_scores": programs.Q}
    roles = read(programs.csv(data | {"churn_true_scores": programs.P})).roles
    assert roles.get("probability") == (("churn_false_scores", "False"), ("churn_true_scores", "True"))


def test_rated_lists_are_ordered_by_their_ranks_and_not_by_another_number() -> None:
    lists = [(query, rank, f"d{rank}", rank % 3) for query in ("lamp", "red shoes") for rank in range(1, 11)]
    columns = zip(("Query Text", "Doc Position", "Doc ID", "Rating"), zip(*lists, strict=True), strict=True)
    data: dict[str, object] = {name: list(values) for name, values in columns}
    roles = read(programs.csv({"Case ID": 12, "Price": range(20)} | data)).roles
    assert [roles.get(part) for part in ("query", "document", "grade", "rank")] == [
        *("Query Text", "Doc ID", "Rating", "Doc Position")
    ]
    assert not roles.get("score")


@pytest.mark.parametrize("around", ["response", "hits"])
def test_the_list_inside_the_answer_of_a_search_engine_is_its_table(around: str) -> None:
    hits = [{"id": f"d{place}", "name": "lamp", "score": 9.5 - place} for place in range(5)]
    answer = {"responseHeader": {"status": 0, "params": {"q": "lamp"}}, around: {"total": {"value": 5}, "docs": hits}}
    dataset = read(json.dumps(answer).encode())
    assert (list(dataset.frame.columns), len(dataset), dataset.kind) == (["id", "name", "score"], 5, "unknown")
    columns = {"config": {"layers": [{"units": 8}]}, "y_true": [1, 0, 1], "y_pred": [1, 0, 0], "name": "m"}
    assert "units" not in read(json.dumps(columns).encode()).frame.columns


def test_boxes_of_a_detector_are_no_run() -> None:
    boxes = "".join(f"{place % 3} 0.{place}1 0.52 0.1 0.2 0.9{place}\n" for place in range(1, 9)).encode()
    assert read_files({"000001.txt": boxes}).kind == "unknown"


def test_measures_of_tasks_are_recognised_behind_the_names_of_these() -> None:
    results = {"results": {"arc": {"acc": 0.59, "acc_stderr": 0.01}, "all": {"acc": 0.59}}, "config": {"name": "m"}}
    told = next(one for one in read(json.dumps(results).encode()).findings if one.code == "no roles")
    assert "This table holds measures" in told.sentence


def test_answers_beside_one_label_of_all_rows_are_offered_as_the_label() -> None:
    data = {"label": "SPAM", "score": programs.P, "answer": programs.words(programs.Y, "reject", "accept")}
    told = finding(read(programs.csv(data)), "one class")
    assert sentence_with(told.sentence, "answer", "Column")
    assert (told.column, told.role, offer_word(told)) == ("answer", "actual", "The label is answer")
    dataset = read(programs.csv(data))
    chosen = dataset.with_roles(reassigned(dataset.roles, "actual", "answer", dataset.frame))
    assert (chosen.roles.positive, chosen.systems) == ("accept", ("score",))
    unsure = finding(read(programs.csv(data | {"sent": programs.words(programs.PREDICTED)})), "one class")
    assert (unsure.column, unsure.role) == ("label", None)


HITS = {
    query: [{"_index": "p", "_id": f"{query[0]}{place}", "_score": 9.5 - place, "_source": {"rating": grade}}
            for place, grade in enumerate(grades)]
    for query, grades in (("red shoes", (0, 3, 1)), ("blue lamp", (2, 0, 0)))
}  # fmt: skip
ANSWERS = [{"took": 3, "hits": {"total": {"value": 3}, "max_score": 9.5, "hits": hits}} for hits in HITS.values()]
RATED = [
    {
        "hits": [
            {"hit": {"_id": hit["_id"], "_score": hit["_score"]}, "rating": hit["_source"]["rating"]} for hit in hits
        ]
    }
    for hits in HITS.values()
]
SEARCHES: dict[str, Any] = {
    "several answers": {"took": 9, "responses": ANSWERS},
    "answers by query": dict(zip(HITS, ANSWERS, strict=True)),
    "answers with their query": [{"query": query, **answer} for query, answer in zip(HITS, ANSWERS, strict=True)],
    "hits with their query": [{"query": query, **hit} for query, hits in HITS.items() for hit in hits],
    "evaluation of rankings": {"metric_score": 0.5, "details": dict(zip(HITS, RATED, strict=True)), "failures": {}},
}


@pytest.mark.parametrize("shape", SEARCHES)
@pytest.mark.parametrize("lines", [False, True])
def test_hits_of_a_search_engine_with_a_rating_are_a_run_with_its_judgments(shape: str, lines: bool) -> None:
    content = SEARCHES[shape]
    rows = content if isinstance(content, list) else [content]
    data = read("\n".join(map(json.dumps, rows)).encode() if lines else json.dumps(content).encode())
    assert data.kind == "run + judgments"
    judged, run = data.judgments(), data.run()
    assert evaluate(judged, run, "RR").means() == {"RR": (1 / 2 + 1) / 2}
    assert sorted(judged.grades) == [0, 0, 0, 1, 2, 3]


def test_one_answer_is_one_query_and_hits_without_scores_are_ranked_as_they_stand() -> None:
    answer = {"hits": {"hits": [{**hit, "_score": None} for hit in HITS["red shoes"]]}}
    data = read(json.dumps(answer).encode())
    assert data.run().ranked("1") == ["r0", "r1", "r2"]


@pytest.mark.parametrize(
    "header",
    ["query,rank,_id,_score,rating", "query,rank,_id,x,rating", "search_term,position,product_id,score,human_rating"],
)
def test_a_table_of_hits_with_a_rating(header: str) -> None:
    rows = [
        f"{query},{place},{hit['_id']},{hit['_score']},{hit['_source']['rating']}"
        for query, hits in HITS.items() for place, hit in enumerate(hits, 1)
    ]  # fmt: skip
    data = read("\n".join([header, *rows]).encode())
    assert evaluate(data.judgments(), data.run(), "RR").means() == {"RR": (1 / 2 + 1) / 2}
    told = [one.level for one in data.findings if one.code == "guessed truth"]
    assert told == ([] if "human" in header else ["info"])


@pytest.mark.parametrize("grade", ["rating", "star_rating", "avg_rating"])
def test_stars_of_customers_are_doubted_as_grades(grade: str) -> None:
    rows = f"query,_id,_score,{grade}\na,x,2,4.5\na,y,1,3\nb,x,2,4.5\nb,z,1,2\n"
    assert finding(read(rows.encode()), "guessed truth").level == "warning"


def test_the_id_of_a_row_is_no_document_where_each_query_has_one_row() -> None:
    data = read(b"_id,query,label,score\na,x,1,0.5\nb,y,0,0.25\nc,z,1,0.75\n")
    assert data.kind == "scores"


def in_label_studio(annotated: object, predicted: object, kind: str = "choices", **more: object) -> dict:
    def result(value: object) -> list[dict]:
        return [{"from_name": "tone", "type": kind, "value": {kind: value, **more}}]

    return {
        "id": 1, "data": {"text": "Fine."}, "created_at": "2024-01-02", "project": 1,
        "annotations": [
            {"result": result(["cancelled"]), "was_cancelled": True}, {"result": result(annotated), "lead_time": 2.5},
        ],
        "predictions": [{"result": result(predicted), "score": 0.75, "model_version": "m"}],
    }  # fmt: skip


def test_choices_in_label_studio_are_labels_beside_the_predictions_of_the_model() -> None:
    tasks = [in_label_studio([a], [b]) for a, b in (("good", "good"), ("bad", "good"), ("bad", "bad"), ("good", "bad"))]
    data = read(json.dumps(tasks).encode())
    assert data.frame["human_label"].tolist() == ["good", "bad", "bad", "good"]
    assert data.frame["prediction"].tolist() == ["good", "good", "bad", "bad"]
    assert (data.roles.actual, data.roles.predicted) == ("human_label", ("prediction",))
    for task in tasks:
        task["annotations"].append(task["annotations"][1])
        task["predictions"].append({**task["predictions"][0], "model_version": "n"})
        task["annotations"][1]["result"] *= 2
        task["annotations"][1]["result"][1] = {"from_name": "stars", "value": {"rating": 4}}
    names = {*read(json.dumps(tasks).encode()).frame.columns}
    assert names >= {"human_label tone", "human_label stars", "prediction m", "prediction n", "confidence m"}


def in_prodigy(**more: object) -> dict:
    return {"text": "Fine.", "_input_hash": -7, "_task_hash": 8, "_timestamp": 9, "answer": "accept", **more}


def test_accepted_and_rejected_labels_of_prodigy_are_the_truth_of_its_score() -> None:
    answers = ["accept", "reject", "ignore", "accept", "reject"]
    rows = [
        in_prodigy(label="INSULT", answer=answer, score=number / 8, meta={"score": 0.1, "source": "x"})
        for number, answer in enumerate(answers)
    ]
    data = read("\n".join(map(json.dumps, rows)).encode())
    assert (data.roles.actual, data.roles.score, data.roles.positive) == ("actual", ("score",), "accept")
    assert data.frame["actual"].fillna("-").tolist() == ["accept", "reject", "-", "accept", "reject"]
    assert not [name for name in data.frame.columns if name.startswith("_")]


def test_options_chosen_in_prodigy_are_labels() -> None:
    rows = [in_prodigy(options=[{"id": "a"}, {"id": "b"}], accept=[one], model=one, predicted="a") for one in "abab"]
    data = read("\n".join(map(json.dumps, rows)).encode())
    assert (data.roles.actual, data.frame["human_label"].tolist()) == ("human_label", ["a", "b", "a", "b"])


SPANS = {
    "Doccano": [{"id": 1, "text": "Anna", "label": []}, {"id": 2, "text": "Anna", "label": [[0, 4, "PER"]]}],
    "Doccano, entities": [{"text": "Anna", "entities": [{"label": "PER", "start_offset": 0, "end_offset": 4}]}] * 2,
    "Prodigy": [in_prodigy(spans=[{"start": 0, "end": 4, "label": "PER"}], tokens=[])] * 2,
    "Label Studio": [in_label_studio(["PER"], ["PER"], "labels", start=0, end=4)] * 2,
}
BOXES = {
    "COCO": {"images": [{"id": 1}], "annotations": [{"id": 1, "bbox": [1, 2, 3, 4]}], "categories": [{"id": 1}]},
    "COCO results": [{"image_id": 1, "category_id": 2, "bbox": [1.5, 2, 3, 4], "score": 0.5}] * 2,
    "Label Studio": [in_label_studio(["cat"], ["cat"], "rectanglelabels", x=1, y=2)] * 2,
}


@pytest.mark.parametrize("tool", SPANS)
@pytest.mark.parametrize("lines", [False, True])
def test_marked_stretches_of_texts_say_what_to_write_instead(tool: str, lines: bool) -> None:
    with pytest.raises(ReadProblem, match=r'"x".*one row per token'):
        read("\n".join(map(json.dumps, SPANS[tool])).encode() if lines else json.dumps(SPANS[tool]).encode())


def test_examples_of_spacy_say_what_to_write_instead() -> None:
    with pytest.raises(ReadProblem, match="marks stretches of texts"):
        read(json.dumps([["Anna", {"entities": [[0, 4, "PER"]]}]] * 2).encode())


@pytest.mark.parametrize("tool", BOXES)
def test_marked_boxes_say_what_to_write_instead(tool: str) -> None:
    with pytest.raises(ReadProblem, match=r'"x".*one row per box'):
        read(json.dumps(BOXES[tool]).encode())


@pytest.mark.parametrize("root", ["<annotations><version>1.1</version>", "<annotation>\n<folder>x</folder>"])
def test_boxes_in_xml_say_what_to_write_instead(root: str) -> None:
    with pytest.raises(ReadProblem, match="marks boxes"):
        read(f'<?xml version="1.0" encoding="utf-8"?>\n{root}'.encode())


def test_stretches_beside_predictions_are_left_out_and_the_table_is_read() -> None:
    rows = [{"label": "a", "predicted": one, "spans": [{"start": 0, "end": 4}]} for one in "aba"]
    assert read(json.dumps([*rows, {"label": "b", "predicted": "b"}]).encode()).kind == "labels"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("query,winner\na,A\nb,B\nc,tie\nd,A\n", '"A" in 2 rows, "B" in 1 row, "tie" in 1 row'),
        ("query,clicks_a,clicks_b\na,1,0\nb,0,2\nc,1,1\nd,3,0\n",
         'in 2 rows, "clicks_b"'),
        ("session,ranker_a,ranker_b,winner\n1,x,y,x\n2,x,y,y\n3,x,y,x\n", '"x" in 2 rows, "y" in 1 row'),
    ],
)  # fmt: skip
def test_interleaving_says_who_won_and_what_is_needed(text: str, told: str) -> None:
    data = read(text.encode())
    assert data.kind == "unknown"
    assert any(told in one.sentence and "qrels" in one.sentence for one in data.findings)


def test_a_winner_that_is_predicted_is_the_truth() -> None:
    assert read(b"winner,predicted\na,a\nb,a\nb,b\na,a\n").kind == "labels"


@pytest.mark.parametrize("by", ["annotator", "annotation_id"])
def test_an_export_of_annotations_alone_says_that_predictions_are_missing(by: str) -> None:
    rows = "".join(f"{n},{'ab'[n % 2]},{n},{n / 7}\n" for n in range(9))
    data = read(f"id,tone,{by},lead_time\n{rows}".encode())
    assert any("no prediction of a model" in one.sentence for one in data.findings)


@pytest.mark.parametrize("content", [[{"hits": [{"hit": 5}]}] * 2, {"hits": {"hits": [5]}}])
def test_what_only_looks_like_hits_is_not_called_damaged(content: object) -> None:
    with pytest.raises(ReadProblem, match=r"one column|no table"):
        read(json.dumps(content).encode())


def test_a_confidence_in_either_label_is_not_told_to_rank_worse_than_chance() -> None:
    rows = "y,n,0.6\nn,n,0.9\ny,y,0.7\nn,y,0.8\n" * 5
    codes = [one.code for one in read(f"actual,predicted,score\n{rows}".encode()).findings]
    assert "confidence" in codes
    assert "worse than chance" not in codes
    turned = rows.replace("0.6", "0.1")
    assert "worse than chance" in [one.code for one in read(f"actual,predicted,score\n{turned}".encode()).findings]


def test_what_only_looks_like_tasks_is_a_table() -> None:
    task = {"data": {"text": "x"}, "annotations": [{"result": 5}, 7], "predictions": 5, "id": 1}
    assert {*read(json.dumps([task] * 2).encode()).frame.columns} == {"id", "data.text"}
