"""The groups of the scored rows: aligned with them, and rows without one are a group of their own."""

import pandas as pd

from evalcore.readers import DataSet, read_sample, read_table
from evalcore.readers.table.table import NO_GROUP, ScoredArrays

CSV = b"actual,score,site\n1,0.9,north\n0,0.8,\n,0.7,north\n0,,south\n1,0.4,south\n0,0.3,north\n"


def groups_of(rows: ScoredArrays) -> list[str]:
    codes, names = rows.group_codes
    return [names[code] for code in codes]


def test_groups_stand_beside_their_rows() -> None:
    rows = read_table(CSV, "x.csv").scored_arrays()
    assert groups_of(rows) == ["north", NO_GROUP, "south", "north"]
    assert rows.scores.tolist() == [0.9, 0.8, 0.4, 0.3]


def test_a_group_that_is_called_like_none_stays_another() -> None:
    frame = pd.DataFrame({"actual": [1, 0, 1], "score": [0.1, 0.2, 0.3], "site": [NO_GROUP, None, "a"]})
    groups = groups_of(DataSet.of(frame).scored_arrays())
    assert groups[0] == NO_GROUP
    assert len(set(groups)) == 3


def test_numbers_are_groups_by_their_text() -> None:
    data = read_table(b"actual,score,fold\n1,0.9,1\n0,0.8,2\n1,0.1,\n", "x.csv")
    assert groups_of(data.scored_arrays()) == ["1", "2", NO_GROUP]


def test_without_the_role_there_are_none() -> None:
    assert read_sample("roc_20").scored_arrays().group_codes is None


def test_the_groups_of_a_sample_are_those_of_its_column() -> None:
    data = read_sample("breast_cancer")
    assert groups_of(data.scored_arrays()) == data.frame["size_band"].tolist()
