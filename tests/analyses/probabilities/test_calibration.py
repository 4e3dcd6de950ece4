"""Whether probabilities can be believed: numbers by hand and by scikit-learn, verdicts, refusals, and the code."""

import contextlib
import io
import math
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics as peer

from evalcore.analyses import (
    BINNINGS,
    Binning,
    Calibration,
    Losses,
    LossSettings,
    NotProbabilities,
    ProbabilitySource,
    RecalibrationEffect,
    Reliability,
    RowSelection,
    Source,
    WorstPredictions,
    base_rates_text,
    calibration_formulas,
    class_losses_table,
)
from evalcore.inference import recalibrated_table
from evalcore.readers import DataSet, NotSummed, ReadProblem, read_sample, read_table
from tests.words import facts, sentence_with

SAMPLES = Path(__file__).parents[3] / "sample_data"
THREE = "actual,p_a,p_b,p_c\na,0.5,0.3,0.2\nb,0.2,0.7,0.1\nc,0.1,0.1,0.8\na,0.9,0.05,0.05\nb,0.6,0.3,0.1\nc,0,0.9,0.1\n"
BY_HAND = "actual,score\nyes,0.5\nno,0.25\nno,0.5\nyes,0.75\n"
SURE_ERROR = "actual,score\nyes,1\nno,0\nyes,0\nno,0.3\nyes,0.8\nno,0.2\n"
SETTINGS = LossSettings()
LOWER = "actual~actual~~score~score~~positive~yes~~higher_is_positive~False"


def table_of(csv: str, roles: str | None = None) -> Source:
    dataset = read_table(csv.encode(), "table.csv")
    return Source.of(dataset if roles is None else dataset.with_roles(roles))


def sample(name: str, system: str | None = None) -> Source:
    return Source.of(read_sample(name), system)


def calibration(
    source: Source | ProbabilitySource, binning: Binning | None = None, settings: LossSettings = SETTINGS
) -> Calibration:
    probabilities = source if isinstance(source, ProbabilitySource) else ProbabilitySource.of(source)
    reliability = Reliability.of(probabilities, binning or Binning(), settings.level, settings.seed)
    return Calibration(reliability, Losses.of(probabilities.table, settings))


def values_of(found: Calibration) -> dict[str, float]:
    return {line.measure.key: line.value for line in found.measures}


def values(csv: str, **settings: float) -> dict[str, float]:
    return values_of(calibration(table_of(csv), settings=LossSettings(**settings)))


def verdict(csv: str) -> str:
    return calibration(table_of(csv)).verdict


def recalibration(csv: str, **settings: float) -> RecalibrationEffect:
    before = calibration(table_of(csv), settings=LossSettings(**settings))
    return RecalibrationEffect.of(before, recalibrated_table(before.probabilities.table))


def run(code: str, folder: Path) -> str:
    script = folder / "again.py"
    script.write_text(code.replace("read_table('", f"read_table('{folder}/"), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(str(script))
    return printed.getvalue()


def test_the_losses_are_those_of_scikit_learn() -> None:
    frame = pd.read_csv(SAMPLES / "digits_probabilities.csv")
    log = peer.log_loss(frame["actual"], np.clip(frame[[f"p_{digit}" for digit in range(10)]].to_numpy(), 1e-15, 1))
    found = values_of(calibration(sample("digits_probabilities")))
    assert found["log_loss"] == pytest.approx(log, rel=1e-9)
    frame = pd.read_csv(SAMPLES / "breast_cancer.csv")
    brier = peer.brier_score_loss(frame["actual"] == "malignant", frame["logistic_regression"])
    found = values_of(calibration(sample("breast_cancer")))
    assert found["half_brier_score"] == pytest.approx(brier, rel=1e-9)


def test_a_binary_loss_by_hand() -> None:
    # −(ln ½ + ln ¾ + ln ½ + ln ¾) / 4 and ((½)² + (¼)² + (½)² + (¼)²) / 4
    found, loss = values(BY_HAND), -(math.log(1 / 2) + math.log(3 / 4)) / 2
    assert found["log_loss"] == pytest.approx(loss)
    assert found["log_loss_over_classes"] == pytest.approx(2 * loss)
    assert found["half_brier_score"] == pytest.approx(5 / 32)
    assert values(BY_HAND, base=2)["log_loss"] == pytest.approx(loss / math.log(2))
    formulas = {name: formula for name, formula, _ in calibration_formulas(calibration(table_of(BY_HAND)))}
    assert r"\ln 0.5 + \ln 0.75 + \ln 0.5 + \ln 0.75" in formulas["[**Log-loss**](measures?measure=log_loss)"]


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("b,-0.2,0.7,0.5", 'Column "p_a" holds -0.2 in line 3'),
        ("b,0,0,0", "All probabilities are 0 in line 3"),
        ("b,1.7e308,1.7e308,0", "numbers in line 3"),
    ],
)
def test_rows_that_are_no_probabilities_name_the_column_and_the_line(row: str, sentence: str) -> None:
    with pytest.raises(ReadProblem, match=sentence):
        ProbabilitySource.of(table_of(THREE.replace("b,0.2,0.7,0.1", row)), normalise=True)


