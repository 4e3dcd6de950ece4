"""The square table that is open: which prediction it counts, the order of its classes, and those that are merged."""

from functools import partial

import numpy as np
import streamlit as st

from evalcore.analyses import MOST_PROBABLE, ClassTable, Source, prediction_origin, predictions_of, spelt_alike
from evalcore.classification import ConfusionMatrix, order_by_error, order_by_name, order_by_size
from evalcore.inference import clustered_order
from evalcore.readers import ReadProblem
from evalcore.wording import label_markdown, label_text, plain, short_names
from pages.widgets.controls.intervals import bound
from pages.widgets.session import address
from pages.widgets.session.loaded_scores import COUNTABLE, label_pairs_of, scores_of, threshold_of
from pages.widgets.session.page_exit import end_with, need

_WAYS = {
    "by name": order_by_name, "by size": order_by_size, "by error": order_by_error, "clustered": clustered_order,
}  # fmt: skip
ORDERS = ("as given", *_WAYS, "by hand")
"""What can be chosen; each is its own word in the address."""

_MEMBERS, _NAME = "members of a group", "name of a group"
_line = partial(label_text, limit=60)


def open_classes() -> ClassTable:
    """The table of classes of the open data; offers data when nothing fits, and says why when it cannot be used."""
    current = need(COUNTABLE, "labels with predictions, class probabilities, or a square table of counts")
    try:
        prediction = choose_prediction(current)
        pairs = label_pairs_of(current, prediction)
        scores = None if current.scored_by in (None, "class") else scores_of(current, current.system)
        at = None if scores is None else (scores, threshold_of(scores))
        table = ClassTable.of(current, prediction, pairs, address.names("groups"), at)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    if not table.groups:
        address.refuse("groups")
    return table


def show_origin_of_classes(table: ClassTable) -> None:
    """Where the predictions come from, and what makes numbers undefined."""
    origin = "Counts as in the file; the rows behind them are not known."
    if table.pairs is not None:
        origin = prediction_origin(table.current, table.prediction, table.pairs, table.at)
    st.caption(" ".join((origin, *table.gaps)))


def choose_prediction(current: Source) -> str | None:
    """The prediction in use; asks where the data has probabilities beside a stated prediction."""
    names = predictions_of(current)
    if current.scored_by != "class" or len(names) < 2:
        return names[0] if current.scored_by == "class" else current.system
    return bound(
        st.segmented_control, "The predicted class is", "said", address.choice("said", names, MOST_PROBABLE), names,
        write=lambda name: name and address.put("said", name),
        format_func=lambda name: "the most probable" if name == MOST_PROBABLE else f"as stated in {plain(name, 40)}",
        required=True,
    )  # fmt: skip


def choose_order() -> str:
    """Ask for the order; it stays in the address."""
    return st.selectbox(
        "Order", ORDERS, key="order", bind="query-params", width=140,
        help="Clustered lays classes beside each other that are taken for one another, so that they form blocks. "
        "By size: those with most rows first. By error: those found least often first.",
    )  # fmt: skip


def ordered(table: ClassTable, order: str) -> ClassTable:
    """The table with its classes in the order; by hand, ask which come first."""
    if order == "by hand":
        return table.led_by(_choose_first(table))
    return table.ordered(_places(f"{table.key}\n{order}", order, _table=table)) if order in _WAYS else table


def _choose_first(table: ClassTable) -> list[str]:
    names = list(dict.fromkeys(name for part in address.names("first")[:1] for name in part if name in table.classes))
    if not names:
        address.refuse("first")
    return bound(
        st.multiselect, "First, in this order", "first", names, table.classes, key="classes that come first",
        write=lambda chosen: address.put_names("first", [chosen] if chosen else []),
        format_func=short_names(table.classes).get, select_all=False, width=320,
    )  # fmt: skip


@st.cache_data(max_entries=64, show_spinner="Ordering the classes …")
def _places(key: str, order: str, _table: ClassTable) -> np.ndarray:
    return _WAYS[order](_table.matrix)


def show_spellings(matrix: ConfusionMatrix) -> None:
    """Offer to merge labels that differ in case or blanks only, all with one click."""
    alike = spelt_alike(matrix)
    if not alike:
        return
    examples = "; ".join(" and ".join(f"“{label_markdown(name, 24)}”" for name in names[:3]) for names in alike[:3])
    more = f" (and {len(alike) - 3} more)" if len(alike) > 3 else ""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="spellings"):
        st.markdown(
            f"**Labels differ only in case or blanks:** {examples}{more}. They count as different classes.",
            width="stretch",
        )
        st.button("Merge them", key="merge spellings", on_click=_merge_all, args=(alike,))


def choose_groups(classes: tuple[str, ...], groups: dict[str, str]) -> None:
    """Ask which classes to merge, and under what name; list the groups with the way back."""
    short = short_names(classes, 40)
    with st.popover("Merge classes", key="merge", icon=":material/merge:"):
        chosen = st.multiselect("Merge these classes", classes, key=_MEMBERS, format_func=short.get, select_all=False)
        name = st.text_input("Under the name", key=_NAME, max_chars=80, placeholder=" + ".join(map(_line, chosen))[:80])
        taken = name in classes and name not in chosen
        if taken:
            st.caption("Another class has that name. Merge it too, or choose another name.")
        unfit = len(chosen) < 2 or taken
        st.button("Merge", key="merge chosen", on_click=_merge, args=(chosen, name), disabled=unfit)
        for group in dict.fromkeys(groups.values()):
            with st.container(horizontal=True, vertical_alignment="center"):
                members = ", ".join(label_markdown(old, 24) for old, new in groups.items() if new == group)
                st.markdown(f"**{plain(group, 40)}**: {members}", width="stretch")
                st.button("Split", key=f"split {group}", on_click=_split, args=(group,))
        if groups:
            st.button("Split all groups", key="split all", on_click=_put, args=([],))


def _merge(chosen: list[str], name: str) -> None:
    _put(_with_members(chosen, name.strip() or " + ".join(map(_line, chosen))[:80]))
    st.session_state[_MEMBERS], st.session_state[_NAME] = [], ""


def _merge_all(alike: list[tuple[str, ...]]) -> None:
    for names in alike:
        _put(_with_members(names, names[0]))


def _with_members(chosen: list[str] | tuple[str, ...], name: str) -> list[list[str]]:
    """The groups with one more; a group that is merged again gives its members to the new one."""
    groups = {old: members for old, *members in address.names("groups")}
    others = [[old, *members] for old, members in groups.items() if old not in chosen]
    return [*others, [name, *(member for one in chosen for member in groups.get(one, [one]))]]


def _split(group: str) -> None:
    _put([list(one) for one in address.names("groups") if one[0] != group])


def _put(lists: list[list[str]]) -> None:
    address.put_names("groups", lists)
    for key in ("cell", "class", "beside"):
        address.put(key, None)
