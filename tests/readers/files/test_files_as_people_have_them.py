"""Files as analysts have them open as an analyst would say at first sight."""

from collections.abc import Callable

import pytest

from evalcore.readers import ReadProblem, read_table
from tests.readers import made_files as files


@pytest.mark.parametrize(
    ("make", "positives"),
    [
        (files.german, 55), (files.below_titles, 55), (files.second_sheet, 55), (files.excel_with_dates, 55),
        (files.json_lines, 55), (files.index_column, 55), (files.comments_and_footer, 55),
    ],
)  # fmt: skip
def test_scores(make: Callable[[], bytes], positives: int) -> None:
    dataset = read_table(make(), "x")
    assert (dataset.kind, dataset.roles.actual, dataset.roles.score) == ("scores", "actual", ("score",))
    assert (dataset.roles.positive, dataset.tally()) == ("ill", (200, positives))


def test_spss_codes_are_words_and_missing_ones_missing() -> None:
    dataset = read_table(files.spss(), "x.sav")
    assert (dataset.kind, dataset.roles.positive) == ("scores", "ill")
    assert dataset.frame["actual"].isna().sum() == 5
    assert set(dataset.labels) == {"ill", "well"}


@pytest.mark.parametrize(
    ("make", "labels"), [(files.cyrillic, {"болен", "здоров"}), (files.japanese, {"陽性", "陰性"})]
)
def test_names_in_other_scripts(make: Callable[[], bytes], labels: set[str]) -> None:
    dataset = read_table(make(), "x.csv")
    assert (dataset.kind, set(dataset.labels)) == ("scores", labels)


@pytest.mark.parametrize("case", ["empty", "a header only", "a picture"])
def test_what_is_no_table_is_refused(case: str) -> None:
    with pytest.raises(ReadProblem, match=r"\.$"):
        read_table(files.UNUSABLE[case], "x.csv")


@pytest.mark.parametrize("case", ["one class", "equal scores"])
def test_what_says_nothing_opens_with_a_warning(case: str) -> None:
    findings = read_table(files.UNUSABLE[case], "x.csv").findings
    assert findings[0].level != "info"


def test_umlauts_are_right() -> None:
    dataset = read_table(files.german(), "x.csv")
    assert "Körpergewicht" in dataset.frame
    assert set(dataset.frame["ward"]) == {"Nord", "Süd"}
