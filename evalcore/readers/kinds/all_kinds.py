"""The kinds of table. Adding one is a file in this folder and a row here.

Roles belong to the last kind in the table that has all it needs.
"""

from evalcore.readers.kinds.counts import COUNTS
from evalcore.readers.kinds.estimates import ESTIMATES
from evalcore.readers.kinds.kind import Kind
from evalcore.readers.kinds.label_scores import LABEL_SCORES
from evalcore.readers.kinds.label_sets import LABEL_SETS
from evalcore.readers.kinds.labels import LABELS
from evalcore.readers.kinds.probabilities import PROBABILITIES
from evalcore.readers.kinds.rankings import RANKINGS
from evalcore.readers.kinds.scores import SCORES
from evalcore.readers.kinds.unknown import UNKNOWN

__all__ = ["KINDS", "kinds_giving", "kinds_on"]

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (UNKNOWN, LABELS, SCORES, PROBABILITIES, LABEL_SETS, LABEL_SCORES, COUNTS, ESTIMATES, RANKINGS)
}
"""Every kind of table by its name."""


def kinds_giving(state: str) -> tuple[str, ...]:
    """The kinds of table that give a state, by the name of the method of `DataSet`.

    >>> kinds_giving("scored")
    ('scores', 'probabilities', 'label scores')
    """
    return tuple(name for name, kind in KINDS.items() if state in kind.states)


def kinds_on(page: str) -> tuple[str, ...]:
    """The kinds of table that a page can use.

    >>> kinds_on("retrieve/ranking")
    ('run + judgments',)
    """
    return tuple(name for name, kind in KINDS.items() if page in kind.pages)
