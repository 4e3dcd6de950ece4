"""Recalibration: the verdict, and the words beside each loss."""

from evalcore.analyses import Binning, Calibration, Losses, ProbabilitySource, RecalibrationEffect, Reliability, Source
from evalcore.classification import ProbabilityTable
from evalcore.inference import compare_losses, recalibrated_table
from evalcore.readers.samples import read_sample
from evalcore.wording import Cell


def test_the_verdict_and_the_words_beside_each_loss_agree() -> None:
    source = ProbabilitySource.of(Source.of(read_sample("breast_cancer")))
    before = Calibration.of(Reliability.of(source, Binning()), Losses.of(source.table))
    effect = RecalibrationEffect.of(before, recalibrated_table(source.table, method="isotonic"))
    words = {row[0].text: row[4].aside for row in effect.rows if isinstance(row[4], Cell)}
    assert words["Log-loss, nats"] == "could be due to chance"
    assert words["Brier score, two classes"] == "better"
    assert effect.verdict.startswith(
        "On held-out rows the difference in log-loss could be due to chance. The Brier score, which counts a confident "
        "error less, is **lower**."
    )


def test_five_rows_make_no_recalibration_better_or_worse() -> None:
    """With all signs of five differences the smallest p is 1/16."""
    before = ProbabilityTable.from_event([1, 0, 1, 0, 1], [0.6, 0.4, 0.7, 0.3, 0.6], positive=1)
    after = ProbabilityTable.from_event([1, 0, 1, 0, 1], [0.9, 0.1, 0.9, 0.1, 0.9], positive=1)
    for change in compare_losses(before, after).values():
        assert change.estimate < 0 == change.high
