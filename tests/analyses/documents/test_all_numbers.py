"""All numbers of a data set in one document are those of its measures, in JSON that every reader takes."""

import json
from functools import cache

import pandas as pd
import pytest

import evalcore
from evalcore import METRICS, measures_of
from evalcore.analyses import (
    MOST_PROBABLE,
    ClassTable,
    DecisionRecord,
    LabelPairs,
    LabelTable,
    Losses,
    LossSettings,
    MeasureValues,
    ProbabilitySource,
    Rankings,
    Source,
    numbers_json,
    numbers_of,
    resampled_values,
    whole_table_intervals,
)
from evalcore.inference import IntervalChoice, delong, estimate_interval, mean_interval
from evalcore.inference.base.intervals import wilson
from evalcore.readers import DataSet, read_sample, samples
from evalcore.reports.front import means_of
from tests.analyses.ranked import THREE, rankings
from tests.analyses.small_scores import scores_of


def refuse(text: str) -> float:
    raise AssertionError(f"{text} is no JSON")


@cache
def document_of(sample: str) -> dict:
    """All numbers of a sample, through the text that is written of them."""
    return json.loads(numbers_json(Source.of(read_sample(sample), sample=sample)), parse_constant=refuse)


def measures_in(sample: str) -> dict:
    return document_of(sample)["systems"][0]["measures"]


pytestmark = pytest.mark.usefixtures("fewer_resamples")
SAMPLES = ("always_negative", "diabetes", "digits_labels", "digits_probabilities", "ranking_14", "roc_20")


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_measure_has_its_value_or_a_reason(sample: str) -> None:
    source = Source.of(read_sample(sample), sample=sample)
    document = document_of(sample)
    assert document["data"]["digest"] == source.dataset.digest
    systems = source.systems if len(source.systems) > 1 else (source.system,)
    assert [one["system"] for one in document["systems"]] == list(systems)
    values = MeasureValues(source)
    measures = document["systems"][0]["measures"]
    assert set(measures) == {key for key, measure in METRICS.items() if values.value(measure) is not None}
    for key, entry in measures.items():
        if entry["value"] is None:
            assert entry["reason"]
        else:
            assert entry["value"] == values.value(METRICS[key])


def test_intervals_are_those_of_the_pages() -> None:
    scores = scores_of("breast_cancer")
    measures = numbers_of(scores.current, threshold=0.3, level=0.9)["systems"][0]["measures"]
    record = DecisionRecord(scores, 0.3).record["measures"]
    assert measures["recall"]["value"] == record["recall"]["value"]
    assert measures["recall"]["n"] == record["recall"]["n"]
    area = delong(scores.scored, 0.9)
    assert (measures["roc_auc"]["low"], measures["roc_auc"]["high"]) == (float(area.low), float(area.high))
    errors = measures_in("diabetes")["root_mean_squared_error"]
    state = MeasureValues(Source.of(read_sample("diabetes"))).state("estimates")
    assert (errors["low"], errors["n"]) == (
        estimate_interval(METRICS["root_mean_squared_error"], state).low,
        len(state),
    )
    ranking = Source.of(read_sample("image_retrieval_graded"))
    average = measures_in("image_retrieval_graded")[evalcore.find("AP", "retrieval").key]
    assert average["low"] == mean_interval(MeasureValues(ranking).per_query(evalcore.find("AP", "retrieval"))).low


def test_tables_of_classes_probabilities_and_labels_have_the_intervals_of_their_pages() -> None:
    source, choice = Source.of(read_sample("digits_probabilities")), IntervalChoice("clopper", 0.9)
    document = numbers_of(source, intervals=choice)
    assert (document["settings"]["method"], document["settings"]["level"]) == ("clopper", 0.9)
    measures = document["systems"][0]["measures"]
    table = ClassTable.of(source, MOST_PROBABLE, LabelPairs.of(source, MOST_PROBABLE))
    bounds = whole_table_intervals(table, choice)
    found = {
        (measures[one.key]["low"], measures[one.key]["high"]) for one in measures_of("matrix") if one.interval != "none"
    }
    pages = {(float(one.low), float(one.high)) for one in bounds if one is not None}
    assert found < pages  # the page has kappa with quadratic weights too
    losses = Losses.of(ProbabilitySource.of(source).table, LossSettings(level=0.9)).intervals["log_loss"]
    entry = measures["log_loss"]
    assert (entry["value"], entry["low"], entry["high"]) == (losses.estimate, losses.low, losses.high)
    assert (entry["n"], entry["interval"]) == (1797, "bootstrap")
    labels = Source.of(read_sample("digits_label_sets"))
    measures, intervals = measures_in("digits_label_sets"), LabelTable.of(labels).intervals(0.95)
    assert intervals
    assert {key: (measures[key]["low"], measures[key]["high"]) for key in intervals} == {
        key: (float(each.low), float(each.high)) for key, each in intervals.items()
    }


