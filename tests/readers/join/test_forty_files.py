"""Forty files as analysts have them open with the right kind and roles, and warn of what is wrong alone."""
# ruff: noqa: E501

from urllib.parse import unquote

import pytest

from evalcore.readers import DataSet, ReadProblem, read_files
from tests.readers.forty import FORTY

# file | kind | roles | warnings | what else is told, but for the positive class, tied scores and copies
EXPECTED = """
1 semicolons, decimal commas, Windows-1252 | scores | actual actual; score score; positive ill | | decimal commas, encoding, marked numbers, unused scores
2 Excel below three titles | scores | actual actual; score score; positive ill | | footer, titles
3 Excel, predictions in the second sheet | scores | actual actual; score score; positive ill | | sheets
4 Excel with dates | scores | actual actual; score score; positive ill | |
5 yes/no and 67.4% | scores | actual actual; score score; positive yes | | marked numbers
6 yes/no and 0 … 100 | scores | actual actual; score probability; positive yes | not in 0 … 1 |
7 distance | scores | actual actual; score distance; positive ill; higher_is_positive False | | direction
8 0 is the event (survived) | scores | actual survived; score risk_score; positive 1 | worse than chance |
9 30 classes with long names | labels | actual actual; predicted predicted | |
10 rounded probabilities | probabilities | actual label; probability p_cat cat p_dog dog p_horse horse | | rounded probabilities
11 probabilities and a stated prediction | probabilities | actual label; predicted predicted; probability p_cat cat p_dog dog p_horse horse | | rounded probabilities, stated prediction
12 TP, FP, FN, TN of four systems | counts | group model; counts TP FP FN TN | |
13 counts with "1.499" | counts | group model; counts TP FP FN TN | rare class | different rows, marked numbers
13 the same in Excel | counts | group model; counts TP FP FN TN | rare class | different rows, marked numbers
14 measures without counts | unknown | | no roles | no roles
15 square matrix | counts | group actual; counts cat dog horse | | matrix rows
16 matrix with prefixes | counts | group actual; counts pred_cat pred_dog pred_horse | | matrix rows
17 matrix with Total | counts | group actual; counts cat dog horse | | margins, matrix rows
17 matrix with All | counts | group actual; counts cat dog horse | | margins, matrix rows
18 Parquet, three scores, weights, a group | scores | actual y_true; score score_a score_b score_c; weight sample_weight; group region; positive 1 | |
19 label sets | label sets | true_labels true_labels; predicted_labels predicted_labels | | no predicted label, no true label
20 labels beside scores | label scores | true_labels y_a y_b y_c; label_score score_a score_b score_c | | no true label
21 y and yhat | estimates | truth y; estimate yhat | |
22 TREC runs and qrels | run + judgments | score bm25 dense; query query; document document; grade grade | |
23 JSON Lines | scores | actual actual; score score; positive ill | |
24 unnamed index, dates, ids | scores | actual actual; score score; positive ill | | unnamed column
24 "Unnamed: 0", dates, ids | scores | actual y; score score; positive 1 | |
25 coded 1/2 | scores | actual ill; score score; positive 2 | worse than chance |
25 .sav with value labels | scores | actual actual; score score; positive ill | missing | value labels
26 truth and predictions | scores | actual actual; score score; positive ill | joined, missing |
27 a file per model | scores | actual y; score score logreg score forest score boosting; positive 1 | | joined
28 log-odds | scores | actual y; score logit; positive 1 | | scale
29 comments and a footer | scores | actual actual; score score; positive ill | | footer, titles
30 two models, age bands, sexes | scores | actual y; score score_a score_b; group age_band; positive 1 | |
31 weight in kilograms | scores | actual y; score score; positive 1 | | no weight
32 20 features and churn_proba | scores | actual churn; score churn_proba; positive 1 | | unused scores
33 Yes, yes, NO, n/a, −99 | scores | actual truth; score score; positive yes | codes, many classes, missing, spellings |
34 long | scores | actual y; score score; positive 1 | long, rows together |
35 the same ranking twice | scores | actual y; score a b; positive 1 | |
36 three raters | labels | actual rater_1; predicted rater_2 rater_3 | missing | guessed truth
37 judge | scores | actual human_label; score judge_score; positive 1 | missing |
38 60 patients with 10 rows each | scores | actual y; score score; positive 1 | rows together |
39 Windows-1251 | scores | actual исход; score score; positive болен | | encoding
39 Shift-JIS | scores | actual 結果; score score; positive 陽性 | | encoding
40 one class | scores | actual actual; score score; positive ill | one class |
40 equal scores | scores | actual actual; score score; positive ill | equal scores |
40 thirty rows | scores | actual actual; score score; positive ill | |
"""
ROWS = [[cell.strip() for cell in line.split("|")] for line in EXPECTED.strip().splitlines()]
EVERYWHERE = {"positive class", "tied scores", "copies"}
REFUSED = {
    "40 empty": '"file.csv" is empty. Open a file with at least one line.',
    "40 a header only": '"file.csv" has a header but no rows. Open a file with at least one row.',
    "40 a picture": '"file.csv" is not a table. Save a table as CSV, Excel, JSON or Parquet; to compare masks, open the actual '
    "and the predicted ones together: two pictures, two zips with files of the same names, or one zip with a folder of each.",
}


def codes(dataset: DataSet, *levels: str) -> str:
    return ", ".join(sorted({one.code for one in dataset.findings if one.level in levels} - EVERYWHERE))


@pytest.mark.parametrize(("title", "kind", "roles", "warnings", "told"), ROWS)
def test_each_opens_as_it_is_meant_and_warns_of_nothing_else(
    title: str, kind: str, roles: str, warnings: str, told: str
) -> None:
    dataset = read_files(FORTY[title]())
    assert (dataset.kind, unquote(dataset.roles.to_text()).replace("~~", "; ").replace("~", " ")) == (kind, roles)
    assert (codes(dataset, "warning", "error"), codes(dataset, "info")) == (warnings, told)


@pytest.mark.parametrize("title", sorted(FORTY.keys() - {row[0] for row in ROWS}))
def test_the_rest_is_refused_with_a_sentence(title: str) -> None:
    with pytest.raises(ReadProblem) as caught:
        read_files(FORTY[title]())
    assert str(caught.value) == REFUSED[title]


@pytest.mark.parametrize(("title", "roles"), [
    ("33 Yes, yes, NO, n/a, −99", "actual truth; score score; positive Yes"),
    ("34 long", "actual y; score B A; positive 1"),
    ("6 yes/no and 0 … 100", "actual actual; score probability; positive yes"),
    ("28 log-odds", "actual y; score logit; positive 1"),
])  # fmt: skip
def test_its_buttons_put_a_file_right(title: str, roles: str) -> None:
    dataset = read_files(FORTY[title]())
    while actions := [one.action for one in dataset.findings if one.action]:
        steps = dataset.shape.to_text()
        dataset = dataset.shaped(f"{steps}~~{actions[0]}" if steps else actions[0])
    assert unquote(dataset.roles.to_text()).replace("~~", "; ").replace("~", " ") == roles
    assert codes(dataset, "warning", "error") in ("", "missing")
    assert len(dataset.labels) == 2
