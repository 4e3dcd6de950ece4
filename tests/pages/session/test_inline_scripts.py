"""Scripts in line: what stands in a file is allowed, data never becomes a part of a script."""

import base64
import hashlib
import re

from streamlit import config

from pages.widgets.session.page_exit import script_hashes
from tests.pages.start.test_data import data_page

HOSTILE = "\"'><script>alert(1)</script>"


def test_every_script_of_a_page_is_one_that_the_policy_allows() -> None:
    bodies = "".join(element.proto.body for element in data_page(data="roc_20", t=HOSTILE).get("html"))
    scripts = re.findall("<script>(.*?)</script>", bodies, re.DOTALL)
    assert len(scripts) >= 3
    for text in scripts:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in script_hashes()


def test_the_csv_of_a_table_is_ours_which_writes_formulas_as_text() -> None:
    """The button of the table's own toolbar exports "=1+2" as it is; ours is tested with `csv_of`."""
    assert config.get_option("client.disableDataExport")
