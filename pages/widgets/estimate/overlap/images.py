"""One image with its outcomes, and the list of images, the worst first."""

import pandas as pd
import streamlit as st

from evalcore.analyses import MASK_MEASURES, Overlap
from evalcore.figures import mask_colours, outcome_picture
from evalcore.wording import one_line, plain

from ...display.component import ELEMENT, PICTURE, WORDS, component
from ...display.figure import page_ink
from ...display.table import show_frame
from ...session import address
from ...session.entry_links import with_links

_COMPONENT = component("mask_overlay", __file__, ELEMENT, PICTURE, WORDS, "overlay.js", css="overlay.css")
KEY = "mask-overlay"


def show_image(overlap: Overlap) -> None:
    """The chosen image, at first the worst: its outcomes, wiped over the actual mask."""
    image = _chosen(overlap)
    st.markdown(f"**{plain(overlap.images.names[image], 60)}**")
    ground = page_ink().grid
    wipe = address.number("wipe", 100, 0, 100)
    outcomes = overlap.outcomes(image)
    _COMPONENT(
        key=KEY,
        data={
            "outcomes": outcome_picture(outcomes, ground), "actual": outcome_picture(outcomes, ground, actual=True),
            "wipe": wipe, "colours": mask_colours(ground), "name": one_line(overlap.images.names[image], 60),
            "note": overlap.image_note(image),
        },
        on_wipe_change=lambda: _put(st.session_state[KEY].get("wipe")),
    )  # fmt: skip
    st.caption(with_links(overlap.image_note(image)))


def show_images(overlap: Overlap) -> None:
    """A row per image, the worst first; a tick opens one."""
    if len(overlap.images.names) > 1:
        st.header("Images, worst first", anchor=False)
        frame = pd.DataFrame(dict(overlap.table))
        frame["image"] = [one_line(name, 60) for name in frame["image"]]
        number = st.column_config.NumberColumn
        columns = {name: number(format="%.3f") for name in MASK_MEASURES.values()}
        order = overlap.order.tolist()
        show_frame(
            frame, "images", "Measures of each image", columns, pick=lambda row: address.put("mask_image", order[row])
        )


def _chosen(overlap: Overlap) -> int:
    names, worst = overlap.images.names, int(overlap.order[0])
    image = address.choice("mask_image", [str(place) for place in range(len(names))], None)
    return worst if image is None else int(image)


def _put(wipe: object) -> None:
    if isinstance(wipe, (int, float)) and 0 <= wipe <= 100:
        address.put("wipe", int(wipe) if wipe != 100 else None)
