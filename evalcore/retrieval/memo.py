"""Steps that several measures share, computed once."""

from collections.abc import Callable, Hashable
from typing import Any

MOST = 64
"""Results that one state keeps; a curve over k asks for an ideal list at some forty cuts."""

_NOTHING = object()


def once(memo: dict[Hashable, Any], key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` returns, stored under a key; of too many the oldest is dropped."""
    result = memo.get(key, _NOTHING)
    if result is _NOTHING:
        result = make()
        while len(memo) >= MOST:
            memo.pop(next(iter(memo), None), None)
        memo[key] = result
    return result