def test_rows_that_do_not_add_up_are_refused_with_the_first_and_can_be_divided() -> None:
    source = table_of(THREE.replace("b,0.2,0.7,0.1", "b,0.2,0.7,0.3"))
    with pytest.raises(NotSummed, match=r"1 row.*line 3.*1.2"):
        ProbabilitySource.of(source)
    probabilities = ProbabilitySource.of(source, normalise=True)
    assert facts(probabilities.notes) == "1"
    assert probabilities.table.probabilities[1].tolist() == pytest.approx([0.2 / 1.2, 0.7 / 1.2, 0.3 / 1.2])


def test_scores_are_no_probabilities_and_are_scaled_to_some() -> None:
    with pytest.raises(NotProbabilities, match=r'"glucose".*28.9.*line 2; 10 rows'):
        ProbabilitySource.of(sample("glucose_10"))
    scaled = ProbabilitySource.of(sample("glucose_10"), "platt")
    assert sentence_with(scaled.notes, "Platt scaling")
    assert list(scaled.columns) == ["line", "actual", "score", "probability"]


def test_a_class_without_a_column_is_left_out_and_counted() -> None:
    frame = pd.DataFrame({"actual": list("abcab"), "a": [0.9, 0.2, 0.5, 0.6, 0.1], "b": [0.1, 0.8, 0.5, 0.4, 0.9]})
    probabilities = ProbabilitySource.of(Source.of(DataSet.of(frame, "two.csv")))
    assert sentence_with(probabilities.notes, "1", "probability")
    assert probabilities.table.total == 4


def test_where_lower_scores_are_positive_the_probability_is_the_rest_to_one() -> None:
    found = calibration(table_of("actual,score\nyes,0.1\nno,0.9\nyes,0.2\nno,0.7\n", LOWER))
    assert facts(found.probabilities.notes) == "1"
    assert found.losses.value("log_loss") == pytest.approx(-sum(map(math.log, (0.9, 0.9, 0.8, 0.7))) / 4)


def test_weights_count_rows_and_a_weight_of_two_is_the_row_twice() -> None:
    one = calibration(table_of("actual,score,weight\nyes,0.9,2\nno,0.8,1\nyes,0.3,1\nno,0.1,3\n"))
    two = values("actual,score\nyes,0.9\nyes,0.9\nno,0.8\nyes,0.3\n" + 3 * "no,0.1\n")
    assert sentence_with(one.probabilities.notes, "weighted by weight")
    assert values_of(one) == pytest.approx(two)


def test_rows_of_weight_0_are_neither_clipped_nor_among_the_worst() -> None:
    source = ProbabilitySource.of(table_of("actual,score,weight\nyes,0,0\nno,0.8,1\nyes,0.3,1\nno,0.1,3\n"))
    assert Losses.of(source.table).clipped == 0
    worst = WorstPredictions.of(source)
    assert worst.table["row"] == ["line 3", "line 4", "line 5"]
    assert RowSelection(source.source, "", worst.positions).frame()["line"].tolist() == [3, 4, 5]


def test_a_sure_error_is_clipped_and_said_and_infinite_without_clipping() -> None:
    found = calibration(table_of(SURE_ERROR))
    assert facts(found.losses.clipping) == "1 1e-15 1 0"
    unclipped = LossSettings(clip=0)
    losses = Losses.of(found.probabilities.table, unclipped)
    assert losses.value("log_loss") == math.inf
    assert facts(losses.clipping) == "1 0"
    assert sentence_with(WorstPredictions.of(found.probabilities, unclipped).verdict, "infinite loss")


def test_what_is_sure_and_right_costs_nothing_and_says_so() -> None:
    source = table_of("actual,score\n" + "ill,1\nwell,0\n" * 10)
    for clip in (0.0, 1e-15):
        settings = LossSettings(clip=clip)
        found = calibration(source, settings=settings)
        assert WorstPredictions.of(found.probabilities, settings).verdict == "No row costs anything."
        assert found.losses.clipping == ""
        assert all(math.isnan(line.low) for line in found.measures[:3]), "nothing, without a doubt"


