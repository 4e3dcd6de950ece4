"""The last look at the texts of a figure before it is drawn: only markup that figures write themselves works."""

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

__all__ = ["escape_markup"]

_FOREIGN = re.compile(r'<(?!/?(?:b|i|extra)>|br>|span style="color:#[0-9A-Fa-f]{6}">|/span>)')

_HOLDS_TEXT = (str, dict, list, tuple, np.ndarray)


def escape_markup(parts: Iterable[dict[str, Any]]) -> None:
    """Replace, in every text of the traces and the layout of a figure, the ``<`` of any markup that is not ours.

    Names are escaped by `plotly_text` where they are written. What was forgotten there cannot become a link here.

    >>> trace = {"name": "<a href='http://e.com'>A</a>", "hovertemplate": "<b>%{x}</b><extra></extra>"}
    >>> escape_markup([trace])
    >>> trace
    {'name': "&lt;a href='http://e.com'>A&lt;/a>", 'hovertemplate': '<b>%{x}</b><extra></extra>'}
    """
    for part in parts:
        for name, value in part.items():
            part[name] = _escaped(value)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return _FOREIGN.sub("&lt;", value) if "<" in value else value
    if isinstance(value, dict):
        escape_markup([value])
    elif isinstance(value, np.ndarray) and value.dtype.kind in "OUS":
        return [_escaped(item) for item in value.tolist()]
    elif isinstance(value, (list, tuple)) and any(issubclass(kind, _HOLDS_TEXT) for kind in set(map(type, value))):
        return [_escaped(item) for item in value]
    return value
