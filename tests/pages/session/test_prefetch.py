"""What is done ahead of a click: the work is done once, is the same, and is never missed."""

import numpy as np
import pandas as pd
import pytest

from evalcore.classification import ScoredLabels
from evalcore.readers import STATES, DataSet
from pages.widgets.session import loaded
from tests.pages.classify.curves.curves_page import curves
from tests.pages.start.test_data import data_page
from tests.pages.uploads import saved


def test_scores_sorted_on_the_data_page_are_those_of_the_curves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "WORTH_SORTING_AHEAD", 1)
    random = np.random.default_rng(11)
    frame = pd.DataFrame({"actual": random.integers(0, 2, 60), "one": random.random(60), "two": random.random(60)})
    data = saved(DataSet.of(frame, "sixty.csv"))
    STATES.clear()
    done, build = [], ScoredLabels.from_arrays
    monkeypatch.setattr(
        ScoredLabels, "from_arrays", lambda *rows, **how: done.append(len(rows[0])) or build(*rows, **how)
    )
    data_page(data=data)
    test = curves(data)
    assert not test.exception
    assert done == [60, 60]