def test_the_verdict_sets_errors_against_chance_and_scores_against_the_base_rate() -> None:
    breast = calibration(sample("breast_cancer"))
    found = breast.verdict
    assert sentence_with(found, "37.2%", "37.3%")
    assert sentence_with(found, "9.8", "Underconfident")
    assert breast.reliability.errors["expected_calibration_error"] == pytest.approx((0.098, 0.032, 0.047), abs=5e-4)
    assert sentence_with(breast.by_chance, "0.047", "0.344", "95%")
    assert sentence_with(found, "82.0%", "base rate")
    few = calibration(sample("roc_20")).verdict
    assert sentence_with(few, "15.7", "chance")
    classes = calibration(sample("digits_probabilities")).verdict
    assert sentence_with(classes, "95.8%", "probability")
    assert sentence_with(classes, "Underconfident")


def grouped(groups: list[tuple[float, int, int]]) -> str:
    """A table of rows with equal scores: score, rows and positives of each group."""
    lines = [
        f"{'yes' if row < positives else 'no'},{score}" for score, rows, positives in groups for row in range(rows)
    ]
    return "\n".join(["actual,score", *lines]) + "\n"


def test_predictions_that_are_all_too_low_or_too_high_are_not_called_over_or_underconfident() -> None:
    low = [(0.02, 500, 40), (0.08, 300, 45), (0.4, 200, 110)]
    assert "**Predictions are too low: 11.4 % on average, 19.5 % observed.** Predicted" in verdict(grouped(low))
    assert "off by 8.1\u202fpt on average" in verdict(grouped(low))
    high = [(1 - score, rows, rows - positives) for score, rows, positives in low]
    assert "**Predictions are too high: 88.6 % on average, 80.5 % observed.**" in verdict(grouped(high))
    # Too low below and too high above are too extreme, whatever the means.
    assert verdict(grouped([(0.02, 500, 60), (0.95, 500, 420)])).startswith("**Overconfident")
    # Of one side only the gap is clear, but the means agree within chance.
    assert verdict(grouped([(0.05, 300, 12), (0.75, 200, 164)])).startswith("**Underconfident")


def test_one_class_only_has_no_skill_and_no_recalibration() -> None:
    csv = "actual,score\nyes,0.9\nyes,0.8\nyes,0.3\n"
    assert sentence_with(verdict(csv), "one class")
    with pytest.raises(ValueError, match="recalibration needs"):
        recalibration(csv)


def test_rows_that_are_all_alike_are_not_told_apart() -> None:
    said = verdict("actual,score\nyes,0.5\nno,0.5\nyes,0.5\nno,0.5\n")
    assert sentence_with(said, "same probability")
    assert sentence_with(said, "the base rate")


def test_worse_than_the_base_rate_is_said() -> None:
    assert sentence_with(verdict("actual,score\nyes,0.1\nno,0.9\nyes,0.2\nno,0.7\n"), "Worse", "82.5")


@pytest.mark.parametrize("typed", ["0.5, 0.2", "x", "", "2", "0.5,,0.5", "nan", "x" * 3000])
def test_edges_that_do_not_rise_between_0_and_1_are_none(typed: str) -> None:
    assert Binning.typed(typed) is None


def test_the_bins_are_named() -> None:
    assert facts(Binning.typed("0.2; 0.6").words) == "3"
    assert (Binning("equal count").words, Binning(bins=1).words) == ("10 bins of equal count", "1 bin of equal width")


def test_an_infinite_loss_is_not_called_a_difference_by_chance() -> None:
    assert sentence_with(recalibration(SURE_ERROR, clip=0.0).verdict, "infinite log-loss")


def test_recalibration_is_judged_on_held_out_rows() -> None:
    before = calibration(sample("breast_cancer", "nearest_neighbours"))
    effect = RecalibrationEffect.of(before, recalibrated_table(before.probabilities.table, "isotonic"))
    assert effect.verdict.startswith("On held-out rows")
    assert sentence_with(effect.notes(5), "mostly follows chance")
    assert list(effect.table) == ["line", "actual", "predicted malignant", "recalibrated malignant"]
    assert [name.text for name, *_ in effect.rows][:2] == ["Log-loss, nats", "One-vs-rest log-loss, nats"]


