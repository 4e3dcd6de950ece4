"""Steps that several measures share, worked out once."""

from collections.abc import Callable, Hashable
from typing import Any

MOST = 64
"""Results that are kept for one state; a curve over k asks for an ideal list at some forty cuts."""

_NOTHING = object()


def once(kept: dict[Hashable, Any], key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` returns, kept under a key; of many the oldest is forgotten.

    Examples
    --------
    >>> kept = {}
    >>> once(kept, "two", lambda: 2), once(kept, "two", lambda: 3), len(kept)
    (2, 2, 1)
    """
    found = kept.get(key, _NOTHING)
    if found is _NOTHING:
        found = make()
        while len(kept) >= MOST:
            kept.pop(next(iter(kept), None), None)
        kept[key] = found
    return found
