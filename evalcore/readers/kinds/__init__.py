"""Kinds of table: the roles, the findings and the states of each, and the table of all of them.

Adding one is a file in this folder, and its import and its place in `KINDS` here.
"""

from evalcore.registry.pages import PAGES

from .counts import *
from .estimates import *
from .kind import *
from .label_sets import *
from .labels import *
from .masks import *
from .probabilities import *
from .rankings import *

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (UNKNOWN, LABELS, SCORES, PROBABILITIES, LABEL_SETS, LABEL_SCORES, COUNTS, ESTIMATES, MASKS, RANKINGS)
}
"""Every kind of table by its name. Roles belong to the last kind here that has all it needs."""


def kinds_giving(state: str) -> tuple[str, ...]:
    """The kinds of table that give a state, by the name of the method of `DataSet`."""
    return tuple(name for name, kind in KINDS.items() if state in kind.states)


def kinds_on(page: str) -> tuple[str, ...]:
    """The kinds of table that a page can use."""
    return tuple(name for name in KINDS if name in PAGES[page].kinds)
