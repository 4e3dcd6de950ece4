"""How sure a threshold is: what is said of the resamples, and what is given to the pictures."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import (
    ChoiceCertainty,
    ResamplingPlan,
    Scores,
    band_table,
    bands_at,
    best_threshold,
    choice_certainty,
    range_of_choices,
    resampling_for,
)
from evalcore.classification import ConfusionCounts, Goal, Limit, cost_goal, recall, threshold_grid, youden_goal
from evalcore.inference import bootstrap_choice
from evalcore.readers import read_table
from evalcore.registry import find
from evalcore.wording import number_text
from tests.analyses.small_scores import plain_text, scores_of, small_scores
from tests.published.rows import TWENTY
from tests.words import facts, sentence_with

FOUND = bootstrap_choice(youden_goal(), TWENTY.table())
GROUPED = "label,score,patient\n" + "".join(
    f"{label},{0.1 * k + 0.01 * patient:.2f},p{patient}\n"
    for patient in range(12)
    for k, label in enumerate((0, 0, 1, 0, 1, 1))
)


def certainty(
    scores: Scores | None = None, *limits: Limit, goal: Goal | None = None, **plan: object
) -> ChoiceCertainty:
    scores = scores or scores_of("roc_20")
    return choice_certainty(best_threshold(scores, goal or youden_goal(), limits), ResamplingPlan(**plan))


def least(name: str, value: float) -> Limit:
    return Limit(find(name), at_least=value)


def test_the_sentence_is_that_of_the_resamples() -> None:
    low, high = FOUND.spread()
    said = certainty()
    assert sentence_with(plain_text(said.verdict), f"{low:g}", f"{high:g}", "0.54")
    assert plain_text(said.note) == "2000 resamples of 20 rows, seed 20."
    assert sentence_with(said.plateau_text, "Equally good")


def test_ranges_that_are_not_listed_are_counted() -> None:
    said = certainty()
    for more, words in ((5, "and 1 more range."), (6, "and 2 more ranges.")):
        good = np.isin(np.arange(len(said.thresholds)), range(0, 2 * more, 2))
        assert replace(said, bootstrap=replace(said.bootstrap, good=good)).plateau_text.endswith(words)


def test_the_value_stands_beside_the_one_expected_on_new_data() -> None:
    rows = dict(certainty().values[1])
    assert rows["in this sample"] == "0.400"
    assert rows["expected on new data"] == f"{FOUND.out_of_sample:.3f}"
    assert rows["optimism"] == f"{0.4 - round(FOUND.out_of_sample, 3):.3f} too high"
    assert certainty().values[0][0] == "highest recall + specificity"
    costs = certainty(goal=cost_goal(fn_cost=3))
    assert costs.values[0][0] == "cost per 1\u202f000 cases"
    assert dict(costs.values[1])["in this sample"] == number_text(1000 * costs.bootstrap.value)
    assert dict(costs.values[1])["optimism"].endswith("too low")


def test_the_optimism_is_the_difference_of_the_values_as_they_are_written() -> None:
    apart = replace(FOUND, value=0.9386, optimism=0.0072)  # 0.0072 alone would read 0.007
    assert [text for _, text in replace(certainty(), bootstrap=apart).values[1]] == ["0.939", "0.931", "0.008 too high"]


def test_an_optimism_of_nothing_has_no_side() -> None:
    same = small_scores([int(k % 3 == 0) for k in range(30)], [0.3] * 30)
    assert dict(certainty(same).values[1])["optimism"] == "0.000"


def test_the_measures_of_a_threshold_have_the_bands_of_the_same_resamples() -> None:
    scores, plan = scores_of("roc_20"), ResamplingPlan()
    bands = bands_at(scores, 0.54, plan)
    low, high = FOUND.resampling.bands(recall)
    at = TWENTY.table().index(0.54)
    # Other resamples of the same law: between two of the steps of a tenth.
    assert bands["recall"] == pytest.approx((low[at], high[at]), abs=0.1)
    written = [f"{100 * end:.1f}" for end in bands["recall"]]
    name, *texts = band_table(scores, 0.54, bands)[1][0]
    shown = [name.text, *map(plain_text, texts)]
    assert shown == ["recall", "50.0%", "–".join(written) + "%"]


def test_resamples_are_drawn_as_planned() -> None:
    said = certainty(scheme="classes", resamples=500, seed=7)
    assert facts(said.note) == "500 20 7"
    expected = bootstrap_choice(youden_goal(), TWENTY.table(), stratified=True, resamples=500, seed=7)
    assert said.range_text.endswith(f": {range_of_choices(*expected.spread())}")
    table = read_table(GROUPED.encode(), "table.csv")
    groups = certainty(scores_of(table, group="patient"), scheme="groups")
    assert facts(plain_text(groups.note)) == "2000 12 20"
    assert sentence_with(certainty(scores_of("breast_cancer"), scheme="groups").note, "So few groups")


def test_limits_that_resamples_cannot_meet_are_counted() -> None:
    note = certainty(None, least("precision", 0.95)).note
    assert re.search(r"In \d+ of them no threshold", note)
    assert sentence_with(note, "also meets the limits")


def test_limits_that_the_sample_cannot_meet_leave_nothing_to_be_sure_of() -> None:
    said = certainty(None, least("precision", 0.9), least("recall", 0.9))
    assert sentence_with(said.bootstrap.reason, "no threshold meets")
    assert not said.is_defined


def test_scores_without_a_negative_say_why_there_is_no_choice() -> None:
    said = certainty(small_scores([1, 1, 1], [0.9, 0.4, 0.3]))
    assert "No resample has a threshold" in said.bootstrap.reason
    assert not said.is_defined


def test_the_choices_are_on_the_scale_of_the_file() -> None:
    here, turned = certainty(), certainty(scores_of("roc_20", positive="N", higher_is_positive=False))
    assert here.thresholds.tolist() == FOUND.thresholds[::-1].tolist()
    assert here.ends == FOUND.spread()
    assert turned.thresholds[0] == -np.inf
    assert turned.thresholds[1:].tolist() == sorted(here.thresholds[:-1].tolist())
    assert (np.diff(turned.bootstrap.plateau, axis=1) > 0).all()
    assert turned.ends[0] <= turned.ends[1]
    assert turned.shares.sum() == pytest.approx(1)


def test_a_goal_that_is_never_defined_has_no_choices() -> None:
    def never(counts: ConfusionCounts) -> np.ndarray:
        return np.full(np.shape(counts.tp), np.nan)

    assert not certainty(goal=replace(cost_goal(), measure=never, name="never")).is_defined


def test_bands_are_those_of_the_grid() -> None:
    scores = scores_of("breast_cancer")
    grid = threshold_grid(scores.table)
    low, high = resampling_for(scores, grid, ResamplingPlan()).bands(recall, 0.95)
    values = recall(grid.counts)
    assert low.shape == high.shape == values.shape
    assert ((low <= values) & (values <= high)).all()


def test_choices_to_take_away_name_every_threshold_and_the_seed() -> None:
    rows = list(csv.DictReader(io.StringIO(pd.DataFrame(certainty().table).to_csv(index=False))))
    assert len(rows) == 21
    assert sum(int(row["resamples"]) for row in rows) == (FOUND.rows >= 0).sum()
    assert {row["seed"] for row in rows} == {"20"}
    assert [row["as good as the best"] for row in rows if row["threshold"] == "0.54"] == ["True"]
