"""Tables that are not loaded: what this server may open, and opening the one behind a data set again."""

import os
from collections.abc import Callable
from functools import partial

from evalcore.engines import StoredTable, reopened
from evalcore.readers import Unloaded, open_folders

from .admission import is_shared
from .connections import tables_of
from .workspace import workspace


def path_folders() -> list[str]:
    """Folders whose files anybody may open by their path: ``EVALCORE_PATHS`` names them."""
    return open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared())


def reach(data: str, unloaded: Unloaded) -> Callable[[], StoredTable]:
    """What opens the table behind a data set, from any thread. Raises ReadProblem where it may not be opened.

    So does what it returns, where the table cannot be opened.
    """
    if unloaded.way == "connection":
        return partial(tables_of(unloaded.address).open, unloaded.table or "")
    return partial(reopened, unloaded, path_folders(), workspace().file(data))
