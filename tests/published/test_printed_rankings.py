"""What textbooks print of rankings, and the samples that hold the same lists."""

import numpy as np
import pytest

from evalcore import find
from evalcore.readers import read_sample
from evalcore.retrieval import Hits, evaluate, graded_table, ranked_curve
from tests.published.retrieval_rows import (
    CLASSIC,
    CLASSIC_COLUMNS,
    FOURTEEN,
    GRADED,
    GRADED_COLUMNS,
    PRECISION_14,
    RECALL_14,
    ROWS,
)

HALF = 0.005 + 1e-12


def opened(id: str, system: str | None = None) -> Hits:
    dataset = read_sample(id)
    return Hits.of(dataset.judgments(), dataset.run(system))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[4][:20]}")
def test_a_measure_gives_the_printed_value(row) -> None:
    name, hits, printed, decimals, source = row
    tolerance = 1e-12 if decimals is None else 0.5 * 10**-decimals + 1e-12
    assert abs(find(name, family="retrieval")(hits)[0] - printed) <= tolerance, source


@pytest.mark.parametrize("hits", [FOURTEEN, "ranking_14"], ids=["list", "sample"])
def test_the_table_of_fourteen_ranks(hits) -> None:
    curve = ranked_curve(opened(hits) if isinstance(hits, str) else hits)
    assert np.abs(curve.precision - PRECISION_14).max() <= HALF
    assert np.abs(curve.recall - RECALL_14).max() <= HALF
    assert (curve.closest, curve.total) == (5, 5)


@pytest.mark.parametrize("hits", [GRADED, "graded_10"], ids=["list", "sample"])
@pytest.mark.parametrize("column", GRADED_COLUMNS)
def test_the_table_of_ten_graded_results(hits, column: str) -> None:
    table = graded_table(opened(hits) if isinstance(hits, str) else hits, depth=10)
    assert np.abs(getattr(table, column) - GRADED_COLUMNS[column]).max() <= HALF


@pytest.mark.parametrize("hits", [CLASSIC, "graded_classic_10"], ids=["list", "sample"])
@pytest.mark.parametrize("column", CLASSIC_COLUMNS)
def test_the_table_with_the_original_discount(hits, column: str) -> None:
    table = graded_table(opened(hits) if isinstance(hits, str) else hits, discount="original")
    assert np.abs(getattr(table, column) - CLASSIC_COLUMNS[column]).max() <= HALF
    assert table.idcg[-1] == table.idcg[6]


@pytest.mark.parametrize(("method", "printed"), [("A", (0.5, 0.35, 0.41)), ("B", (0.67, 0.2, 0.31))])
def test_the_sample_of_two_methods(method: str, printed: tuple[float, ...]) -> None:
    hits = opened("two_methods", method)
    for name, value in zip(("set_P", "set_recall", "set_F"), printed, strict=True):
        assert abs(find(name, family="retrieval")(hits)[0] - value) <= HALF


def test_the_learned_projection_finds_more_and_the_pixels_are_better_at_the_top() -> None:
    """The story of the sample: another system wins at another depth."""
    dataset = read_sample("image_retrieval")
    judged = dataset.judgments()
    found = {system: evaluate(judged, dataset.run(system), ["AP", "RR"]).means() for system in dataset.systems}
    assert found["projection"]["AP"] > found["pixels"]["AP"] > found["cosine"]["AP"]
    assert found["pixels"]["RR"] > found["projection"]["RR"]
