"""What is taken away of a threshold: the record in three forms and tables, in files with safe names."""

import pytest

from evalcore.analyses import DecisionRecord
from evalcore.wording import file_stem
from tests.analyses.small_scores import scores_of
from tests.pages.classify.threshold.panels import panels


def test_each_form_of_the_record_can_be_copied_and_saved(monkeypatch) -> None:
    test = panels(monkeypatch, data="breast_cancer", t="0.4")
    decision = DecisionRecord(scores_of("breast_cancer"), 0.4)
    assert [c.value for c in test.code] == [decision.text, decision.json, decision.code.strip()]
    assert [c.language for c in test.code][1:] == ["json", "python"]
    labels = {e.proto.label for e in test.get("download_button")}
    assert {
        "Text as a file", "JSON as a file", "Python as a file", "Numbers as CSV", "Every threshold as CSV",
    } <= labels  # fmt: skip


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("breast_cancer.csv", "breast_cancer"),
        ("na$ty 'quoted' [x](y) Größe.csv", "na ty quoted x y Größe"),
        ("../../x.csv", "x"),
        ("$$.csv", "data"),
    ],
)
def test_files_are_named_by_the_data(name: str, stem: str) -> None:
    assert file_stem(name) == stem
