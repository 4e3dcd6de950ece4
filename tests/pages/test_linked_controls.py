"""A link carries every setting: each control that changes a page writes into the address, or belongs to a form."""

import ast
from pathlib import Path

import pytest

from evalcore.readers import samples
from tests.pages.retrieve.test_graded import graded

WIDGETS = Path(__file__).parents[2] / "pages" / "widgets"
CONTROLS = {"selectbox", "toggle", "checkbox", "segmented_control", "radio", "pills", "slider", "select_slider"}
CONTROLS |= {"number_input", "text_input", "multiselect"}
FORMS = {
    "classify/classes/class_matrix.py": "classes to merge, until they are merged",
    "classify/probabilities/probabilities.py:_ask": "a cell of the costs, until its cost is written",
    "export/downloads.py": "the format of saved pictures, which changes nothing in them",
    "learn/steps.py": "an answer, until it is checked",
    "classify/threshold/records.py": "a record, until it is kept",
    "controls/upload.py": "a path, until it is opened",
    "learn/lecture/compose.py": "a step, until it is added, which puts it into the link",
    "learn/lecture/lecture.py": "a name, which gives a seed and stays out of the link",
    "learn/lecture/opened.py": "the code of a room, until it is joined; names and receipts, which stay out of the link",
    "start/data/data.py": "a step, until it is taken",
    "start/data/unloaded.py": "a path and a table, until it is opened; a search among stored data sets",
}
"""Files, or a function of one, with fields of a form, whose button writes what was filled in."""


def unlinked(file: Path) -> list[int]:
    """Lines of controls that are drawn directly and are not bound to the address."""
    name, lines = str(file.relative_to(WIDGETS)), []
    asked = [
        node
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if f"{name}:{getattr(node, 'name', '')}" not in FORMS
    ]
    for call in (part for node in asked for part in ast.walk(node)):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr not in CONTROLS:
            continue
        given = {keyword.arg for keyword in call.keywords}
        # A callback writes what one of the sidebar says, and reads the file anew.
        if not given & {"bind", "on_change", None}:
            lines.append(call.lineno)
    return lines


@pytest.mark.parametrize("file", sorted(WIDGETS.rglob("*.py")), ids=lambda file: str(file.relative_to(WIDGETS)))
def test_every_control_stands_in_the_link(file: Path) -> None:
    name = str(file.relative_to(WIDGETS))
    assert bool(unlinked(file)) == (name in FORMS), f"{name}: lines {unlinked(file)} draw a control without an address"


def test_a_link_to_a_sample_alone_opens_it_with_the_settings_of_its_source() -> None:
    assert samples()["graded_classic_10"].settings == {"discount": "original"}
    alone = graded("graded_classic_10")
    assert alone.segmented_control(key="discount of a rank").value == "original"
    alone.segmented_control(key="discount of a rank").set_value("log").run()
    assert alone.query_params["discount"] == "log"
    assert alone.segmented_control(key="discount of a rank").value == "log"