def test_base_rates_and_mean_probabilities_are_set_against_each_other_both_ways() -> None:
    """Entropy, cross-entropy and divergence by hand: 3 of 4 rows are a, and b is given 0.4 on average."""
    source = ProbabilitySource.of(table_of("actual,p_a,p_b,p_c\na,0.5,0.5,0\na,0.5,0.5,0\na,1,0,0\nb,0.4,0.6,0\n"))
    said = base_rates_text(source, LossSettings(base=2))
    p, q = (0.75, 0.25), (0.6, 0.4)
    entropy = -sum(a * math.log2(a) for a in p)
    crossed = -sum(a * math.log2(b) for a, b in zip(p, q, strict=True))
    back = sum(b * math.log2(b / a) for a, b in zip(p, q, strict=True))
    assert f"Entropy H(p) {entropy:.3f}" in said
    assert f"Cross-entropy H(p, q) {crossed:.3f}" in said
    assert f"KL(p‖q) {crossed - entropy:.3f}" in said
    assert f"KL(q‖p) is {back:.3f}." in said
    never = ProbabilitySource.of(table_of("actual,p_a,p_b,p_c\na,0.5,0.5,0\nc,0.5,0.5,0\nb,0.4,0.6,0\n"))
    said = base_rates_text(never, LossSettings())
    assert "KL(p‖q) ∞" in said
    assert sentence_with(said, "never given any probability")


def test_one_class_against_the_rest_keeps_the_table_of_all() -> None:
    whole = ProbabilitySource.of(sample("digits_probabilities"))
    one = whole.one_class("3")
    assert (one.table.classes, one.whole) == (("not 3", "3"), whole)
    assert class_losses_table(one, LossSettings(), Binning())["class"] == list(whole.table.classes)
    assert one.key != whole.key


def test_the_tables_hold_every_number() -> None:
    found = calibration(sample("breast_cancer"))
    measures = {"Log-loss", "Brier score, two classes", "Expected calibration error", "Rows clipped", "Entropy H(p)"}
    assert measures <= set(found.table["measure"])
    assert len({len(column) for column in found.table.values()}) == 1
    assert found.reliability.table["rows"].sum() == 569
    assert sum(WorstPredictions.of(found.probabilities).table["share"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("source", "binning", "settings"),
    [
        (sample("breast_cancer"), Binning("equal count"), LossSettings(base=2)),
        (sample("digits_probabilities"), Binning.typed("0.5, 0.9"), LossSettings()),
        (ProbabilitySource.of(sample("digits_probabilities")).one_class("3"), Binning(), LossSettings()),
        (sample("roc_20"), Binning(), LossSettings(clip=0)),
        (ProbabilitySource.of(sample("glucose_10"), "isotonic"), Binning(), LossSettings()),
    ],
)
def test_the_code_finds_the_same_numbers(source, binning, settings, tmp_path) -> None:
    code = calibration(source, binning, settings).code
    for csv in SAMPLES.glob("*.csv"):
        (tmp_path / csv.name).symlink_to(csv)
    assert run(code, tmp_path)
    assert code.count("assert_allclose(") >= 5
    with pytest.raises(AssertionError):
        run(code.replace("'brier_skill': ", "'brier_skill': 1e-3 + "), tmp_path)


@pytest.mark.parametrize(
    "csv", [THREE.replace("0.2,0.7,0.1", "0.2,0.7,0.3"), "actual,p_yes,p_no\nyes,0.9,0.1\nno,0.4,0.6\nyes,0.3,0.7\n"]
)
def test_the_code_of_a_file_divides_and_orders_as_the_page_does(csv: str, tmp_path) -> None:
    (tmp_path / "table.csv").write_text(csv, encoding="utf-8")
    assert run(calibration(ProbabilitySource.of(table_of(csv), normalise=True)).code, tmp_path)


@pytest.mark.parametrize("way", BINNINGS[:2])
def test_the_rows_behind_a_bin_are_those_it_counts_also_where_zeros_are_a_bin_of_their_own(way: str) -> None:
    scores = [0, 0, 0, 0.02, 0.05, 0.05, 0.1, 0.3, 0.3, 0.31, 1, 1]
    source = table_of("actual,score\n" + "".join(f"{'yes' if n % 3 else 'no'},{p}\n" for n, p in enumerate(scores)))
    reliability = Reliability.of(ProbabilitySource.of(source), Binning(way, 6))
    for bins, is_bar in ((reliability.bins, way == BINNINGS[0]), (reliability.histogram, True)):
        counts = [len(reliability.selection(*ends, is_bar).rows) for ends in zip(bins.low, bins.high, strict=True)]
        assert counts == bins.n.tolist()
