"""Merging classes: by hand, or labels that differ in case or blanks only; the groups stay in the address."""

from functools import partial

import streamlit as st

from evalcore.analyses import spelt_alike
from evalcore.classification import ConfusionMatrix
from evalcore.wording import label_markdown, label_text, plain

from ...session import address

_MEMBERS, _NAME = "members of a group", "name of a group"
_line = partial(label_text, limit=60)


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
    with st.popover("Merge classes", key="merge", icon=":material/merge:"):
        chosen = st.multiselect("Merge these classes", classes, key=_MEMBERS, format_func=_line, select_all=False)
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
