"""Of probabilities, counts, weights and estimates, what a user should know is said once, with its first line."""

from evalcore.readers import DataSet, Finding, read_table, roles_of
from tests.words import sentence_with


def read(text: str, **roles: object) -> DataSet:
    dataset = read_table(text.encode(), "x.csv")
    return dataset.with_roles(roles_of(**roles)) if roles else dataset


def said(dataset: DataSet, words: str) -> Finding:
    (finding,) = [finding for finding in dataset.findings if words in finding.sentence]
    return finding


def silent(dataset: DataSet, words: str) -> bool:
    return not any(words in finding.sentence for finding in dataset.findings)


def test_infinite_estimates() -> None:
    assert said(read("truth,estimate\n1.5,inf\n2.5,3\n3.5,4\n"), "infinite").count == 1


def test_probabilities_that_do_not_add_up() -> None:
    finding = said(read("actual,p_a,p_b,p_c\na,.5,.3,.2\nb,.2,.3,.1\nc,.1,.1,.8\n"), "add up")
    assert (finding.level, finding.count) == ("warning", 1)
    assert sentence_with(finding.sentence, "3", "0.6")
    assert silent(read("actual,p_a,p_b,p_c\na,.333,.333,.333\nb,.2,.3,.5\nc,.1,.1,.8\n"), "add up")


def test_a_probability_out_of_range() -> None:
    finding = said(read("actual,p_a,p_b,p_c\na,.5,.3,.2\nb,1.2,-.3,.1\nc,.1,.1,.8\n"), '"p_a" holds 1.2 in line 3')
    assert (finding.level, finding.count, finding.column) == ("error", 1, "p_a")
    finding = said(read("actual,prob\nill,1.7\nwell,-0.5\nill,0.2\nwell,0.3\n"), "named like a probability")
    assert (finding.level, finding.count) == ("warning", 2)
    assert "1.7 in line 2" in finding.sentence


def test_classes_and_probabilities_that_do_not_match() -> None:
    text = "actual,p_a,p_b,p_c\na,.5,.3,.2\nd,.2,.3,.5\nb,.1,.1,.8\n"
    roles = {"actual": "actual", "probability": (("p_a", "a"), ("p_b", "b"), ("p_c", "c"))}
    dataset = read(text, **roles)
    assert said(dataset, 'probability of "d"').level == "warning"
    assert said(dataset, 'never occurs in column "actual"').level == "info"
    assert dataset.probability_arrays().actual.tolist() == [0, -1, 1]


def test_weights_that_cannot_be() -> None:
    finding = said(read("actual,score,weight\nill,0.9,1\nwell,0.25,-2.5\nill,0.1,-1\n"), "holds the weight")
    assert (finding.level, finding.count, finding.column) == ("error", 2, "weight")
    assert "-2.5 in line 3" in finding.sentence
    assert said(read("actual,score,weight\nill,0.9,0\nwell,0.25,0\n"), "weight 0").level == "error"


def test_counts_that_cannot_be() -> None:
    finding = said(read("tp,fp,fn,tn\n1,2,3,4\n1,-2,3,4\n"), "holds -2 in line 3")
    assert (finding.level, finding.count, finding.column) == ("error", 1, "fp")
    finding = said(read("tp,fp,fn,tn\n1,2.5,3,4\n"), "holds 2.5 in line 2")
    assert (finding.level, finding.count, finding.column) == ("warning", 1, "fp")
    finding = said(read("tp,fp,fn,tn\n1,2,3,4\n1,,3,4\n"), "number in line 3")
    assert finding.level == "warning"
    assert said(read("tp,fp,fn,tn\n1,,3,4\n"), "all four").level == "error"
    assert said(read("tp,fp,fn,tn\n0,0,0,0\n"), "All counts are 0").level == "error"
    assert said(read("actual,a,b\na,1,\nb,3,4\n"), "number in line 2").level == "error"


def test_systems_counted_on_different_rows() -> None:
    assert said(read("name,tp,fp,fn,tn\na,1,2,3,4\nb,2,2,3,4\n"), "different numbers of positives").level == "info"
    assert silent(read("name,tp,fp,fn,tn\na,1,2,3,4\nb,2,3,2,3\n"), "different numbers of positives")


def test_what_the_rows_of_a_matrix_are() -> None:
    assert said(read("x,a,b\na,1,2\nb,3,4\n"), "rows are read as actual").level == "warning"  # no heading tells
    assert "read as predicted" in said(read("predicted,a,b\na,1,2\nb,3,4\n"), "rows of the matrix").sentence


def test_estimates_that_say_nothing_or_too_much() -> None:
    assert said(read("truth,estimate\n1.5,2\n2.5,2\n3.5,2\n"), "are equal").column == "estimate"
    assert said(read("truth,estimate\n1.5,2\n1.5,3\n1.5,4\n"), "are equal").column == "truth"
    assert said(read("truth,estimate\n1.5,1.5\n2.5,2.5\n3.5,3.5\n"), "equals column").level == "warning"
