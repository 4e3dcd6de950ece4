"""Two systems on the same rows: which two, how their scores are cut, and by what one is to be better."""

import math
from dataclasses import dataclass, replace

import streamlit as st

from evalcore import METRICS, MetricDef, measures_of
from evalcore.analyses import MOST_PROBABLE, Source, prediction_title, predictions_of
from evalcore.inference import METHODS, PairedClasses, PairedCounts
from evalcore.readers import ReadProblem, text_of
from evalcore.wording import as_noun, count_text, one_line, plain, seen

from ...controls.two_systems import choose_two
from ...controls.upload import choose_upload
from ...session import address
from ...session.current_dataset import found, open_data, samples_of
from ...session.loaded_scores import put_threshold, scores_of, threshold_of
from ...session.page_exit import end_page, end_with, need
from .paired_rows import CUTS, SameRows, is_one_scale, same_rows

KINDS = ("scores", "labels", "probabilities")
LEVELS = (0.8, 0.9, 0.95, 0.99)
MOST = 12
"""Systems that are compared at once."""

WAYS = {"first": "all against A", "pairs": "all pairs"}
"""Which comparisons are made where there are more than two systems."""

_CUT, _CLASS, _THRESHOLD = "compare cut", "compare class", "compare threshold"


@dataclass(frozen=True, eq=False)
class Contest:
    """Two systems and everything that was chosen to compare them.

    Parameters
    ----------
    current : Source
    a, b : str
        Come from a file: escape them.
    rows : SameRows
        What the two say of the rows that both have.
    target : str or None
        The class that is set against the rest; None compares all classes at once. Comes from a file: escape it.
    positive, negative : str
        The target and its rest in words. Come from a file: escape them.
    cut : str
        A key of `CUTS`, empty for labels.
    measure : MetricDef
        What the verdict goes by.
    level : float
    correction : str
        A key of `evalcore.inference.METHODS`.
    all_pairs : bool
        Whether all pairs of systems are compared, and not all against A.
    """

    current: Source
    a: str
    b: str
    rows: SameRows
    target: str | None
    positive: str
    negative: str
    cut: str = ""
    measure: MetricDef = METRICS["recall"]
    level: float = 0.95
    correction: str = "holm"
    all_pairs: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """All that could be compared."""
        return compared_systems(self.current)

    @property
    def drawn(self) -> tuple[str, ...]:
        """A, B and the first of the others, as many as are compared at once."""
        others = (name for name in self.systems if name not in (self.a, self.b))
        return (self.a, self.b, *others)[:MOST]

    @property
    def paired(self) -> PairedCounts:
        """The rows by what they are and what both say, where one class is set against the rest."""
        return self.rows.paired(self.target)

    @property
    def paired_classes(self) -> PairedClasses:
        """The same over all classes."""
        return self.rows.paired_classes()

    @property
    def key(self) -> str:
        """What is cached of these two is kept under it: the rows, the cut and the class, not the measure."""
        cut = repr(self.rows.thresholds) + self.cut
        return "\n".join((self.current.key_of(None), self.current.kind, self.a, self.b, cut, repr(self.target)))

    @property
    def measures(self) -> list[MetricDef]:
        """What the two can be compared by."""
        if self.target is None:
            return comparable("matrix")
        return comparable("counts") + (comparable("scores") if self.current.kind == "scores" else [])


def compared_systems(current: Source) -> tuple[str, ...]:
    """What can be set against each other."""
    return current.systems if current.kind == "scores" else predictions_of(current)


def comparable(family: str) -> list[MetricDef]:
    """The measures of a family by which two systems on the same rows can differ."""
    return [measure for measure in measures_of(family) if measure.paired_test]


