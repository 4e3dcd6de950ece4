"""Files as programs write them: each opens with the roles that its program meant."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evalcore.classification import roc_auc
from evalcore.readers import DataSet, ReadProblem, read_table
from evalcore.readers.blank_separated import tabbed
from evalcore.retrieval import evaluate
from tests.readers import programs


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
    assert (
        "open a file with the true and the predicted label"
        in finding(read(programs.pipeline(False)), "confidence").sentence
    )


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
    with pytest.raises(ReadProblem, match=r"holds measures \(precision, recall\), not what they were computed from"):
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


def test_stars_of_customers_are_doubted_as_grades() -> None:
    rows = "query,_id,_score,rating\na,x,2,4.5\na,y,1,3\nb,x,2,4.5\nb,z,1,2\n"
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
    with pytest.raises(ReadProblem, match=r'"x" marks stretches of texts.*one row per token'):
        read("\n".join(map(json.dumps, SPANS[tool])).encode() if lines else json.dumps(SPANS[tool]).encode())


def test_examples_of_spacy_say_what_to_write_instead() -> None:
    with pytest.raises(ReadProblem, match="marks stretches of texts"):
        read(json.dumps([["Anna", {"entities": [[0, 4, "PER"]]}]] * 2).encode())


@pytest.mark.parametrize("tool", BOXES)
def test_marked_boxes_say_what_to_write_instead(tool: str) -> None:
    with pytest.raises(ReadProblem, match=r'"x" marks boxes.*one row per box'):
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
         '"clicks_a" is higher in 2 rows, "clicks_b" is higher in 1 row, both are equal in 1 row'),
        ("session,ranker_a,ranker_b,winner\n1,x,y,x\n2,x,y,y\n3,x,y,x\n", '"x" in 2 rows, "y" in 1 row'),
    ],
)  # fmt: skip
def test_interleaving_says_who_won_and_what_is_needed(text: str, told: str) -> None:
    data = read(text.encode())
    assert data.kind == "unknown"
    assert any(told in one.sentence and "qrels" in one.sentence for one in data.findings)


def test_a_winner_that_is_predicted_is_the_truth() -> None:
    assert read(b"winner,predicted\na,a\nb,a\nb,b\na,a\n").kind == "labels"


def test_an_export_of_annotations_alone_says_that_predictions_are_missing() -> None:
    rows = "".join(f"{n},{'ab'[n % 2]},1,{n},{n / 7}\n" for n in range(9))
    data = read(f"id,tone,annotator,annotation_id,lead_time\n{rows}".encode())
    assert any("no prediction of a model" in one.sentence for one in data.findings)


@pytest.mark.parametrize("content", [[{"hits": [{"hit": 5}]}] * 2, {"hits": {"hits": [5]}}])
def test_what_only_looks_like_hits_is_not_called_damaged(content: object) -> None:
    with pytest.raises(ReadProblem, match=r"one column|no table"):
        read(json.dumps(content).encode())


def test_what_only_looks_like_tasks_is_a_table() -> None:
    task = {"data": {"text": "x"}, "annotations": [{"result": 5}, 7], "predictions": 5, "id": 1}
    assert {*read(json.dumps([task] * 2).encode()).frame.columns} == {"id", "data.text"}
