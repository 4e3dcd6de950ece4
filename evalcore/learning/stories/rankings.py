"""Stories of retrieved documents: two sets, and one ranked list."""

import math

import numpy as np

from evalcore.classification import ConfusionCounts, f_beta, precision, recall
from evalcore.estimation import DistributionPair, Estimates, entropy, kl_divergence, root_mean_squared_error
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.story import Steps, choose, compared, count, example, mark, story, work_out
from evalcore.retrieval import Hits, average_precision_at, eleven_point_average, graded_table, r_precision, ranked_curve
from evalcore.wording import number_text, share_text


@story("boolean-methods-a-b", "Two methods, one query", "Retrieval", "Which of two searches is better?")
def _two_methods() -> Steps:
    worked = example("boolean-methods-a-b")
    given, printed, state = worked["input"], worked["printed"], {"data": "two_methods"}
    relevant = given["relevant_total"]
    retrieved = {name: given[name]["retrieved"] for name in "AB"}
    hits = {name: given[name]["relevant_retrieved"] for name in "AB"}
    tables = {
        name: ConfusionCounts(hits[name], retrieved[name] - hits[name], relevant - hits[name], 0) for name in "AB"
    }
    p = {name: float(precision(table)) for name, table in tables.items()}
    r = {name: float(recall(table)) for name, table in tables.items()}
    f = {name: float(f_beta(table)) for name, table in tables.items()}
    alone = ConfusionCounts(1, 0, 0, 0)
    both = tables["A"] + alone
    macro, micro = (p["A"] + float(precision(alone))) / 2, float(precision(both))
    page = "retrieve/sets"
    return (
        Step(
            "What A retrieves",
            f"A collection holds {relevant} documents that answer your query. Method A returns {retrieved['A']}; "
            f"{hits['A']} of them are relevant.",
            work_out(
                "What is the precision of A?", p["A"], f"{hits['A']} of {retrieved['A']}: {share_text(p['A'])}.",
                ("recall", r["A"], "You divided by the relevant documents. Precision asks about those that were "
                                   "returned."),
                ("sizes", retrieved["A"] / relevant, "You compared the sizes of the two sets. Count what they share."),
                ("union", hits["A"] / (retrieved["A"] + relevant - hits["A"]), "You divided by all documents in "
                                                                               "either set. That is the Jaccard "
                                                                               "index."),
            ),
            "Precision reads the answer as its user does: of what I look at, how much is of use?",
            page, state | {"system": "A"},
            (compared("Precision of A", printed["A"]["precision"], p["A"]),
                compared("Recall of A", printed["A"]["recall"], r["A"])),
        ),
        Step(
            "What B misses",
            f"Method B is choosier: {retrieved['B']} documents, {hits['B']} of them relevant.",
            work_out(
                "What is the recall of B?", r["B"], f"{hits['B']} of {relevant}: {share_text(r['B'])}.",
                ("precision", p["B"], "You divided by what B returned. Recall asks about everything that is relevant."),
                ("missed", 1 - r["B"], "That share is missed. Recall is the share that is found."),
                ("of A", hits["B"] / hits["A"], "You compared B with A. Recall compares B with the whole collection."),
            ),
            "Recall needs the number of relevant documents in the whole collection, which nobody sees on the screen. "
            "In practice it is estimated from judged samples.",
            page, state | {"system": "B"},
            (compared("Precision of B", printed["B"]["precision"], p["B"]),
                compared("Recall of B", printed["B"]["recall"], r["B"])),
        ),
        Step(
            "One number for both",
            f"A has precision {share_text(p['A'])} and recall {share_text(r['A'])}. F1 is their harmonic mean.",
            work_out(
                "What is F1 of A? (to two decimals)", f["A"],
                f"2 · {hits['A']} / ({retrieved['A']} + {relevant}) = {number_text(f['A'])}.",
                ("arithmetic mean", (p["A"] + r["A"]) / 2, "That is the arithmetic mean. The harmonic mean leans "
                                                           "towards the smaller of the two."),
                ("product", p["A"] * r["A"], "That is the product alone. Divide twice the product by the sum."),
                ("smaller", r["A"], "That is the smaller of the two. F1 lies above it."),
            ),
            "The harmonic mean punishes imbalance: a method with precision 1 and recall 0 has the arithmetic mean ½, "
            "but F1 is 0.",
            page, state | {"system": "A"},
            (compared("F1 of A", printed["A"]["f1"], f["A"]), compared("F1 of B", printed["B"]["f1"], f["B"])),
        ),
        Step(
            "Which would you choose?",
            "A patent lawyer must find every earlier patent. A hiker wants to know whether one mushroom can be eaten.",
            choose(
                "Which method suits the lawyer better?", "A: it finds more of what exists",
                {
                    "B: its answers are cleaner": "Clean answers save time, but a patent that was not found can lose "
                                                  "the case.",
                    "the one with the higher precision": "Precision says nothing about the patents that were not "
                                                         "returned.",
                },
                f"A finds {share_text(r['A'])} of the relevant documents, B {share_text(r['B'])}.", at=1,
            ),
            "F1 weighs both alike. F with β = 2 counts recall as twice as important and fits the lawyer; β = ½ fits "
            "the "
            "hiker, for whom one wrong answer is one too many.",
            page, state | {"system": "A", "set_beta": "2.0"},
        ),
        Step(
            "A second query",
            f"Another query has one relevant document. A returns just this one, so its precision is 1 there and "
            f"{share_text(p['A'])} on the first query.",
            work_out(
                "What is the micro-averaged precision of A over both queries?", micro,
                f"({hits['A']} + 1) / ({retrieved['A']} + 1) = {share_text(micro)}.",
                ("macro", macro, "That is the mean of the two precisions, the macro average. Add up the counts of "
                                 "both queries first."),
                ("first query", p["A"], "That is the first query alone."),
                ("other query", 1.0, "That is the second query alone."),
            ),
            f"Macro, {share_text(macro)}, gives each query the same weight and answers for the users who ask them. "
            f"Micro follows the queries with many documents.",
            "learn/measures", {"measure": "macro-micro"},
        ),
    )  # fmt: skip


