"""Each measure beside its slow definition, with each of its parameters; what holds for all of them."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import MetricDef, find
from evalcore.retrieval import Hits, Judgments, Run, evaluate, set_averages, set_counts
from tests.registry.families import each_of, of_family
from tests.retrieval.definitions import OF_LISTS, SETTINGS
from tests.retrieval.small_runs import Case, cases, thorough

MEASURES, each_measure = of_family("retrieval"), each_of("retrieval")
# With halves, pooled documents and unjudged ones.
mixed_grades = st.sampled_from([-1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0])


def lists(case: Case) -> list[tuple[list, list]]:
    """Of each judged query the grades down the list, and the grades of what it lacks."""
    found = []
    for query, grades in case.grades.items():
        scores = case.scores.get(query, {})
        ranked = sorted(scores, key=lambda name: (scores[name], name.encode()), reverse=True)
        found.append(([grades.get(name) for name in ranked], [g for name, g in grades.items() if name not in scores]))
    return found


def settings_of(definition: MetricDef) -> list[dict]:
    """The defaults, and each parameter at each other value."""
    alone = [{p.name: value} for p in definition.params for value in SETTINGS[p.name]]
    return [{}, *alone, {p.name: SETTINGS[p.name][-1] for p in definition.params}]


ASKED = [(definition, arguments) for definition in MEASURES for arguments in settings_of(definition)]


@thorough
@given(case=cases(mixed_grades))
def test_every_measure_is_what_its_definition_says(case: Case) -> None:
    hits = Hits.of(case.judgments, case.run)
    names = list(case.judgments.queries)
    collection = [0, *(g for found in case.grades.values() for g in found.values())]
    each = [(names.index(query), *found) for query, found in zip(case.grades, lists(case), strict=True)]
    for definition, arguments in ASKED:
        values = definition.with_params(**arguments)(hits)
        assert values.shape == (len(names),)
        for place, grades, others in each:
            expected = OF_LISTS[definition.key](grades, others, collection, **arguments)
            found = float(values[place])
            same = math.isclose(found, expected, rel_tol=1e-11, abs_tol=1e-13)
            assert same or (math.isnan(found) and math.isnan(expected)), (definition.key, arguments, found, expected)


@thorough
@given(case=cases(mixed_grades))
def test_values_stay_in_their_range(case: Case) -> None:
    hits = Hits.of(case.judgments, case.run)
    for definition, arguments in ASKED:
        values = definition.with_params(**arguments)(hits)
        inside = (values >= definition.lowest) & (values <= definition.highest + 1e-12)
        assert (inside | np.isnan(values)).all(), (definition.key, arguments)
        assert not np.isnan(values).any() or (definition.undefined_when and "size" not in arguments)


@each_measure
def test_a_perfect_list_has_the_best_value(definition: MetricDef) -> None:
    perfect = Hits.of_grades([1] * 10, unretrieved=[0])
    arguments = {"k": 10} if any(p.name == "k" for p in definition.params) else {}
    arguments |= {"size": 20} if any(p.name == "size" for p in definition.params) else {}
    if definition.key == "rank_biased_residual":
        arguments = {"p": 0.01}
    if definition.best is not None:
        assert definition.with_params(**arguments)(perfect)[0] == pytest.approx(definition.best, abs=1e-5)


@each_measure
def test_an_empty_list_and_a_query_without_relevant_documents_count_nothing(definition: MetricDef) -> None:
    for hits in (Hits.of_grades([], unretrieved=[1, 0]), Hits.of_grades([0, None, 0]), Hits.of_grades([])):
        assert definition(hits).shape == (1,)
        if definition.key not in ("rank_biased_residual", "judged_at", "preference_agreement", "generality"):
            assert math.isnan(definition(hits)[0]) or definition(hits)[0] == definition.lowest
    assert definition(Hits.of_grades([1]).only(np.array([False]))).shape == (0,)


@each_measure
def test_a_label_leads_back_to_the_measure_with_its_parameters(definition: MetricDef) -> None:
    for arguments in settings_of(definition):
        label = definition.with_params(**arguments).label
        found = find(label, family="retrieval")
        assert found.key == definition.key
        assert found.label == label


@each_measure
def test_every_param_is_tried(definition: MetricDef) -> None:
    assert {p.name for p in definition.params} <= SETTINGS.keys()
    assert definition.key in OF_LISTS


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("P@10", "P@10"),
        ("P_5", "P@5"),
        ("precision@3", "P@3"),
        ("nDCG@10", "nDCG@10"),
        ("ndcg_cut_10", "nDCG@10"),
        # As it is asked for behind -m.
        ("ndcg_cut.10", "nDCG@10"),
        ("P.5", "P@5"),
        ("iprec_at_recall.0.1", "IPrec@0.1"),
        ("nDCG", "nDCG"),
        ("nDCG(gain=exp)@10", "nDCG(gain=exp)@10"),
        ("nDCG(gain=1:3;2:7)@5", "nDCG(gain=1:3;2:7)@5"),
        ("nDCG(discount=original, base=10)", "nDCG(discount=original,base=10)"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("AP@20", "AP@20"),
        ("map", "AP"),
        ("map_cut_5", "AP@5"),
        ("RR@10", "RR@10"),
        ("recip_rank", "RR"),
        ("MRR", "RR"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("IPrec@.5", "IPrec@0.5"),
        ("iprec_at_recall_0.10", "IPrec(rule=trec9)@0.1"),
        ("IPrec(rule=trec9)@0.3", "IPrec(rule=trec9)@0.3"),
        ("R@100", "R@100"),
        ("recall_100", "R@100"),
        ("Rprec", "Rprec"),
        ("Rprec_mult_0.20", "Rprec(multiple=0.2)"),
        ("bpref", "bpref"),
        ("ERR@20", "ERR@20"),
        ("RBP(p=0.95)", "RBP(p=0.95)"),
        ("RBP(p=0.8)", "RBP"),
        ("success@5", "success@5"),
        ("success_5", "success@5"),
        ("judged@10", "judged@10"),
        ("infAP", "infAP"),
        ("GMAP", "GMAP"),
        ("gm_map", "GMAP"),
        ("11pt_avg", "11pt(rule=trec9)"),
        ("set_P", "set_P"),
        ("set_recall", "set_recall"),
        ("set_F(beta=2)", "set_F(beta=2)"),
    ],
)
def test_names_of_the_field_and_of_trec_eval(text: str, label: str) -> None:
    assert find(text, family="retrieval").label == label


@pytest.mark.parametrize("text", ["P@10", "nDCG@10", "IPrec@0.1", "AP@20", "AP(rel=2)", "recall_100", "set_P", "RR"])
def test_names_that_only_rankings_have_need_no_family(text: str) -> None:
    assert find(text).family == "retrieval"


def test_names_that_both_have_belong_to_classification() -> None:
    assert find("AP").family == "scores"
    assert find("recall").family == "counts"
    assert find("recall", family="retrieval").key == "recall_at"
    with pytest.raises(KeyError, match="No measure is called 'MCC'"):
        find("MCC", family="retrieval")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("P@0", "k is 0"),
        ("P@2.5", "k is 2.5"),
        ("nDCG(gain=huge)", "cumulated gain is 'huge'"),
        ("IPrec@1.5", "Interpolated precision is 1.5"),
        ("bpref@10", "has no parameter 'k'"),
        ("AP(rel=high)", "'high' is not a number"),
        ("P_5@10", "says k twice"),
        ("P(k=5)@10", "says k twice"),
    ],
)
def test_parameters_that_make_no_sense(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        find(text, family="retrieval")


def test_queries_that_are_missing_count_and_can_be_left_out() -> None:
    judged = Judgments.from_arrays(["1", "2", "10"], ["a", "a", "a"], [1, 1, 1])
    run = Run.from_arrays(["10", "1", "7"], ["a", "b", "a"], [1, 1, 1])
    found = evaluate(judged, run, ["AP", "GMAP"])
    assert found.queries == ("1", "2", "10")
    assert found.values["AP"].tolist() == [0, 0, 1]
    assert found.missing.tolist() == [False, True, False]
    assert found.unjudged == ("7",)
    assert found.mean("AP") == 1 / 3
    assert found.mean("GMAP") == pytest.approx((1e-5 * 1e-5 * 1) ** (1 / 3))
    both = evaluate(judged, run, ["AP"], only_common=True)
    assert (both.queries, both.mean("AP")) == (("1", "10"), 0.5)
    frame = found.frame()
    assert frame.index.tolist() == ["1", "2", "10"]
    assert frame["AP"].tolist() == [0, 0, 1]


def test_a_collection_smaller_than_what_is_known_of_it_says_nothing() -> None:
    hits = Hits.of_grades([1, 0, 0], unretrieved=[1])
    for size, fall_out, share in (
        (10, 2 / 8, 2 / 10),
        (4, 2 / 2, 2 / 4),
        (3, math.nan, 2 / 3),
        (1, math.nan, math.nan),
    ):
        for name, value in (("fallout", fall_out), ("set_fallout", fall_out), ("generality", share)):
            found = find(f"{name}(size={size})", family="retrieval")(hits)
            assert found.tolist() == pytest.approx([value], nan_ok=True)
        whole = set_averages(hits, size=size)
        assert whole["set_fall_out"].micro == pytest.approx(fall_out, nan_ok=True)
        assert whole["generality"].micro == pytest.approx(share, nan_ok=True)
        rest = math.nan if math.isnan(fall_out) else size - 4
        assert set_counts(hits, size=size).tn.tolist() == pytest.approx([rest], nan_ok=True)


def test_a_collection_too_small_for_one_query_has_no_average_over_all() -> None:
    judged = Judgments.from_arrays(["q"] * 5 + ["r"], [*"abcde", "a"], [1] * 6)
    hits = Hits.of(judged, Run.from_arrays(["q", "r"], ["a", "a"], [1, 1]))
    found = set_averages(hits, size=3)["generality"]  # of 6 documents in twice 3, 5 belong to one query
    assert math.isnan(found.macro)
    assert math.isnan(found.micro)


def test_no_query_at_all() -> None:
    found = evaluate(Judgments.from_arrays([], [], []), Run.from_arrays(["1"], ["a"], [1]), ["AP", "nDCG@10"])
    assert (found.queries, found.values["AP"].tolist()) == ((), [])
    assert math.isnan(found.mean("AP"))
    empty = evaluate(Judgments.from_arrays(["1"], ["a"], [1]), Run.from_arrays([], [], []), "AP")
    assert empty.values["AP"].tolist() == [0]
