"""What is laid over the curves, partial areas, intervals, averages of classes, and counts as points."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from streamlit.testing.v1 import AppTest

from evalcore.classification import ScoredLabels, partial_auc, partial_auc_over_recall
from evalcore.readers import read_sample
from tests.pages.application import tables, unfold
from tests.pages.classify.curves.curves_page import charts, curves, printed_by, text
from tests.words import sentence_with


def overlays(test: AppTest, chart: int = 0) -> set[str]:
    metas = [trace.get("meta") or {} for trace in charts(test)[chart]["data"]]
    return {key for meta in metas for key in meta if key in ("contours", "region", "band", "mean")} | {
        meta["overlay"] for meta in metas if "overlay" in meta
    }


def test_what_is_laid_over_the_curves_is_drawn_when_asked_for() -> None:
    assert overlays(curves("breast_cancer")) == set()
    asked = {
        "hull": "true",
        "corners": "true",
        "band": "pointwise",
        "contours": "Cost per row",
        "contour_miss": "5",
        "in_ppv": "0.9",
    }
    test = curves("breast_cancer", **asked, out_sensitivity="0.95", prevalence="0.02", whole="true")
    assert overlays(test) == {"hull", "band", "contours", "region"}
    assert overlays(test, 1) == {"band", "contours", "region"}
    assert any("patent search" in one["text"] for one in charts(test)[1]["layout"]["annotations"])
    assert any("everything is positive" in one["text"] for one in charts(test)[0]["layout"]["annotations"])
    said = text(test)
    assert "(miss 5, false alarm 1, hit 0, correct rejection 0) at a prevalence of" in said
    assert "The band covers each point separately in 95 of 100 samples" in said
    assert "**Rule out: sensitivity ≥ 0.95** holds in this sample at" in said
    assert "**Rule in: PPV ≥ 0.9** holds in this sample at" in said
    chosen = test.button(key="cut for trust 0").click().run()
    assert float(chosen.query_params["t"]) < 0.5


def test_the_partial_area_is_that_of_the_range_in_the_address() -> None:
    test = curves("breast_cancer", fpr_from="0.1", fpr_to="0.3")
    table = tables(test)[0]
    rows = read_sample("breast_cancer").scored_arrays("logistic_regression")
    scored = ScoredLabels.from_arrays(rows.labels, rows.scores, weights=rows.weights)
    assert table["pAUC"][0] == round(partial_auc(scored, 0.1, 0.3), 3)
    assert table["pAUC corrected"][0] == round(partial_auc(scored, 0.1, 0.3, corrected=True), 3)
    assert "Partial area under the ROC curve" in text(test)
    test.number_input(key="fpr range to").set_value(0.2).run()
    assert test.query_params["fpr_to"] == "0.2"
    assert tables(test)[0]["pAUC"][0] == round(partial_auc(scored, 0.1, 0.2), 3)
    test.number_input(key="tpr range from").set_value(0.8).run()
    table = tables(test)[0]
    assert table["pAUC(TPR)"][0] == round(partial_auc_over_recall(scored, 0.8, 1), 3)
    truth, values = (~np.asarray(rows.labels, dtype=bool)).astype(int), -np.asarray(rows.scores)
    # Classes and direction turned round, recall is the specificity: scikit-learn has a partial area over that.
    corrected = roc_auc_score(truth, values, max_fpr=1 - 0.8)
    assert table["pAUC(TPR) corrected"][0] == round(corrected, 3)
    assert "pAUC(TPR): over recall from 0.800 to 1.000." in text(test)
    assert r"\int_{0.800}^{1.000} (1 - FPR) \, dTPR" in text(test)
    test.button(key="whole curve").click().run()
    assert not {"fpr_to", "fpr_from", "tpr_from"} & set(test.query_params)
    assert "pAUC" not in tables(test)[0]


def test_intervals_of_measures_without_a_closed_form_are_resampled_when_asked_for() -> None:
    quick = tables(curves("breast_cancer"))[0]
    assert "AP interval" not in quick
    table = tables(curves("breast_cancer", score_intervals="true", fpr_to="0.2"))[0]
    for name in ("AUC", "AP", "AUPRC", "AUPRG", "Gini", "KS", "pAUC", "pAUC corrected"):
        for value, interval in zip(table[name], table[f"{name} interval"], strict=True):
            low, high = map(float, interval.split("–"))
            assert low <= value <= high
            assert high - low < 0.1


def test_class_probabilities_have_a_curve_a_class_and_two_averages() -> None:
    test = curves("digits_probabilities", system="p_8")
    for chart in charts(test):
        assert len({t["meta"]["system"] for t in chart["data"] if "system" in (t.get("meta") or {})}) == 10
        assert {t["meta"]["mean"] for t in chart["data"] if "mean" in (t.get("meta") or {})} == {
            "micro average",
            "macro average",
        }
    table = tables(test)[0]
    assert table["system"].tolist() == [*map(str, range(10)), "micro average", "macro average"]
    assert table["AUC"].iloc[-1] == pytest.approx(table["AUC"].iloc[:10].mean(), abs=1e-3)
    probabilities = read_sample("digits_probabilities").probability_arrays()
    truth = np.asarray(probabilities.actual)[:, None] == np.arange(10)
    assert table["AUC"].iloc[-2] == pytest.approx(
        roc_auc_score(truth.ravel(), np.asarray(probabilities.probabilities).ravel()), abs=5.1e-4
    )


def test_counts_are_points_and_the_one_below_the_diagonal_is_inverted() -> None:
    test = curves("four_methods")
    (chart,) = charts(test)
    places = {t["meta"]["name"]: (t["x"][0], t["y"][0]) for t in chart["data"] if "name" in (t.get("meta") or {})}
    assert places == {"A": (0.3, 0.95), "B": (0.8, 0.4), "C": (0.7, 0.9), "D": (0.05, 0.6)}
    (opposite,) = [t for t in chart["data"] if (t.get("meta") or {}).get("overlay") == "inverted"]
    assert (opposite["name"], opposite["x"][0], opposite["y"][0]) == ("not B", pytest.approx(0.2), pytest.approx(0.6))
    said = text(test)
    assert sentence_with(said, "**B**", "better")
    assert sentence_with(said, "**A**", "93.3 %", "90 %")
    (ring,) = [t for t in chart["data"] if (t.get("meta") or {}).get("overlay") == "chosen"]
    assert (ring["x"][0], ring["y"][0]) == places["A"]
    assert said.index("**A** ") < said.index("**B** ") < said.index("**D** ")
    assert "B is better inverted: 0.2 0.6" in printed_by(unfold(test).code[0].value)


@pytest.mark.parametrize("data", ["woman_man_child", "cancer_test", "always_negative"])
def test_any_counts_are_points(data: str) -> None:
    test = curves(data)
    assert len(charts(test)) == 1
    printed_by(unfold(test).code[0].value)


def test_a_system_that_is_picked_comes_first_and_has_the_ring() -> None:
    test = curves("four_methods", system="D", in_ppv="0.8", prevalence="0.4")
    (chart,) = charts(test)
    (ring,) = [t for t in chart["data"] if (t.get("meta") or {}).get("overlay") == "chosen"]
    assert (ring["x"][0], ring["y"][0]) == (0.05, 0.6)
    said = text(test)
    assert said.index("**D** ") < said.index("**A** ")
    assert {t["meta"]["region"] for t in chart["data"] if "region" in (t.get("meta") or {})} == {
        "rule out: NPV ≥ 0.9",
        "rule in: PPV ≥ 0.8",
    }
