"""The pages of the dashboard: what each is called, which question it answers and which kinds of table it can show.

Adding one is a row of `PAGES`, in the order of the menu; the tests say what it still lacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["PAGES", "STEPS", "Page", "name_of_today", "page_at"]

STEPS = "Step by step"  # the fold that goes through a curve; the address holds how far


@dataclass(frozen=True, eq=False)
class Page:
    """One row of the table of pages."""

    name: str  # section and file: "classify/curves" stands in pages/classify/curves.py
    title: str  # in the menu, over the page and over its chapter of a report
    question: str
    path: str  # in the address
    # The kinds of table that it can show, each with the place of the page among those offered for the kind. A page of
    # any kind has a chapter in reports.
    kinds: Mapping[str, int] = field(default_factory=dict)
    parts: str = ""  # the key of the address that holds which of its parts is open
    folds: Mapping[str, str] = field(default_factory=dict)  # titles of its parts in order, and what finds them too
    words: str = ""  # by which it is found, besides title and question
    heading: str = ""  # over the page, where it is not the title
    finds: bool = False  # a finding stands over it; over the others their question
    once: str = ""  # the name of a page that is part of it now; its address leads here

    @property
    def section(self) -> str:
        """The section of the menu, such as "Classify"."""
        return self.name.partition("/")[0].capitalize()

    def address_of(self, fold: str) -> dict[str, str]:
        """What the address says where one of its folds is open."""
        return {"gone": "1"} if fold == STEPS else {self.parts: fold}

    @property
    def old_path(self) -> str:
        """The path of the page that is part of it now, empty without one."""
        return self.once.rpartition("/")[2]


PAGES: dict[str, Page] = {
    page.name: page
    for page in (
        Page("start/home", "Home", "How good is your model, and where should you draw the line?", "",
             heading="Evalcore", finds=True),
        Page("start/data", "Data", "Was my file read correctly?", "data"),
        Page("start/report", "Report", "What can I hand to somebody else?", "report"),
        Page("classify/confusion", "Confusion matrix", "Is this a good test?", "confusion",
             kinds={"labels": 1, "scores": 5, "probabilities": 3, "label sets": 2, "label scores": 4, "counts": 1},
             finds=True),
        Page("classify/classes", "Classes", "Which class is confused with which?", "classes",
             kinds={"labels": 2, "probabilities": 2, "label sets": 1, "label scores": 1, "counts": 2},
             parts="classes_part", finds=True, once="classify/multilabel", folds={
                 "All classes": "", "Overall measures": "", "Two classes side by side": "",
                 "What differs by more than chance": "", "Groups": "", "Slices": "", "Compare systems": ""}),
        Page("classify/threshold", "Threshold", "Where should I set the threshold?", "threshold",
             kinds={"scores": 1, "probabilities": 6, "label scores": 2}, parts="part", finds=True, folds={
                 "If costs are not known": "cost ratio", "Two thresholds": "risk–coverage curve referral abstain",
                 "Pins": "compare two thresholds McNemar",
                 "Certainty": "resampling", "Resampling": "class weights", "In use": "decision curve net benefit",
                 "Records": "", "Groups": "fairness", "Slices": ""}),
        Page("classify/curves", "Curves", "How good are the scores at every threshold?", "curves",
             kinds={"scores": 2, "probabilities": 4, "label scores": 3}, parts="curve", finds=True,
             folds={STEPS: "ROC curve"}, words="ROC precision–recall gain lift KS DET cost curve"),
        Page("classify/compare", "Compare systems", "Is B really better than A?", "compare",
             kinds={"labels": 3, "scores": 4, "probabilities": 5, "counts": 3}, parts="compare_part", finds=True,
             folds=dict.fromkeys(
                 ("All measures", "All systems", "Threshold-free", "Groups"), "")),
        Page("classify/probabilities", "Probabilities", "Can I believe the probabilities?", "probabilities",
             kinds={"scores": 3, "probabilities": 1}, parts="probabilities_part", finds=True, folds={
                 "Worst rows": "", "Brier score in parts": "calibration refinement", "Each class": "", "Costs": "",
                 "Recalibrate": "Platt isotonic"}, words="calibration curve reliability diagram"),
        Page("retrieve/sets", "Sets", "What was found, and what was missed?", "sets", kinds={"run + judgments": 2},
             finds=True),
        Page("retrieve/ranking", "Ranking", "Are the relevant documents at the top?", "ranking",
             kinds={"run + judgments": 1}, parts="list_part", finds=True,
             folds={"Edit this list": "", "GMAP and ties": "", STEPS: "precision–recall curve"}),
        Page("retrieve/graded", "Graded relevance", "Are the best documents at the top?", "graded",
             kinds={"run + judgments": 3}, parts="graded_part", finds=True,
             folds={"Rank by rank": "DCG", "Edit this list": ""}),
        Page("retrieve/compare", "Compare rankings", "Which system ranks better?", "compare-rankings",
             kinds={"run + judgments": 4}, parts="rankings_part", finds=True, folds={
                 "All comparisons": "", "Query by query": "", "Judgments": "unjudged", "Variance and power": ""}),
        Page("estimate/regression", "Regression", "How far off is it?", "regression",
             kinds={"estimates": 1}, parts="regression_part", finds=True, folds={
                 "Distribution": "histogram of errors", "Bland–Altman": "agreement",
                 "Prediction intervals": "coverage", "Decision": "", "Compare systems": "", "Losses": "",
                 "Other columns": "", "Groups": ""}),
        Page("estimate/overlap", "Overlap", "How much do two masks agree?", "overlap", kinds={"masks": 1}, finds=True),
        Page("estimate/distributions", "Distributions", "How far apart are two distributions?", "distributions",
             kinds={"unknown": 1, "labels": 4, "scores": 6, "probabilities": 7, "estimates": 2},
             parts="distribution_part", finds=True, folds={
                 "Transport plan": "earth mover", "How many bins": "", "Smoothing": "", "Bins": ""}),
        Page("learn/examples", "Examples", "What would you have decided?", "examples"),
        Page("learn/playground", "Playground", "What makes a curve?", "playground", finds=True),
        Page("learn/challenges", "Challenges", "Can you do it?", "challenges", parts="challenges_part"),
        Page("learn/measures", "Measures", "What does this number mean?", "measures"),
        Page("learn/lecture", "Lecture", "How do I teach it?", "lecture"),
    )
}  # fmt: skip
"""Every page by its name, in the order of the menu."""


def page_at(path: str) -> str:
    """The name of the page at a path in the address; empty where there is none."""
    return next((page.name for page in PAGES.values() if path in (page.path, page.old_path or page.path)), "")


def name_of_today(page: str) -> str:
    """The name of a page in `PAGES`, also of one that is part of another now."""
    return next((one.name for one in PAGES.values() if page and page == one.once), page)