def open_contest() -> Contest:
    """The two systems that are open and how they are compared; offers data where there are not two."""
    current = need(KINDS, "what two or more systems said of the same rows")
    if len(compared_systems(current)) < 2:
        _offer_pairs(current)
    try:
        return _chosen(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def name(system: str, limit: int = 40) -> str:
    """A system for places that read Markdown."""
    return plain(_word(system), limit)


def word(system: str, limit: int = 40) -> str:
    """A system for places that read no Markdown."""
    return one_line(_word(system), limit)


def of_class(label: str) -> str:
    """Rows of a class behind a number, in Markdown: "212 ill"; a label that is no everyday word is said to be one."""
    noun = as_noun(seen(label), 40)
    return f"rows that are {noun}" if noun.startswith("“") else noun


def said(measure: MetricDef) -> str:
    """A measure within a sentence: "recall", but "Matthews correlation"."""
    first, *others = measure.name.split(" ")
    keeps = not first.isalpha() or first[1:] != first[1:].lower() or first in _PEOPLE
    return measure.name if keeps else " ".join((first.lower(), *others))


_PEOPLE = ("Matthews", "Cohen", "Youden", "Fowlkes", "Jaccard", "Gini", "F")


def rows_note(contest: Contest) -> str:
    """Which rows the two are compared on and how they were cut, in Markdown."""
    rows, unit = contest.rows, plain(contest.current.unit)
    said_rows = f"Compared on the {count_text(len(rows.rows))} {unit} that both systems and the truth have"
    if rows.left_out:
        said_rows += f"; {count_text(rows.left_out)} {'is' if rows.left_out == 1 else 'are'} left out"
    if not rows.thresholds:
        return f"{said_rows}.{contest.current.weighting}"
    scores = [scores_of(contest.current, system) for system in (contest.a, contest.b)]
    a, b = (one.text(threshold) for one, threshold in zip(scores, rows.thresholds, strict=True))
    rule = scores[0].rule
    cut = f"Both call a row {as_noun(contest.positive, 40)} at scores {rule} {a}"
    cut += "" if contest.cut == "page" else f" (A) and {rule} {b} (B)"
    seen_twice = ""
    if contest.cut == "youden":
        seen_twice = (
            " Both thresholds were found on these very rows, which flatters both systems a little; the intervals don't "
            "know that."
        )
    return f"{said_rows}. {cut}.{seen_twice}{contest.current.weighting}"


def _word(system: str) -> str:
    return prediction_title(system) if system == MOST_PROBABLE else seen(system)


def _chosen(current: Source) -> Contest:
    with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
        a, b = _choose_two(current)
        cut = _choose_cut(current, a, b) if current.kind == "scores" else ""
        rows = same_rows(current, (a, b), cut or "page")
        target = rows.classes[1] if current.kind == "scores" else _choose_class(current, rows)
        contest = Contest(current, a, b, rows, target, *_words(current, a, rows, target), cut)
        return _with_settings(contest)


def _choose_two(current: Source) -> tuple[str, str]:
    systems = compared_systems(current)
    first = "said" if current.kind == "probabilities" else "system"
    a = address.choice(first, systems, systems[0])
    return a, choose_two(systems, a, first, "compare", word, 210)


def _choose_cut(current: Source, a: str, b: str) -> str:
    start = "page" if is_one_scale(current, (a, b)) else "flagged"
    st.session_state[_CUT] = cut = address.choice("cut", list(CUTS), start)
    st.selectbox(
        "Cut",
        list(CUTS),
        key=_CUT,
        format_func=CUTS.get,
        on_change=lambda: address.put("cut", st.session_state[_CUT]),
        width=250,
    )
    if cut != "youden":
        threshold = threshold_of(scores_of(current, a))
        st.session_state[_THRESHOLD] = threshold if math.isfinite(threshold) else None
        st.number_input(
            "Threshold" if cut == "page" else "Threshold of A",
            key=_THRESHOLD,
            value=None,
            format="%.6g",
            step=None,
            on_change=lambda: st.session_state[_THRESHOLD] is not None and put_threshold(st.session_state[_THRESHOLD]),
            width=130,
        )
    return cut


def _choose_class(current: Source, rows: SameRows) -> str | None:
    """The class that is set against the rest; asked where there are more than two."""
    classes = rows.classes
    if len(classes) < 3:
        positive = text_of(current.positive)
        return positive if positive in classes else (classes[-1] if classes else "")
    chosen = address.choice("class", classes)
    st.session_state[_CLASS] = classes.index(chosen) if chosen is not None else -1

    def put() -> None:
        place = st.session_state[_CLASS]
        address.put("class", classes[place] if place >= 0 else None)

    st.selectbox(
        "Classes",
        range(-1, len(classes)),
        key=_CLASS,
        format_func=lambda place: "all at once" if place < 0 else f"{one_line(seen(classes[place]), 30)} or not",
        on_change=put,
        width=170,
    )
    return chosen


def _words(current: Source, a: str, rows: SameRows, target: str | None) -> tuple[str, str]:
    if target is None:
        return "", ""
    if current.kind == "scores":
        return rows.classes[1], rows.classes[0]
    if len(rows.classes) == 2 and text_of(current.positive) == target:
        return current.class_names(a)
    rest = [other for other in rows.classes if other != target]
    return target, rest[0] if len(rest) == 1 else f"not {target}"


def _with_settings(contest: Contest) -> Contest:
    """By what one is to be better, how sure, and the correction."""
    by_key = {measure.key: measure for measure in contest.measures}
    start = "overall_accuracy" if contest.target is None else "recall"
    by = st.selectbox(
        "Better by",
        list(by_key),
        index=list(by_key).index(start),
        key="by",
        format_func=lambda key: by_key[key].name,
        bind="query-params",
        width=210,
    )
    ways = "first"
    with st.popover("Level and correction", width="content"):
        level = st.selectbox(
            "Level",
            LEVELS,
            index=LEVELS.index(0.95),
            key="level",
            format_func=lambda share: f"{100 * share:g} %",
            bind="query-params",
        )
        correction = st.selectbox(
            "Correction of p for several comparisons",
            list(METHODS),
            key="correction",
            format_func=lambda key: METHODS[key].capitalize() if key == "none" else METHODS[key],
            bind="query-params",
        )
        if len(contest.systems) > 2:
            ways = st.selectbox("Compared are", list(WAYS), key="against", format_func=WAYS.get, bind="query-params")
    return replace(
        contest,
        measure=by_key.get(by, by_key[start]),
        level=level if level in LEVELS else 0.95,
        correction=correction if correction in METHODS else "holm",
        all_pairs=ways == "pairs",
    )


def _offer_pairs(current: Source) -> None:
    """Say that one system cannot be compared, and offer what can."""
    with st.container(border=True):
        one = compared_systems(current)
        only = f"which has one: {name(one[0])}" if one else "which has none"
        st.markdown(
            f"**Comparing needs two systems on the same rows.** Open now is {plain(current.title)}, {only}. A second "
            "column of scores or of predictions beside the first is all it takes."
        )
        with st.container(horizontal=True):
            for sample in samples_of(("scores", "labels")):
                if len(found(sample.id).systems) > 1:
                    st.button(
                        plain(sample.title), key=f"offer {sample.id}", on_click=open_data, args=(sample.id,), wrap=True
                    )
        choose_upload("offer", "Or open a file of your own")
        st.page_link("pages/start/data.py", label="Choose other columns", query_params=address.parameters())
    end_page()
