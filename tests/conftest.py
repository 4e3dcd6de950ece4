"""What all tests share: nothing they do may touch the uploads of whoever runs them."""

import gc
import os
import tempfile
from functools import cache

from streamlit.components.v2 import manifest_scanner

os.environ["EVALCORE_WORKSPACE"] = tempfile.mkdtemp(prefix="evalcore-tests-")

# Each page under test looks for components in every installed package, which takes longer than the page itself. One
# look is enough: no package of ours brings any.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def pytest_collection_finish() -> None:
    """Take what is loaded out of the garbage collector's way, as the server does: each run of a page collects."""
    gc.collect()
    gc.freeze()