@story("pr-table-14", "Fourteen documents, one by one", "Retrieval", "How good is one ranked list?")
def _ranking() -> Steps:
    worked = example("pr-table-14")
    relevant, printed = worked["input"]["relevant"], worked["printed"]
    state, page = {"data": "ranking_14"}, "retrieve/ranking"
    hits = Hits.of_grades(relevant)
    curve, total = ranked_curve(hits), worked["input"]["relevant_total"]
    p, r = curve.precision, curve.recall
    at, half = 6, int((r < 0.5).sum())
    found = int(sum(relevant[:at]))
    exact, ap = float(r_precision(hits)[0]), float(average_precision_at(hits)[0])
    level = float(curve.interpolated[half])
    previous = float(p[half - 1])
    axes = ("recall", "precision")
    return (
        Step(
            "Down the list",
            f"A search returns {len(relevant)} documents, best first. The collection holds {total} relevant ones; "
            f"they stand at the ranks {', '.join(str(i) for i, one in enumerate(relevant, 1) if one)}.",
            work_out(
                f"What is the precision at rank {at}?", p[at - 1],
                f"{found} of the first {at}: {share_text(float(p[at - 1]))}.",
                ("recall", float(r[at - 1]), "You divided by the relevant documents. At a rank, precision divides by "
                                             "the rank."),
                ("whole list", found / len(relevant), "You divided by the whole list. Only the first documents have "
                                                      "been read so far."),
                ("irrelevant", 1 - float(p[at - 1]), "That is the share of irrelevant documents."),
            ),
            "Down the list, recall never falls. An irrelevant document lowers precision, and a relevant one raises it "
            "again wherever it is below 1, so the curve is a sawtooth.",
            page, state,
            (compared("Precision, rank 1 to 14", printed["precision"], p, 2),
                compared("Recall, rank 1 to 14", printed["recall"], r, 2)),
        ),
        Step(
            "A point of the curve",
            "Each rank is a point: recall to the right, precision upwards.",
            mark(
                f"Mark the point of rank {at}.", (r[at - 1], p[at - 1]), axes,
                f"{found} of {total} relevant documents, {found} of the first {at}.",
                ("swapped", (p[at - 1], r[at - 1]), "You have swapped the axes: recall goes to the right."),
                ("rank before", (r[at - 2], p[at - 2]), "That is the rank before. The next document is relevant, so "
                                                        "both rise."),
                ("rank after", (r[at], p[at]), "That is the rank after. Its document is irrelevant, so precision has "
                                               "fallen."),
            ),
            f"Of all ranks this one lies closest to the corner at the top right, where precision and recall are 1. "
            f"It is rank {curve.closest + 1}.",
            page, state | {"distance": "true"},
        ),
        Step(
            "What can I get?",
            "A reader wants half of the relevant documents and may stop wherever it pays. Interpolated precision at "
            "recall ½ is the best precision at any rank whose recall is at least ½.",
            work_out(
                "What is the interpolated precision at recall ½?", level,
                f"From recall ½ on, the best precision is {share_text(level)}, at rank "
                f"{half + 1 + int((p[half:] == level).argmax())}.",
                ("last before", previous, "That rank has recall below ½. Look only at ranks that reach it."),
                ("between", (previous + level) / 2, "You drew a straight line between two points. No rank lies on "
                                                    "it; take the best one that can be reached."),
                ("last", float(p[-1]), "That is the end of the list. Earlier ranks reach ½ with better precision."),
            ),
            "Interpolation removes the teeth: it never rises with recall, so lists of different queries can be "
            "averaged at the levels 0, 0.1, …, 1.",
            page, state,
        ),
        Step(
            "R-precision",
            f"There are {total} relevant documents. A perfect list has them at the ranks 1 to {total}.",
            work_out(
                f"What is R-precision, the precision at rank {total}?", exact,
                f"{int(sum(relevant[:total]))} of the first {total}: {share_text(exact)}.",
                ("at ten", float(p[9]), "That is precision at 10. R-precision stops at the number of relevant "
                                        "documents."),
                ("at the end", 1.0, "All of them are found in the end. R-precision looks only at the top of the list."),
                ("average precision", ap, "That is average precision. R-precision looks at one rank."),
            ),
            "At this rank precision and recall are equal. Some authors use the name for something else: the best "
            "precision once a given recall is reached. Say which you mean.",
            page, state | {"k": str(total)},
        ),
        Step(
            "Average precision",
            "Average precision takes the precision at each relevant document and divides their sum by the number of "
            "relevant documents.",
            work_out(
                "What is the average precision? (to two decimals)", ap,
                f"({' + '.join(number_text(float(p[i])) for i, one in enumerate(relevant) if one)}) / {total} = "
                f"{number_text(ap)}.",
                ("all ranks", float(p.mean()), "You averaged over all ranks. Take only the ranks of relevant "
                                               "documents."),
                ("R-precision", exact, "That is R-precision."),
                ("eleven points", float(eleven_point_average(hits)[0]), "That is the average at eleven levels of "
                                                                        "recall."),
            ),
            "A relevant document adds more if it moves up, and one that was never retrieved adds "
            "nothing. That is why average precision rewards both order and completeness.",
            page, state,
        ),
    )  # fmt: skip


