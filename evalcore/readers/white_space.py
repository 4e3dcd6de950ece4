"""Any white space between fields, rewritten as single blanks."""

from __future__ import annotations

import re

import numpy as np

_BLOCK = 1 << 24
_BLANK = np.zeros(256, dtype=bool)
_BLANK[list(b" \t\v\f\r")] = True
_NEWLINE = 10


def single_blanks(data: bytes) -> bytes:
    """Lines with one blank between fields and none around them; comments become empty lines.

    Examples
    --------
    >>> single_blanks(b"  q1 \\t d1\\r\\n# note\\nq1\\td2  \\n")
    b'q1 d1\\n\\nq1 d2\\n'
    """
    # Line endings of Windows and of old Macs; a file may have both.
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    parts, start = [], 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK)
        end = len(data) if end < 0 else end + 1
        parts.append(_tidied(np.frombuffer(data, np.uint8, end - start, start)))
        start = end
    return re.sub(rb"(?m)^#[^\n]*", b"", b"".join(parts))


def _tidied(text: np.ndarray) -> bytes:
    blank = _BLANK[text]
    before = np.empty_like(blank)
    before[0], before[1:] = True, blank[:-1] | (text[:-1] == _NEWLINE)
    # First every blank after another or at the start of a line, then those left at the ends of lines.
    keep = ~(blank & before)
    text, blank = text[keep], blank[keep]
    behind = np.empty_like(blank)
    behind[-1], behind[:-1] = True, text[1:] == _NEWLINE
    keep = ~(blank & behind)
    return np.where(blank, ord(" "), text)[keep].astype(np.uint8).tobytes()
