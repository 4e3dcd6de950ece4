"""Tables that are not loaded: what this server may open, and opening the one behind a data set again."""

import os

from evalcore.engines import StoredTable, reopened
from evalcore.readers import Unloaded, open_folders

from .admission import is_shared
from .workspace import workspace


def path_folders() -> list[str]:
    """Folders whose files anybody may open by their path: ``EVALCORE_PATHS`` names them."""
    return open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared())


def reach(data: str, unloaded: Unloaded) -> StoredTable:
    """The table behind a data set. Raises ReadProblem where it may not be opened, or cannot."""
    return reopened(unloaded, path_folders(), workspace().file(data))