_PAGE = "retrieve/graded"


@story("ndcg-table-10", "Ten graded results", "Graded retrieval", "Are the best ones at the top?")
def _pool() -> Steps:
    worked = example("ndcg-table-10")
    given, printed, state = worked["input"], worked["printed"], {"data": "graded_10"}
    grades, pool = given["grades"], {int(grade): many for grade, many in given["judged_pool"].items()}
    rest = [grade for grade, many in pool.items() for _ in range(many - grades.count(grade))]
    table = graded_table(Hits.of_grades(grades, rest))
    powered = graded_table(Hits.of_grades(grades, rest), gain="exp")
    alone = graded_table(Hits.of_grades(grades))
    highest, rank = given["highest_grade"], 5
    discount, ndcg = table.discount, table.ndcg
    written = ", ".join(map(str, grades))
    return (
        Step(
            "Cumulated gain",
            f"Ten results have the grades {written}. The highest grade is {highest}.",
            work_out(
                f"What is the normalised cumulated gain at rank {rank}: the sum of the grades so far, as a share of "
                f"{rank} times the highest grade?",
                table.normalised_cg[rank - 1],
                f"{table.cg[rank - 1]:g} of {rank * highest}: {number_text(float(table.normalised_cg[rank - 1]))}.",
                ("precision", sum(grade > 0 for grade in grades[:rank]) / rank, f"You counted the documents with a "
                                                                                f"grade above 0. That is P@{rank}; "
                                                                                f"use the grades themselves."),
                ("sum of all", float(table.cg[-1]) / (len(grades) * highest), "You went down to rank 10."),
                ("not normalised", float(table.cg[rank - 1]) / 100, "That is the sum. Divide it by the most that "
                                                                    "five documents can have."),
            ),
            f"With the grades 0 and 1 alone, normalised cumulated gain is precision at k. Like precision, it does "
            f"not see the order within the first k. P@{len(grades)}, with every grade above 0 as relevant, is "
            f"{number_text(sum(grade > 0 for grade in grades) / len(grades))} here.",
            _PAGE, state,
            (compared("CG", printed["cg"], table.cg, 0),
                compared("Normalised CG", printed["normalised_cg"], table.normalised_cg, 2)),
        ),
        Step(
            "The discount",
            "Readers rarely get far down. A gain at rank i is multiplied by 1 / log₂(i + 1).",
            work_out(
                f"By how much is a gain at rank {rank} multiplied? (to two decimals)", discount[rank - 1],
                f"1 / log₂ {rank + 1} = {number_text(float(discount[rank - 1]))}.",
                ("rank", 1 / rank, "You divided by the rank itself. The logarithm falls more slowly."),
                ("no shift", 1 / math.log2(rank), "You took the logarithm of the rank. One is added first, so that "
                                                  "rank 1 can count whole."),
                ("natural", 1 / math.log(rank + 1), "You took the natural logarithm. Use the one to base 2."),
                tolerance=0.006,
            ),
            "The discount falls quickly at the top and slowly later: from rank 1 to 2 it loses more than from 2 to 10.",
            _PAGE, state,
            (
                compared("Discount", printed["discount"], discount, 2, "One copy has 0.38 at rank 5; 1 / log₂ 6 is "
                                                                       "0.387."),
                compared("DCG", printed["dcg"], table.dcg, 2),
            ),
        ),
        Step(
            "The ideal list",
            f"A DCG is judged by dividing it by that of the ideal list. The collection holds {pool[3]} documents of "
            f"grade 3 and {pool[2]} of grade 2.",
            choose(
                "What are the first ten grades of the ideal list?", "3 five times, then 2 five times",
                {
                    ", ".join(map(str, sorted(grades, reverse=True))): "These are the ten grades of this list, "
                                                                       "sorted. The ideal list also holds the good "
                                                                       "documents that the search missed.",
                    "3 ten times": "There are only five documents of grade 3.",
                    "3, 2, 1, 0 and so on": "The ideal list holds all documents of the highest grade first.",
                },
                "The best ten documents of the collection in the best order.", at=2,
            ),
            "An ideal made from the retrieved documents alone forgives everything the search did not find.",
            _PAGE, state, (compared("Ideal DCG", printed["idcg"], table.idcg, 2),),
        ),
        Step(
            "nDCG",
            f"DCG at rank 10 is {number_text(float(table.dcg[-1]))}, that of the ideal list "
            f"{number_text(float(table.idcg[-1]))}.",
            work_out(
                "What is nDCG at rank 10? (to two decimals)", ndcg[-1],
                f"{number_text(float(table.dcg[-1]))} / {number_text(float(table.idcg[-1]))} = "
                f"{number_text(float(ndcg[-1]))}.",
                ("own ideal", float(alone.ndcg[-1]), "You sorted the ten grades of the list itself. The ideal list "
                                                     "comes from the whole collection."),
                ("no discount", float(table.normalised_cg[-1]), "That is cumulated gain without a discount."),
                ("exponential", float(powered.ndcg[-1]), "That is nDCG with the gain 2^grade − 1. Here a grade is "
                                                         "its own gain."),
            ),
            f"With the gain 2^grade − 1, nDCG would be {number_text(float(powered.ndcg[-1]))}: the missed documents "
            f"of grade 3 weigh more. A report must name the gain and the discount.",
            _PAGE, state, (compared("nDCG", printed["ndcg"], ndcg, 2),),
        ),
    )  # fmt: skip


