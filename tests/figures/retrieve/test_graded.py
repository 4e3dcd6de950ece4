"""The pictures of graded lists draw the table: gains, discounts and sums as they are, ranks from 1."""

import numpy as np
import pytest

from evalcore.analyses import MeasureOverRanks
from evalcore.figures.retrieve.ranking import MOST_BARS, cumulated_figure, gains_figure, over_ranks_figure
from evalcore.figures.theme import DARK, LIGHT
from evalcore.retrieval import Hits, graded_table
from tests.analyses.ranked import rankings
from tests.words import facts

TWO = rankings("query,document,<b>x</b>,y,grade\n1,a,1,1,1\n", "<b>x</b>")
TEN = Hits.of_grades([0, 2, 1, 3, 0, 2, 0, 3, 1, 3], unretrieved=[3] * 2 + [2] * 8)


def test_bars_are_the_gains_of_the_list_before_those_of_the_ideal() -> None:
    table = graded_table(TEN)
    ideal, actual, discount = gains_figure(table, LIGHT, 10).data
    assert list(actual.y) == table.gain.tolist()
    assert list(ideal.y) == table.ideal_gain.tolist() == [3.0] * 5 + [2.0] * 5
    assert list(discount.y) == table.discount.tolist()
    assert actual.customdata[3] == "grade 3, gain 3.00"


def test_unjudged_documents_and_the_end_of_the_list_are_told() -> None:
    bars = gains_figure(graded_table(Hits.of_grades([None, -1, 2]), depth=5), LIGHT, 3).data[1]
    assert facts([text.split(",")[0] for text in bars.customdata]) == "2 3 3"  # fmt: skip


def test_a_long_list_draws_its_first_ranks() -> None:
    figure = gains_figure(graded_table(Hits.of_grades([1] * 500)), LIGHT, 500)
    assert [len(trace.x) for trace in figure.data] == [MOST_BARS] * 3


def test_the_sums_and_their_ratio() -> None:
    table = graded_table(TEN)
    dcg, ideal = cumulated_figure(table, DARK).data
    assert list(dcg.y) == table.dcg.tolist()
    assert list(ideal.y) == table.idcg.tolist()
    assert ideal.customdata[-1] == "nDCG 0.489"


@pytest.mark.parametrize("last", [1, 2, 10, 13, 60, 1_000])
def test_there_is_no_rank_0_and_ticks_are_few(last: int) -> None:
    ranks = np.arange(1, last + 1)
    over = MeasureOverRanks("nDCG", ranks, {"<b>x</b>": np.ones(last)}, TWO, "", "")
    figure = over_ranks_figure(over, LIGHT)
    ticks = figure.layout.xaxis.tickvals
    assert ticks[0] == 1
    assert len(ticks) <= 13
    assert len(set(ticks)) == len(ticks)
    assert figure.layout.xaxis.range[0] > -0.5 * last


def test_the_chosen_system_lies_over_the_others_and_names_stay_text() -> None:
    values = {"<b>x</b>": np.array([0.5]), "y": np.array([np.nan])}
    figure = over_ranks_figure(MeasureOverRanks("DCG", np.array([1]), values, TWO, "", ""), LIGHT)
    assert [trace.meta["system"] for trace in figure.data] == [1, 0]
    assert figure.data[1].name == "<b>&lt;b&gt;x&lt;/b&gt;</b>"
    assert figure.data[0].customdata[0] == "undefined"
    assert figure.layout.showlegend


def test_nothing_to_gain_draws_calmly() -> None:
    table = graded_table(Hits.of_grades([0, None, 0]))
    gains_figure(table, LIGHT, 3)
    assert cumulated_figure(table, LIGHT).layout.yaxis.range[1] > 0
