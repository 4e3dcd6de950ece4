"""A table that is too large for the clipboard says so, and is a file in every format."""

from streamlit.testing.v1 import AppTest


def page() -> None:
    import numpy as np
    import pandas as pd

    from pages.widgets.export.downloads import choose_formats, show_copy, show_download

    table = pd.DataFrame({"row": np.arange(2_000), "<b>": np.arange(2_000)})
    choose_formats()
    show_copy(table)
    show_copy(table.head(3))
    show_download("Rows as CSV", table, "rows.csv", "rows")


def test_a_large_table_is_a_file_in_every_format() -> None:
    test = AppTest.from_function(page).run()
    assert not test.exception
    assert [one.value for one in test.caption if one.value.startswith("Too large to copy")]
    assert len(test.get("html")) == 1
    (formats,) = (one for one in test.get("button_group") if one.label == "Table format")
    assert [*formats.options] == ["CSV", "Markdown", "LaTeX", "HTML"]
    formats.set_value("HTML").run()
    assert test.get("download_button")[0].proto.label == "Rows as HTML"
