"""Results that all sessions share: each is made once under its key, and only read."""

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

Result = TypeVar("Result")


def cache(make: Callable[..., Result], most: int, spinner: str | bool = False) -> Callable[..., Result]:
    """A function that takes a key before the arguments of `make`; the results of so many keys stay.

    The key holds whatever the result depends on. The arguments themselves may be too large to be compared.
    """

    def made(key: object, _arguments: tuple) -> Result:
        return make(*_arguments)

    # Streamlit tells caches apart by the name and the text of their function; lambdas may share a name and a line.
    code = make.__code__
    made.__module__, made.__qualname__ = make.__module__, f"{make.__qualname__} {code.co_firstlineno} {code.co_names}"
    cached = st.cache_resource(max_entries=most, show_spinner=spinner)(made)
    # Named arguments, since Streamlit looks up the name of any other at each call.
    return lambda key, *arguments: cached(key=key, _arguments=arguments)
