"""Each trap snaps: its data show what its texts say, on a page that takes its settings."""

import numpy as np
import pytest

from evalcore import find
from evalcore.analyses import Source
from evalcore.analyses.compare.samples import widening_text
from evalcore.classification import at_prevalence, partial_auc, precision, recall, roc_auc, scored_by_group, youden_j
from evalcore.inference import wilson
from evalcore.learning import TRAPS
from evalcore.readers import read_sample
from evalcore.retrieval import evaluate
from tests.pages.application import application


def percent(value: float, decimals: int = 0) -> str:
    return f"{100 * value:.{decimals}f} %"


def written(id: str) -> str:
    """Everything a trap says, on one line."""
    trap = TRAPS[id]
    parts = (trap.question.text, *trap.question.answer.options, trap.question.solution, trap.lesson)
    return " ".join(" ".join(parts).split())


@pytest.mark.parametrize("id", TRAPS)
def test_a_trap_asks_first_and_opens_a_page_that_takes_its_settings(id: str) -> None:
    trap = TRAPS[id]
    question = trap.question
    assert question.rule(question.answer.solution).correct
    assert [question.rule(one.example).hint for one in question.misconceptions] == [
        m.hint for m in question.misconceptions
    ]
    assert len(question.answer.options) == 1 + len(question.misconceptions) == 3
    assert all(len(one.hint) > 20 for one in question.misconceptions)
    test = application()
    test.query_params.update(trap.settings)
    test.switch_page(f"pages/{trap.page}.py").run()
    assert not test.exception
    assert not test.error
    for key, value in trap.settings.items():
        assert test.query_params[key] in (value, [value])


def test_accuracy_hides_that_nothing_is_found() -> None:
    counts = read_sample("always_negative").counts()
    assert percent(find("accuracy")(counts), 1) in written("accuracy")
    assert recall(counts) == 0
    assert np.isnan(precision(counts))


def test_curves_of_nearly_the_same_area_cross() -> None:
    a, b = (read_sample("crossing_curves").scored(system) for system in "AB")
    for one in (a, b):
        assert f"{roc_auc(one):.2f}" in written("crossing")
        assert f"{partial_auc(one, 0, 0.1):.3f}" in written("crossing")
    assert partial_auc(a, 0, 0.1) > 5 * partial_auc(b, 0, 0.1)
    assert partial_auc(a, 0.5, 1) < partial_auc(b, 0.5, 1)


def test_precision_follows_the_prevalence() -> None:
    counts = read_sample("virus_test").counts()
    clinic = at_prevalence(counts, 0.5)
    assert percent(find("prevalence")(counts), 1) in written("prevalence")
    assert percent(precision(counts), 1) in written("prevalence")
    assert percent(precision(clinic), 1) in written("prevalence")
    assert recall(clinic) == pytest.approx(recall(counts))


def test_kappa_halves_at_the_same_agreement() -> None:
    data = read_sample("kappa_paradox")
    balanced, frequent = (data.counts(system) for system in data.systems)
    assert find("accuracy")(balanced) == find("accuracy")(frequent) == 0.85
    for counts in (balanced, frequent):
        assert f"{find('kappa')(counts):.2f}" in written("kappa")
    yes = 90 * 85 / 1e4 + 10 * 15 / 1e4
    assert percent(yes) in written("kappa")


def test_micro_and_macro_recall_differ() -> None:
    matrix = read_sample("woman_man_child").matrix()
    assert percent(find("overall_accuracy")(matrix)) in written("micro")
    assert percent(find("macro recall")(matrix), 1) in written("micro")
    assert percent(matrix.counts[0, 0] / matrix.counts[0].sum()) in written("micro")


def test_the_order_of_ties_decides_what_a_program_draws_row_by_row() -> None:
    frame, scored = read_sample("roc_ties_10").frame, read_sample("roc_ties_10").scored("score")
    positive, scores = (frame["actual"] == "+").to_numpy(), frame["score"].to_numpy()
    ends = [
        np.mean([higher > lower - sign * 1e-9 for higher in scores[positive] for lower in scores[~positive]])
        for sign in (1, -1)
    ]
    assert [f"{area:.2f}" in written("ties") for area in (*ends, roc_auc(scored))] == [True] * 3
    assert ends[0] > roc_auc(scored) > ends[1]


def test_a_leak_is_warned_of() -> None:
    data = read_sample("leak")
    assert roc_auc(data.scored(data.systems[0])) == 1
    assert any("leak" in finding.sentence for finding in data.findings if finding.level == "warning")


def test_the_best_threshold_on_noise_looks_good() -> None:
    scored = read_sample("noise_40").scored("score")
    assert f"{np.nanmax(youden_j(scored.table().counts)):.2f}" in written("optimism")
    assert abs(roc_auc(scored) - 0.5) < 0.05
    table = scored.table()
    best = np.nanargmax(youden_j(table.counts))
    assert float(TRAPS["optimism"].settings["t"]) == table.thresholds[best]


def test_reciprocal_rank_and_average_precision_disagree() -> None:
    data = read_sample("first_hit")
    a, b = (evaluate(data.judgments(), data.run(system), ["RR", "AP", "R@6"]) for system in "AB")
    assert f"{a.mean('RR'):.2f}" in written("first_hit")
    assert f"{b.mean('RR'):.2f}" in written("first_hit")
    assert a.mean("AP") > b.mean("AP")
    assert a.mean("R@6") == 1 > b.mean("R@6")
    assert (b.values["RR"] >= a.values["RR"]).all()


def test_half_of_the_documents_of_the_new_system_were_never_judged() -> None:
    data = read_sample("unjudged")
    old, new = (evaluate(data.judgments(), data.run(system), ["P@10", "judged@10"]).means() for system in data.systems)
    assert percent(old["P@10"]) in written("unjudged")
    assert percent(new["P@10"]) in written("unjudged")
    assert (old["judged@10"], new["judged@10"]) == (1, 0.5)
    assert f"{percent(new['P@10'])[:-2]} and {percent(new['P@10'] + 0.5)}" in written("unjudged")
    assert percent(new["P@10"] / new["judged@10"]) in written("unjudged")


def test_the_interval_of_patients_is_several_times_as_wide() -> None:
    data = read_sample("patients")
    right = int((data.frame["actual"] == data.frame["predicted"]).sum())
    interval = wilson(right, len(data))
    assert f"{100 * float(interval.high - interval.low):.0f} points" in written("clusters")
    assert widening_text(Source.of(data), "patient").endswith(" 3.4 times as wide.")
    assert any("patient" in finding.sentence for finding in data.findings if finding.level == "warning")


def test_the_area_within_each_hospital_is_below_a_half() -> None:
    data = read_sample("hospitals")
    arrays = data.scored_arrays("score")
    groups = scored_by_group(arrays.labels, arrays.scores, data.frame["hospital"].to_numpy(), positive=True)
    areas = [roc_auc(one) for one in groups.values()]
    assert max(areas) < 0.5
    for area in (roc_auc(data.scored("score")), *areas):
        assert f"{area:.2f}" in written("simpson")
