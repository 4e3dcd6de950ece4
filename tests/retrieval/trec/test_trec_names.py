"""Names in trec_eval's own spelling mean its own numbers; ours keep our conventions."""

import numpy as np
import pytest

from evalcore import find
from evalcore.analyses import Rankings, Source
from evalcore.readers import read_sample
from evalcore.retrieval import Hits

OF_THREE = Hits.of_grades([1, 0, 1, 0, 1])


@pytest.mark.parametrize(
    ("name", "version", "label"),
    [
        ("iprec_at_recall_0.30", 9, "IPrec(rule=trec9)@0.3"),
        ("iprec_at_recall_0.30", 10, "IPrec(rule=trec10)@0.3"),
        ("iprec_at_recall_0.30(rule=exact)", 9, "IPrec@0.3"),
        ("IPrec@0.3", 9, "IPrec@0.3"),
        ("11pt_avg", 9, "11pt(rule=trec9)"),
        ("rbp", 9, "RBP(p=0.9)"),
        ("rbp(p=0.5)", 9, "RBP(p=0.5)"),
        ("RBP", 9, "RBP"),
        ("map", 9, "AP"),
        ("P_10", 9, "P@10"),
    ],
)
def test_the_spelling_decides(name: str, version: int, label: str) -> None:
    assert find(name, family="retrieval", trec_eval=version).label == label


def test_the_numbers_differ_where_a_recall_is_no_whole_number_of_documents() -> None:
    """Of three relevant documents a recall of 0.4 needs 1.2: two, or one by int(1.2 + 0.9) ... 2 and by rounding 1."""
    values = [float(find("iprec_at_recall_0.40", "retrieval", trec_eval=version)(OF_THREE)[0]) for version in (9, 10)]
    assert values == [pytest.approx(2 / 3), 1.0]
    # 0.35 of three are 1.05: exactly two, and int(1.05 + 0.9) = 1.
    assert float(find("iprec_at_recall_0.35", "retrieval")(OF_THREE)[0]) == 1.0
    assert float(find("IPrec@0.35", "retrieval")(OF_THREE)[0]) == pytest.approx(2 / 3)


def test_rankings_have_the_version() -> None:
    source = Source.of(read_sample("two_methods"))
    name = "iprec_at_recall_0.30"
    assert Rankings(source, "A").measure(name).arguments["rule"] == "trec9"
    assert Rankings(source, "A", trec_eval=10).heading(name) == "IPrec(rule=trec10)@0.3"


def test_trec_evals_ndcg_has_linear_gains_whatever_a_page_has_chosen() -> None:
    chosen = Rankings(Source.of(read_sample("two_methods")), "A", gains=(("gain", "exp"), ("discount", "none")))
    labels = chosen.measure("ndcg_cut_10").label, chosen.measure("nDCG@10").label
    assert labels == ("nDCG@10", "nDCG(gain=exp,discount=none)@10")


def test_err_with_a_scale_of_its_own() -> None:
    """Chapelle and others (2009): R = (2^v − 1)/2^vmax; with vmax 4 two lists of different data can be compared."""
    grades = [3, 0, 2]
    hits = Hits.of_grades(grades)
    expected, going_on = 0.0, 1.0
    for rank, grade in enumerate(grades, 1):
        stops = (2**grade - 1) / 2**4
        expected += going_on * stops / rank
        going_on *= 1 - stops
    assert find("ERR(vmax=4)", "retrieval")(hits).tolist() == pytest.approx([expected])
    np.testing.assert_allclose(find("ERR(vmax=3)", "retrieval")(hits), find("ERR", "retrieval")(hits))
    above = find("ERR(vmax=2)", "retrieval")(hits)
    np.testing.assert_allclose(above, find("ERR", "retrieval")(Hits.of_grades([2, 0, 2])))
