"""The confusion page lists the rows of a small file with their outcomes, and those of the cell that is open."""

from tests.pages.application import tables
from tests.pages.classify.confusion.confusion_page import frame, opened
from tests.words import sentence_with


def test_every_row_of_a_small_file_has_its_outcome_beside_it() -> None:
    (rows,) = (table for table in tables(opened(data="eight_labels")) if "counted as" in table)
    assert rows["counted as"].tolist() == ["FN", "TN", "TN", "TP", "FN", "TN", "TN", "FP"]
    assert rows["line"].tolist() == list(range(2, 10))


def test_a_cell_opens_its_rows_and_counts_alone_have_none() -> None:
    page = opened(data="breast_cancer", outcome="fn", t="0.9")
    rows = next(table for table in tables(page) if "line" in table)
    assert sentence_with([text.value for text in page.markdown], f"{len(rows)} missed", "(FN)")
    assert (rows.iloc[:, 1:] == "malignant").any(axis=None)
    assert frame(page)["opened"] == "fn"
    assert page.query_params["selected"] == "cell~fn"
    counts = opened(data="cancer_test", selected="cell~fn")
    assert not frame(counts)["opens"]
    assert sentence_with([text.value for text in counts.markdown], "counts, not rows")
    edited = opened(data="breast_cancer", selected="cell~fn", cells="20,180,30,1820")
    assert sentence_with([text.value for text in edited.markdown], "Edited counts have no rows")
