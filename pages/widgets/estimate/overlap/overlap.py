"""The masks that are open, how they are compared, and the means over the images."""

import pandas as pd
import streamlit as st

from evalcore.analyses import EMPTY_RULES, MASK_MEASURES, Overlap, OverlapSettings, Source
from evalcore.figures import mask_colours, outcome_picture, threshold_curve
from evalcore.readers import ReadProblem, kinds_on, open_masks, read_files
from evalcore.wording import Column, one_line, plain
from pages.widgets.controls.fields import choose, number, segmented
from pages.widgets.controls.intervals import choose_level
from pages.widgets.display.figure import ELEMENT, PICTURE, component, page_ink, show_figure, show_frame, show_table
from pages.widgets.display.page import controls, statistics
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, store
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import need, usable

_TYPES = ["png", "tif", "tiff", "npy", "npz", "zip"]
_overlap = cache(lambda *parts: Overlap(*parts), 16)


def choose_masks() -> Source:
    """The open masks; without any the page offers samples and the upload."""
    return need(kinds_on("estimate/overlap"), "two masks per image, the actual and the predicted one", _show_upload)


def choose_overlap(current: Source) -> Overlap:
    """Ask for the label and the threshold, and under *Statistics* for the rule for empty masks and a pixel's size."""
    with usable(ReadProblem):
        images = current.dataset.state("mask_images")
    with controls():
        labels, threshold = [str(label) for label in images.labels], 0.5
        label = choose("Label", "mask_label", labels, labels[0], width=120) if len(labels) > 1 else labels[0]
        if images.are_probabilities:
            threshold = st.slider(
                "Threshold", 0.01, 0.99, 0.5, 0.01, key="mask_threshold", bind="query-params", width=300,
                help="Pixels with at least this probability belong to the region",
            )  # fmt: skip
        with st.popover("Open other masks", icon=":material/upload:", type="tertiary"):
            _show_upload()
    with statistics():
        level = choose_level()
        empty = segmented(
            "Two empty masks count as", list(EMPTY_RULES), "empty_rule",
            help="Dice, Jaccard, precision and recall are 0/0 where neither mask has a pixel.",
        )  # fmt: skip
        sides = {"height": "In the unit wanted for distances, such as mm", "width": "In the same unit"}
        size = tuple(
            float(number(f"Pixel {side}", f"pixel_{side}", 0.0, 1e12, 1.0, None, "%.4g", help=words) or 1.0)
            for side, words in sides.items()
        )
    settings = OverlapSettings(int(label), empty, size, threshold if 0 < threshold < 1 else 0.5, level)
    with st.spinner("Measuring the masks …"):
        overlap = _overlap((current.key, settings), current, settings)
        _ = overlap.values
    return overlap


def show_masks(overlap: Overlap) -> None:
    """An image beside the means over all; of probability maps, the mean Dice at each threshold too."""
    picture, numbers = st.columns([5, 6], gap="large")
    with picture:
        _show_image(overlap)
    with numbers:
        show_table(overlap.heads, overlap.rows, "averages distances")
        if overlap.images.are_probabilities:
            alt = "Mean Dice by the threshold of the probabilities"
            show_figure(threshold_curve(overlap, page_ink()), key="dice-thresholds", alt=alt)
            st.caption(with_links(overlap.threshold_note))


def _show_upload() -> None:
    with st.form("masks", border=False):
        sides = [
            st.file_uploader(label, _TYPES, accept_multiple_files=True, key=f"masks {label}")
            for label in ("Actual masks", "Predicted masks")
        ]
        st.caption(
            "PNG, TIFF, NPY, NPZ or a zip of them. The two masks of an image have the same name; one zip with two "
            "folders will do. Predicted masks may be probabilities."
        )
        pressed = st.form_submit_button("Compare the masks")
        if pressed and not any(sides):
            st.warning("Choose the files of both sides, or one zip first.")
        elif pressed:
            try:
                truth, given = ({file.name: file.getvalue() for file in files} for files in sides)
                data = open_masks(truth, given) if all(sides) else read_files(truth or given)
                store(data)
            except ReadProblem as problem:
                st.error(plain(problem, 600))
            else:
                st.toast(f"{one_line(data.name, 40)}: {len(data)} pairs of masks")
                st.rerun()


_COMPONENT = component("mask_overlay", __file__, ELEMENT, PICTURE, "overlay.js")


def _show_image(overlap: Overlap) -> None:
    """The chosen image, at first the worst: its outcomes, wiped over the actual mask."""
    names = overlap.images.names
    chosen = address.choice("mask_image", [str(place) for place in range(len(names))])
    image = int(overlap.order[0]) if chosen is None else int(chosen)
    st.markdown(f"**{plain(names[image], 60)}**")
    ground, outcomes = page_ink().grid, overlap.outcomes(image)
    data = {
        "outcomes": outcome_picture(outcomes, ground), "actual": outcome_picture(outcomes, ground, actual=True),
        "wipe": address.number("wipe", 100, 0, 100), "colours": mask_colours(ground),
        "name": one_line(names[image], 60), "note": overlap.image_note(image),
    }  # fmt: skip
    _COMPONENT("mask-overlay", data, wipe=_put)
    st.caption(with_links(overlap.image_note(image)))


def show_images(overlap: Overlap) -> None:
    """A row per image, the worst first; a click opens one."""
    if len(overlap.images.names) > 1:
        st.header("Images, worst first", anchor=False)
        frame = pd.DataFrame(dict(overlap.table))
        frame["image"] = [one_line(name, 60) for name in frame["image"]]
        columns, order = dict.fromkeys(MASK_MEASURES.values(), Column(3)), overlap.order.tolist()
        open_image = lambda row: address.put("mask_image", order[row])  # noqa: E731
        show_frame(frame, "images", "Measures of each image", columns, pick=open_image)


def _put(wipe: object) -> None:
    if isinstance(wipe, (int, float)) and 0 <= wipe <= 100:
        address.put("wipe", int(wipe) if wipe != 100 else None)