@story("dcg-classic-10", "The original DCG", "Graded retrieval", "Do two programs mean the same DCG?")
def _classic() -> Steps:
    worked = example("dcg-classic-10")
    grades, printed = worked["input"]["grades"], worked["printed"]
    state = {"data": "graded_classic_10", "discount": "original"}
    table = graded_table(Hits.of_grades(grades), discount="original")
    newer = graded_table(Hits.of_grades(grades))
    bare = graded_table(Hits.of_grades([1, 0, 0]), discount="original")
    whole = graded_table(Hits.of_grades([1, 0, 0], [3, 3]), discount="original")
    rank, errata = 4, worked["errata"]
    dcg, idcg, ndcg = (float(column[rank - 1]) for column in (table.dcg, table.idcg, table.ndcg))
    return (
        Step(
            "An older discount",
            f"The first paper on DCG divides a gain by log₂ of its rank, and leaves ranks 1 and 2 as they are. The "
            f"grades are {', '.join(map(str, grades))}.",
            count(
                "What is DCG at rank 3? (to two decimals)", table.dcg[2],
                f"{grades[0]} + {grades[1]} + {grades[2]} / log₂ 3 = {number_text(float(table.dcg[2]))}.",
                ("sum", float(table.cg[2]), "You added the grades. The third one is divided by log₂ 3."),
                ("newer", float(newer.dcg[2]), "That is the newer discount 1 / log₂(i + 1), which lowers rank 2 "
                                               "already."),
                ("by rank", grades[0] + grades[1] + grades[2] / 3, "You divided by the rank. Divide by its logarithm."),
                tolerance=0.005,
            ),
            "Under this discount the order of the first two ranks does not matter. Two programs that both print DCG "
            "may mean different things.",
            _PAGE, state,
            (compared("Discounted gain", printed["discounted_gain"], table.discounted_gain, 2),
                compared("DCG", printed["dcg"], table.dcg, 2)),
        ),
        Step(
            "Against the ideal",
            f"DCG at rank {rank} is {number_text(dcg)}. Here the ideal list is the same ten grades, sorted; its DCG "
            f"at rank {rank} is {number_text(idcg)}.",
            work_out(
                f"What is nDCG at rank {rank}? (to three decimals)", ndcg,
                f"{number_text(dcg)} / {number_text(idcg)} = {number_text(ndcg)}.",
                ("as printed", printed["ndcg"][rank - 1], "The slides print this figure. Divide once more by hand."),
                ("newer", float(newer.ndcg[rank - 1]), "That is nDCG with the newer discount."),
                ("end of the ideal", dcg / float(table.idcg[-1]), "You divided by the ideal DCG at rank 10. Cut both "
                                                                  "lists at the same rank."),
                tolerance=0.002,
            ),
            "nDCG may fall and rise again down the list, because the ideal list collects its gain early and then "
            "waits.",
            _PAGE, state,
            (
                compared("Ideal DCG", printed["idcg"], table.idcg, 2, errata[1].replace("idcg", "IDCG")),
                compared("nDCG", printed["ndcg"], table.ndcg, 2, errata[0]),
            ),
        ),
        Step(
            "An ideal without the misses",
            "A search returns documents of the grades 1, 0, 0. It missed two of grade 3.",
            count(
                "What is its nDCG at rank 3 if the ideal list is made of its own three documents?", bare.ndcg[-1],
                "Sorted, the list stays as it is: it is its own ideal, and nDCG is 1.",
                ("whole collection", float(whole.ndcg[-1]), "That is nDCG against the whole collection. Here the "
                                                            "ideal holds only what was retrieved."),
                ("share of grades", 1 / 3, "You compared with the highest grade. The ideal list here holds no "
                                           "document of grade 3."),
                ("none", 0.0, "The one document with a grade stands at rank 1, so there is some gain."),
                tolerance=0.005,
            ),
            f"Against all judged documents nDCG is {number_text(float(whole.ndcg[-1]))}. An ideal cut to the "
            f"retrieved documents gives a search full marks for finding little.",
            _PAGE, state,
        ),
    )  # fmt: skip


