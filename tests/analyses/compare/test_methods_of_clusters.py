"""What is said of the tests of two systems whose rows belong together."""

from functools import cache

import numpy as np
import pandas as pd

from evalcore import find
from evalcore.analyses import Source, SystemComparison, area_note, compare_samples, compare_systems
from evalcore.analyses.data.scores import Scores
from evalcore.readers import DataSet
from tests.words import sentence_with


@cache
def compared(clusters: bool, patients: int = 20) -> SystemComparison:
    random, n = np.random.default_rng(8), patients * 6
    y, patient = np.arange(n) % 2, np.repeat(np.arange(patients), 6)
    shared = random.normal(size=patients)[patient]
    scores = {name: by * y + shared + random.normal(size=n) for name, by in (("a", 1.0), ("b", 1.5), ("c", 1.2))}
    frame = pd.DataFrame({"y": y, **scores, "patient": [f"P{one}" for one in patient]})
    roles = "actual~y~~score~a~b~c~~positive~1" + "~~cluster~patient" * clusters
    data = DataSet.of(frame).with_roles(roles)
    return compare_systems(Source.of(data), "a", "b", measure=find("AUC"), test="exact", interval="newcombe")


def test_rows_of_patients_name_the_tests_that_they_take() -> None:
    comparison = compared(clusters=True)
    said = [comparison.areas_note, comparison.overall_note, comparison.measures_note, comparison.formulas]
    for text in said:
        assert "DeLong" not in text
    assert "where about" in said[0]
    assert sentence_with(said[0], "patients decide")
    assert "Hotelling's F for whole patients" in said[1]
    # What was chosen for rows has no part in the tests of clusters.
    assert "exact binomial" not in said[2]
    assert "Newcombe" not in said[2]
    assert comparison.coverage_note(find("AUC")) == ""  # its figures are those of independent rows


def test_rows_of_their_own_name_delong_and_mcnemar() -> None:
    comparison = compared(clusters=False)
    assert "DeLong" in comparison.areas_note
    assert "DeLong" in comparison.overall_note
    assert "Newcombe" in comparison.measures_note
    assert "exact binomial" in comparison.measures_note
    assert "McNemar" in comparison.formulas
    assert "Obuchowski" not in comparison.formulas


def test_what_is_said_of_the_area_of_patients_counts_patients() -> None:
    """Six patients of five rows each, of whom two are ill; and twelve whose rows are of both classes."""

    def note(patient: np.ndarray, ill: np.ndarray, score: np.ndarray) -> str:
        data = DataSet.of(pd.DataFrame({"ill": ill.astype(int), "score": score, "patient": patient.astype(str)}))
        source = Source.of(data.with_roles("actual~ill~~score~score~~cluster~patient~~positive~1"))
        return area_note(Scores.of(source, "score"))

    row = np.arange(30)
    perfect = note(row % 6, row % 6 < 2, row + 100 * (row % 6 < 2))
    assert sentence_with(perfect, "2", "0.224")
    # How often an interval holds is known of independent rows.
    row = np.arange(100)
    assert note(row % 12, row % 9 == 0, row % 17) == ""


def test_samples_of_patients_name_the_tests_that_they_take() -> None:
    one, two = (compared(clusters).source for clusters in (True, False))
    for a, b in ((one, two), (two, one), (two, two)):
        comparison = compare_samples(a, b)
        clustered = one in (a, b)
        for text in (comparison.measures_note, comparison.formulas):
            assert ("Obuchowski" in text) == clustered
            assert ("DeLong" in text) != clustered
        assert ("Bootstraps take whole patients" in comparison.measures_note) == clustered
        (areas,) = [each for each in comparison.all_differences if each.measure.key == "roc_auc"]
        assert ("clustered" in areas.test.method) == clustered
    assert (one.area_method, two.area_method) == ("Obuchowski (whole patients)", "DeLong")
