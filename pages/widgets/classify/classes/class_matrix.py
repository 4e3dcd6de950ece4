"""The square table that is open: which prediction it counts, the order of its classes, and those that are merged."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from evalcore import analyses, figures
from evalcore.classification import ConfusionMatrix, order_by_error, order_by_name, order_by_size, top_confusions
from evalcore.inference import IntervalChoice, clustered_order
from evalcore.wording import count_text, label_markdown, label_text, plain, share_text, short_names
from pages.widgets.classify.confusion.confusion import CELL, show_counts
from pages.widgets.controls.fields import bound, choose, segmented, select
from pages.widgets.controls.intervals import choose_actual_in_rows
from pages.widgets.display.drawer import close_rows, open_rows, opened_rows, show_drawer
from pages.widgets.display.figure import ELEMENT, PICTURE, component, page_ink
from pages.widgets.export.downloads import show_copy
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import COUNTABLE, label_pairs_of, scores_of, threshold_of
from pages.widgets.session.page_exit import need, usable

_WAYS = {"by name": order_by_name, "by size": order_by_size, "by error": order_by_error, "clustered": clustered_order}
ORDERS = ("as given", *_WAYS, "by hand")  # what can be chosen; each is its own word in the address
_MEMBERS, _NAME = "members of a group", "name of a group"
_line = partial(label_text, limit=60)


def open_classes() -> analyses.ClassTable:
    """The table of classes of the open data; offers data when nothing fits, and says why when it cannot be used."""
    current = need(COUNTABLE, "labels with predictions, class probabilities, or a square table of counts")
    with usable():
        prediction = choose_prediction(current)
        pairs = label_pairs_of(current, prediction)
        scores = None if current.scored_by in (None, "class") else scores_of(current, current.system)
        at = None if scores is None else (scores, threshold_of(scores))
        table = analyses.ClassTable.of(current, prediction, pairs, address.names("groups"), at)
    if not table.groups:
        address.refuse("groups")
    return table


def show_origin_of_classes(table: analyses.ClassTable) -> None:
    """Where the predictions come from, and what makes numbers undefined."""
    origin = "The file holds counts, not rows." if table.pairs is None else table.origin
    st.caption(" ".join((origin, *table.gaps)))


def choose_prediction(current: analyses.Source) -> str | None:
    """The prediction in use; asks where the data has probabilities beside a stated prediction."""
    names = analyses.predictions_of(current)
    if current.scored_by != "class" or len(names) < 2:
        return names[0] if current.scored_by == "class" else current.system
    probable = analyses.MOST_PROBABLE
    words = lambda name: "the most probable" if name == probable else f"as stated in {plain(name, 40)}"  # noqa: E731
    chosen = address.choice("said", names, probable)
    look = {"format_func": words, "required": True, "key": "prediction control"}
    return bound(st.segmented_control, "The predicted class is", "said", chosen, names, **look)


def choose_shown() -> str:
    """Ask what the cells show; it stays in the address."""
    return select("Cells show", figures.SHOWN, "show", width=140)


def choose_order() -> str:
    """Ask for the order; it stays in the address."""
    about = "By size: largest first. By error: lowest recall first. Clustered: confused classes form blocks."
    return select("Order", ORDERS, "order", width=120, help=about)


def ordered(table: analyses.ClassTable, order: str) -> analyses.ClassTable:
    """The table with its classes in the order; by hand, ask which come first."""
    if order == "by hand":
        return table.with_first(_choose_first(table))
    return table.ordered(_places((table.key, order), order, table)) if order in _WAYS else table


def _choose_first(table: analyses.ClassTable) -> list[str]:
    names = list(dict.fromkeys(name for part in address.names("first")[:1] for name in part if name in table.classes))
    if not names:
        address.refuse("first")
    return bound(
        st.multiselect, "First, in this order", "first", names, table.classes, key="classes that come first",
        write=lambda chosen: address.put_names("first", [chosen] if chosen else []),
        format_func=short_names(table.classes).get, select_all=False, width=320,
    )  # fmt: skip


_places = cache(lambda order, table: _WAYS[order](table.matrix), 64, "Ordering the classes …")


def show_spellings(matrix: ConfusionMatrix) -> None:
    """Offer to merge labels that differ in case or blanks only, all with one click."""
    if not (alike := analyses.spelt_alike(matrix)):
        return
    examples = "; ".join(" and ".join(f"“{label_markdown(name, 24)}”" for name in names[:3]) for names in alike[:3])
    more = f" (and {len(alike) - 3} more)" if len(alike) > 3 else ""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="spellings"):
        words = f"**Labels differ only in case or blanks:** {examples}{more}. They count as different classes."
        st.markdown(words, width="stretch")
        merge = lambda: [_put_group(names, names[0]) for names in alike]  # noqa: E731
        st.button("Merge them", key="merge spellings", on_click=merge)


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
                kept = [list(one) for one in address.names("groups") if one[0] != group]
                st.button("Split", key=f"split {group}", on_click=_put, args=(kept,))
        if groups:
            st.button("Split all groups", key="split all", on_click=_put, args=([],))


def _merge(chosen: list[str], name: str) -> None:
    _put_group(chosen, name.strip() or " + ".join(map(_line, chosen))[:80])
    st.session_state[_MEMBERS], st.session_state[_NAME] = [], ""


def _put_group(chosen: Sequence[str], name: str) -> None:
    """Write one more group; one that is merged again gives its members to the new one."""
    groups = {old: members for old, *members in address.names("groups")}
    others = [[old, *members] for old, members in groups.items() if old not in chosen]
    _put([*others, [name, *(member for one in chosen for member in groups.get(one, [one]))]])


def _put(lists: list[list[str]]) -> None:
    address.put_names("groups", lists)
    close_cell()
    address.put("class", None)


_SCRIPTS = (ELEMENT, PICTURE, *figures.CELLS_SCRIPTS)
_COMPONENT = component("class_cells", __file__, *_SCRIPTS, css=figures.CELLS_STYLE, html=figures.CELLS_ELEMENT)
MOST = 8  # confusions that are listed


def choose_look(shown: str) -> figures.Look:
    """Ask how the cells are shaded and which way the table lies; all of it stays in the address."""
    with st.popover("Picture", key="look", icon=":material/palette:"):
        scale = segmented("Colour scale", ("linear", "log"), "scale")
        about = "For shares: makes the colours of two pictures comparable."
        look = {"disabled": shown == figures.SHOWN[0], "help": about}
        fixed = st.toggle("Colour scale from 0 to 100 %", key="fixed", bind="query-params", **look)
        actual_in_rows = choose_actual_in_rows()
        errors = st.toggle("Errors only", key="errors", bind="query-params")
    return figures.Look(shown, scale == "log", errors, fixed, actual_in_rows)


def show_cells(table: analyses.ClassTable, look: figures.Look, differences: analyses.ClassDifferences | None) -> None:
    """Draw the matrix, or the difference of two systems in the same classes; a click picks a cell or a class."""
    ink, compared = page_ink(), differences and (differences.b, differences.level)
    picture = _picture((table.key, look, ink, compared), table, look, differences, ink)
    cell, name, beside = picked_cell(table), address.choice("class", table.classes), second_class(table)
    alt = figures.matrix_description(len(table.classes), look, differences is not None)
    draw_cells(picture, table, cell if look.actual_in_rows or cell is None else cell[::-1], (name, beside), alt, _pick)
    if differences is None:
        show_copy(table.columns(look.actual_in_rows))


def draw_cells(
    picture: dict, table: analyses.ClassTable | analyses.LabelGrid, cell: Sequence[str] | None,
    marked: Sequence[str | None], alt: str, pick: Callable[[str | None, str | None], None],
) -> None:  # fmt: skip
    """Draw a picture of two classes or labels per cell, one cell and the marked names outlined; a click goes to pick.

    The cell is given as in the picture, line first; `pick` gets the actual or first name, then the other.
    """
    now = figures.cell_names(table.classes, table.current.unit, cell, marked)
    in_rows = picture["axes"][0] != "predicted"
    _COMPONENT("cells", picture | now | {"alt": alt}, pick=lambda sent: pick(*table.picked(sent, in_rows)))


def matrix_map(table: analyses.ClassTable) -> object:
    """The matrix for a card, in light colours; None of too many classes."""
    few = len(table.classes) <= figures.MOST_MAPPED
    return figures.confusion_map_figure(table.matrix, figures.ink(dark=False)) if few else None


def picked_cell(table: analyses.ClassTable | analyses.LabelGrid) -> tuple[str, ...] | None:
    """The actual and the predicted class of the cell that is open, if the address names one of this table."""
    cell = opened_rows(CELL, 2)
    return cell if cell and {*cell} <= {*table.classes} else None


def second_class(table: analyses.ClassTable) -> str | None:
    """The class beside it, if there is one."""
    return address.choice("beside", table.classes)


def pick_cell(actual: str, predicted: str) -> None:
    """Open a cell, and with it the collapse of its classes; good as a callback."""
    open_rows(CELL, actual, predicted)
    address.put("class", actual)
    address.put("beside", predicted if predicted != actual else None)


def pick_class(name: str | None) -> None:
    """Open the collapse of a class, or the table of all; good as a callback."""
    if opened_rows(CELL, 2) or address.text("beside") == name:
        close_cell()
    address.put("class", name)


def _pick(actual: str | None, predicted: str | None) -> None:
    if actual is not None and predicted is not None:
        pick_cell(actual, predicted)
    elif name := actual or predicted:
        pick_class(name)


def _draw(
    table: analyses.ClassTable, look: figures.Look, differences: analyses.ClassDifferences | None, ink: figures.Ink
) -> dict:
    if differences is not None:
        note = {"note": "A dot marks a difference beyond chance."}
        return figures.difference_picture(differences.cells, look, differences.level, ink) | note
    picture = figures.matrix_picture(table.matrix, look, ink)
    return picture | {"scale": [end | {"words": end["palette"]} for end in picture["scale"]]}


_picture = cache(_draw, 32)  # one of 500 classes is two megabytes, and only read, so all sessions share it


def show_rows(table: analyses.ClassTable | analyses.LabelGrid) -> None:
    """The rows of the cell that is picked; nothing where no cell is."""
    if (cell := picked_cell(table)) is None:
        return
    actual, predicted = cell
    count = float(table.matrix.counts[table.classes.index(actual), table.classes.index(predicted)])
    if table.pairs is None:
        show_drawer(f"{table.cell_text(actual, predicted, count_text(count))} The file holds counts, not the rows.")
        return
    rows = table.rows_of(actual, predicted)
    are_rows = table.pairs.weights is None or table.current.roles.get("weights_are") == "counts"
    written = count_text(count) if are_rows else f"{count_text(len(rows))} ({count_text(count)} by weight)"
    words = table.cell_text(actual, predicted, written)
    predicted_by = table.prediction if isinstance(table, analyses.ClassTable) else None
    columns = predicted_by or table.current.system, table.current.roles.get("actual")
    show_drawer(analyses.RowSelection(table.current, words, rows, columns))


def close_cell() -> None:
    """Close the rows of a cell, and the second class that came with it."""
    close_rows()
    address.put("beside", None)


def show_top_confusions(table: analyses.ClassTable) -> None:
    """The most frequent errors, the largest first."""
    st.markdown("**Largest confusions** :small[:gray[actual → predicted, count and share of the class]]")
    cells = [(one.actual, one.predicted, one.count, one.share) for one in top_confusions(table.matrix, MOST)]
    show_cell_links(cells, table.classes, "→", "confusion", pick_cell, "No class is confused with another.")


def show_cell_links(
    cells: Sequence[tuple[str, str, float, float]], classes: Sequence[str], between: str, key: str,
    pick: Callable[[str, str], None], none: str,
) -> None:  # fmt: skip
    """Two names for each cell with its count and share, or words where there is none; a click picks the cell."""
    if not cells:
        st.caption(none)
        return
    short = short_names(classes)
    with st.container(key="confusions", horizontal=True):
        for index, (one, two, count, share) in enumerate(cells):
            st.button(
                f"**{plain(short[one])} {between} {plain(short[two])}**\u2002"
                f":small[:gray[{count_text(count)} · {share_text(share)}]]",
                key=f"{key} {index}", type="tertiary", wrap=True, on_click=pick, args=(one, two),
                help=None if (short[one], short[two]) == (one, two) else f"{plain(one)} {between} {plain(two)}",
            )  # fmt: skip


def choose_class(table: analyses.ClassTable) -> str | None:
    """Ask for the class that is set against the rest; it stays in the address, and None is all of them."""
    look = {"write": pick_class, "key": "class on this page", "format_func": short_names(table.classes).get}
    return choose("Class against the rest", "class", table.classes, None, index=None, placeholder="All classes", **look)


def show_class(
    table: analyses.ClassTable, name: str, intervals: IntervalChoice, actual_in_rows: bool, which: str = "a class"
) -> None:
    """The 2×2 of a class against the rest."""
    show_counts(table.one_vs_rest(name), intervals, actual_in_rows, key=f"frame of {which}", fixed=True)


TWO = "Two classes side by side"


def show_two_classes(table: analyses.ClassTable, first: str, intervals: IntervalChoice, actual_in_rows: bool) -> None:
    """The 2×2 of the class beside that of a second one, which stays in the address."""
    others = [name for name in table.classes if name != first]
    look = {"format_func": short_names(table.classes).get, "placeholder": "Choose a class", "width": 210}
    second = choose("Second class", "beside", others, None, index=None, key="second class on this page", **look)
    both = (("the first class", first), ("the second class", second)) if second else ()
    for column, (which, name) in zip(st.columns(2, gap="medium"), both, strict=False):
        with column:
            st.markdown(table.one_vs_rest(name).origin)
            show_class(table, name, intervals, actual_in_rows, which)
