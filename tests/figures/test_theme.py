"""The frame of every picture, its colours, and the words for it."""

import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from evalcore.figures import describe
from evalcore.figures import graph_objects as go
from evalcore.figures.theme import (
    DARK,
    HUES,
    LIGHT,
    OUTCOMES,
    PERCENT_TICKS,
    STYLE_COLOURS,
    apply_frame,
    contrast,
    ink,
    letters_on,
    logo,
    mix,
    wordmark,
)
from evalcore.wording.numbers import count_text

PAGES = Path(__file__).parents[2] / "pages"


def test_a_picture_parts_thousands_as_the_text_beside_it_does() -> None:
    separators = apply_frame(go.Figure(), LIGHT, height=100).layout.separators
    assert separators == "." + count_text(1000)[1]


def test_a_picture_holds_no_template_of_plotly_and_reads_names_of_digits_as_names() -> None:
    """Plotly checks its own template anew for each figure, in ten times the time of all else."""
    template = apply_frame(go.Figure(go.Scatter(x=["10", "9"])), LIGHT, height=100).layout.template.to_plotly_json()
    assert set(template["layout"]) == {"autotypenumbers"}
    assert set(template["data"]) == {"bar", "scatter"}


HEX = re.compile("#[0-9a-f]{6}", re.IGNORECASE)
CODE = {"#11702f", "#4fb86a", "#8f4a00", "#f0a35e"}
"""Colours of strings and numbers in exported code, for light and dark."""


def is_coloured(colour: str) -> bool:
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return max(channels) - min(channels) > 0x30


def test_the_outcomes_and_the_accent_are_the_only_colours_and_stand_in_one_place() -> None:
    """Style sheets and scripts take them from the page, which takes them from here."""
    files = [path for ending in ("css", "js") for path in PAGES.rglob(f"*.{ending}")]
    literals = {colour.casefold() for path in files for colour in HEX.findall(path.read_text(encoding="utf-8"))}
    assert set(filter(is_coloured, literals)) == CODE


def test_an_outcome_has_its_colour_and_its_name_from_one_place() -> None:
    """So that a colour is changed in one file: shades, logo and texts follow."""
    folders = (PAGES, PAGES.parent / "evalcore", PAGES.parent / ".streamlit")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".md", ".svg", ".toml"}]
    for colour in OUTCOMES.values():
        (home,) = (path for path in files if colour in path.read_text(encoding="utf-8"))
        assert home.name == "theme.py"
    guide = (PAGES.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"Colours stand in `{home.relative_to(PAGES.parent)}`" in guide
    named = re.compile(rf"\b({'|'.join(HUES.values())})\b", re.IGNORECASE)
    assert not named.search((PAGES / "widgets/display/reading.md").read_text(encoding="utf-8"))


def test_words_on_the_colour_of_an_outcome_have_theirs_from_one_place() -> None:
    """Light words on dark areas and dark ones on light, whatever the colours become."""
    root = PAGES.parent
    files = [path for folder in (PAGES, root / "evalcore") for path in folder.rglob("*")]
    written = {path.name: path.read_text("utf-8") for path in files if path.suffix in {".py", ".css", ".js"}}
    for colour in (STYLE_COLOURS["on-plate"], STYLE_COLOURS["plate"]):
        assert [name for name, text in written.items() if colour.casefold() in text.casefold()] == ["theme.py"]
    for ground in (*OUTCOMES, "plate"):
        letters, other = STYLE_COLOURS[f"on-{ground}"], letters_on(STYLE_COLOURS[f"on-{ground}"])
        assert contrast(letters, STYLE_COLOURS[ground]) > max(4, contrast(other, STYLE_COLOURS[ground]))


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_words_of_pictures_can_be_read(colours) -> None:
    letters = [*colours.words.values(), colours.text, colours.grey, colours.accent]
    assert all(contrast(word, colours.paper) >= 4.5 for word in letters)
    tinted = mix(colours.paper, colours.accent, 0.14)  # under a curve or in a contour
    assert contrast(colours.grey, tinted) >= 4.5


def test_the_logo_has_the_colours_of_the_outcomes() -> None:
    assert set(HEX.findall(logo())) == set(OUTCOMES.values())


@pytest.mark.parametrize(("step", "ticks"), [(0.2, "20%"), (0.01, "1%"), (0.005, "0.5%"), (0.0001, "0.01%")])
def test_ticks_of_shares_have_the_decimals_that_tell_them_apart(step: float, ticks: str) -> None:
    for stop in PERCENT_TICKS["tickformatstops"]:
        low, high = stop["dtickrange"]
        if low <= step and (high is None or step <= high):
            assert format(step, stop["value"]) == ticks
            return
    raise AssertionError("no format")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_readme_shows_the_wordmark_as_it_is_drawn(scheme: str) -> None:
    file = PAGES.parent / ".github" / f"wordmark-{scheme}.svg"
    drawn = wordmark(ink(scheme == "dark").text)
    assert file.read_text(encoding="utf-8") == drawn, f"{file.name}: renew it as CONTRIBUTING says under colours"
    assert f".github/{file.name}" in (PAGES.parent / "README.md").read_text(encoding="utf-8")


def test_pictures_take_the_fonts_of_the_application_before_any_other() -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text(encoding="utf-8"))
    own = settings["theme"]["font"].removesuffix(", sans-serif")
    assert apply_frame(go.Figure(), LIGHT, 300).layout.font.family.startswith(f"{own}, ")


@pytest.mark.parametrize(
    ("trace", "words"),
    [
        ({"x": ["a", "b"], "y": np.array([2, 3])}, "W. 2 at a, 3 at b"),
        ({"x": [2, 3], "y": ["a", "b"], "orientation": "h", "name": "<b>N &lt;</b>"}, "W. N <: 2 at a, 3 at b"),
        ({"x": [3, 1, 2], "y": [4, 6, None]}, "W. 4 at 3, 6 at 1"),
        ({"x": [3, 1, 2], "y": [4, 6, 5]}, "W. 3 points, 4 to 6 at 1 to 3"),
        ({"z": [[1, None], [0.5, 2]]}, "W. 0.5 to 2"),
        ({"z": np.full((2, 2), math.nan)}, "W"),
        ({"x": [1, 2], "y": [1, 2], "hoverinfo": "skip"}, "W"),
        ({"x": [], "y": []}, "W"),
        ({"x": None, "y": [1]}, "W"),
    ],
)
def test_values_of_a_trace_follow_the_words(trace: dict, words: str) -> None:
    assert describe("W", [{"type": "scatter", **trace}, {"xaxis": {}}]) == words


def test_places_on_hidden_axes_are_no_values() -> None:
    trace = {"type": "scatter", "x": [1, 2], "y": [1, 2], "xaxis": "x2"}
    assert describe("W", [trace, {"yaxis": {"visible": False}}]) == "W"
