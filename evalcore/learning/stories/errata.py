"""A story of figures that are wrong in print, apart from those of the other stories."""

import math

import numpy as np

from evalcore.classification import ConfusionCounts, precision
from evalcore.estimation import DistributionPair, Estimates, entropy, kl_divergence, root_mean_squared_error
from evalcore.learning.questions import Comparison, Step
from evalcore.learning.stories.story import Story, choose, count
from evalcore.retrieval import Hits, graded_table
from evalcore.wording import number_text

__all__ = ["STORIES"]


def _errata() -> Story:
    shares, errors = np.array([0.5, 0.5]), np.array([1.0, -1.0, 3.0, -3.0])
    pair = DistributionPair(shares, shares)
    divergence, own = float(kl_divergence(pair)), float(entropy(pair))
    truth = np.zeros(len(errors))
    rmse, total = float(root_mean_squared_error(Estimates.from_arrays(truth, errors))), float((errors**2).sum())
    n = len(errors)
    never = ConfusionCounts(0, 0, 10, 9990)
    whole, own_list = (graded_table(Hits.of_grades([2, 1, 0], rest)) for rest in ([3], []))
    steps = (
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
    return Story(
        "print-errata",
        "Four slips in print",
        "Errata",
        "Would you have noticed?",
        "Lecture slides and textbooks on evaluation",
        steps,
    )


STORIES = (_errata(),)