@story(
    "print-errata", "Four slips in print", "Errata", "Would you have noticed?",
    "Lecture slides and textbooks on evaluation",
)  # fmt: skip
def _errata() -> Steps:
    shares, errors = np.array([0.5, 0.5]), np.array([1.0, -1.0, 3.0, -3.0])
    pair = DistributionPair(shares, shares)
    divergence, own = float(kl_divergence(pair)), float(entropy(pair))
    truth = np.zeros(len(errors))
    rmse, total = float(root_mean_squared_error(Estimates.from_arrays(truth, errors))), float((errors**2).sum())
    n = len(errors)
    never = ConfusionCounts(0, 0, 10, 9990)
    whole, own_list = (graded_table(Hits.of_grades([2, 1, 0], rest)) for rest in ([3], []))
    return (
        Step(
            "A divergence above zero?",
            "One script states KL(p‖q) > 0 for the Kullback–Leibler divergence. Take p and q equal: both give heads "
            "and tails ½.",
            count(
                "What is KL(p‖q)?", divergence, "Each term is p · ln(p/q) = p · ln 1 = 0.",
                ("entropy", own, "That is the entropy of p. KL is what q costs beyond it."),
                ("one", 1.0, "The ratio p/q is 1; the formula takes its logarithm."),
                ("two", 2.0, "Both ratios p/q are 1; the formula takes their logarithms."),
                tolerance=0.005,
            ),
            "KL(p‖q) ≥ 0, and it is 0 exactly where both distributions are equal.",
            "estimate/distributions", {"typed": "side; p; q\nheads; 1; 1\ntails; 1; 1"},
            (Comparison("KL of equal distributions", "> 0", number_text(divergence), "The print has > in place of "
                                                                                     "≥."),),
        ),
        Step(
            "A factor of two",
            f"One book writes E = Σ e² and the root mean square as √(2E/N). Four errors are "
            f"{', '.join(f'{error:g}'.replace('-', '−') for error in errors)}.",
            count(
                "What is the root mean squared error? (to two decimals)", rmse,
                f"√({total:g}/{n}) = {number_text(rmse)}.",
                ("as printed", math.sqrt(2 * total / n), "You followed the print. The factor 2 belongs to E = ½ Σ e²."),
                ("no root", total / n, "That is the mean squared error. Take its root."),
                ("no mean", math.sqrt(total), "You took the root of the sum. Divide by the number of errors first."),
                ("absolute", float(np.abs(errors).mean()), "That is the mean absolute error."),
                tolerance=0.01,
            ),
            "A definition and a formula that come from different pages of a book must be checked against each other "
            "with small numbers.",
            "learn/measures", {"measure": "root_mean_squared_error"},
            (Comparison("RMSE of the four errors", f"{math.sqrt(2 * total / n):.2f}", f"{rmse:.2f}",
                "With E = Σ e² the formula is √(E/N)."),),
        ),
        Step(
            "A precision of nothing",
            "A table of predictive values lists a test that never raised an alarm with PPV 0 %.",
            choose(
                "Is 0 % right?", "no, it is undefined",
                {
                    "yes: no alarm was right": "No alarm was wrong either. What would you divide by?",
                    "no, it is 100 %": "No alarm was wrong, but none was right either.",
                },
                "0 / 0 has no value.", at=1,
            ),
            "Here such a value is shown as undefined, with its reason, and a mean says how many it left out.",
            "classify/confusion", {"data": "always_negative"},
            (Comparison("PPV of 0 / 0", "0 %", "undefined" if math.isnan(float(precision(never))) else "0 %",
                "The share of nothing is not 0."),),
        ),
        Step(
            "An ideal cut short",
            "A search retrieves documents of the grades 2, 1, 0. The collection holds one of grade 3, which it "
            "missed. One table makes the ideal list of the retrieved documents alone.",
            count(
                "What is nDCG at rank 3, discount 1 / log₂(i + 1), against all judged documents? (to two decimals)",
                whole.ndcg[-1],
                f"{number_text(float(whole.dcg[-1]))} / {number_text(float(whole.idcg[-1]))}; the ideal list is 3, "
                f"2, 1.",
                ("own list", float(own_list.ndcg[-1]), "That is against its own documents. The ideal list starts "
                                                       "with the document of grade 3."),
                ("no discount", float(whole.cg[-1]) / 6, "You left out the discount."),
                ("one rank", 2 / 3, "You looked at rank 1 alone."),
                tolerance=0.005,
            ),
            "The ideal list is made of everything that was judged and only then cut at k. Cut before, it forgives "
            "what was missed.",
            "learn/measures", {"measure": "ndcg"},
            (Comparison("nDCG@3", f"{float(own_list.ndcg[-1]):.2f}", f"{float(whole.ndcg[-1]):.2f}",
                "The ideal list must not be cut to what was retrieved."),),
        ),
    )  # fmt: skip