def test_rankings_have_the_k_and_the_grade_of_the_page() -> None:
    source = Source.of(read_sample("image_retrieval_graded"))
    rankings = Rankings(source, str(source.system), k=3, level=2.0)
    document = numbers_of(source, rankings=rankings)
    assert (document["settings"]["k"], document["settings"]["relevant_from_grade"]) == (3, 2.0)
    precision = evalcore.find("P@3", "retrieval").key
    for one, system in zip(document["systems"], source.systems or [source.system], strict=True):
        assert one["measures"][precision]["symbol"] == "P@3"
        assert one["measures"][precision]["value"] == rankings.of_system(system).per_query(["P@k"]).mean("P@k")


def test_intervals_of_means_over_few_queries_end_where_the_measure_does() -> None:
    few = rankings(THREE)
    numbers = numbers_of(few.current)["systems"][0]["measures"]["reciprocal_rank"]
    (line,) = means_of(few, ("RR",), 0.95)
    value = evalcore.mean_reciprocal_rank(few.judgments, few.run(), interval=True)
    assert (numbers["low"], numbers["high"]) == line[-2:] == (value.low, value.high) == (0, 1)


def test_undefined_and_infinite_values_are_null_with_a_reason() -> None:
    measures = evalcore.numbers(read_sample("always_negative"))["systems"][0]["measures"]
    assert measures["precision"]["value"] is None
    assert measures["precision"]["reason"] == "nothing was predicted positive"
    frame = pd.DataFrame({"actual": [1, 0], "score": [1.0, 0.0]})
    perfect = json.loads(numbers_json(DataSet.of(frame, "a\ud800.csv")), parse_constant=refuse)
    ratio = perfect["systems"][0]["measures"]["positive_likelihood_ratio"]
    assert (ratio["value"], bool(ratio["reason"])) == (None, True)


@pytest.mark.parametrize("name", samples())
def test_every_number_has_an_interval_or_the_reason_why_not(name: str) -> None:
    """Of every measure of every sample; an undefined value says why it is undefined."""
    for system in document_of(name)["systems"]:
        for key, entry in system["measures"].items():
            if entry["value"] is None:
                assert entry["reason"], key
            elif "interval" in entry:
                assert entry["interval"], key
            else:
                assert entry["no_interval"], key


def test_measures_of_scores_have_the_interval_of_the_pages() -> None:
    source = Source.of(read_sample("rare_digit"))
    measures = measures_in("rare_digit")
    own = source.of_system(source.systems[0])
    pages = resampled_values(own.dataset.scored(own.system))
    for label, key in (("AP", "average_precision"), ("KS", "ks_statistic")):
        assert (measures[key]["low"], measures[key]["high"]) == (pages[label].low, pages[label].high)
        assert measures[key]["interval"] == "bootstrap"
    assert measures["gini"]["low"] == pytest.approx(2 * measures["roc_auc"]["low"] - 1)


def test_one_state_that_cannot_be_read_takes_no_interval_from_the_others() -> None:
    """Scores beyond 1 are no probabilities, but have areas and distances."""
    measures = measures_in("crossing_curves")
    assert all("low" in measures[key] for key in ("roc_auc", "average_precision", "total_variation"))


def test_top_k_accuracy_has_the_interval_of_a_share() -> None:
    entry = measures_in("digits_probabilities")["top_k_accuracy"]
    n = len(read_sample("digits_probabilities"))
    assert [entry["value"], entry["low"], entry["high"]] == pytest.approx(wilson(round(entry["value"] * n), n).ends)


@pytest.mark.parametrize("sample", ["breast_cancer", "hospitals", "digits_probabilities"])
def test_each_end_of_an_interval_that_is_missing_has_a_reason_of_its_own(sample: str) -> None:
    for system in document_of(sample)["systems"]:
        for key, entry in system["measures"].items():
            assert entry.get("no_interval") != "none is computed for this measure", key
            if "low" in entry:
                for end in ("low", "high"):
                    assert (entry[end] is None) == entry.get(f"no_{end}", "").startswith("infinite"), key
