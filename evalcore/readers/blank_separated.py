"""Tables whose columns are separated by blanks, as R, NumPy and MATLAB write them, and as pandas prints them."""

from __future__ import annotations

import re

_DELIMITERS = re.compile(rb"[\t;|,]")
_SAMPLE, _LINES = 1 << 14, 50
_QUOTED = rb'"[^"\n]*"'
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|NA")
_FIELD = re.compile(rb'(?:"[^"\n]*"|[^\s"])+')


def tabbed(data: bytes) -> bytes:
    """The text with a tab for the blanks between fields, if blanks separate its columns; else the text as it is.

    >>> tabbed(b'"actual" "score"\\n"1" "very ill" 0.5\\n"2" "well" .25\\n')
    b'\\t"actual"\\t"score"\\n"1"\\t"very ill"\\t0.5\\n"2"\\t"well"\\t.25\\n'
    >>> tabbed(b"a,b\\n1 2,3\\n"), tabbed(b"Some words\\nthat are no table\\n")
    (b'a,b\\n1 2,3\\n', b'Some words\\nthat are no table\\n')
    """
    head = data[:_SAMPLE]
    lines = [line for line in head.splitlines()[: _LINES + 1] if line.strip() and not line.startswith(b"#")]
    lines = lines[:-1] if len(data) > len(head) and len(lines) > 1 else lines
    bare = re.sub(_QUOTED, b'""', b"\n".join(lines))
    if len(lines) < 2 or _DELIMITERS.search(bare):
        return data
    fields = [_FIELD.findall(line) for line in lines]
    names, rows = fields[0], fields[1:]
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows) or len(names) not in (width, width - 1):
        return data
    numbers = [field for line in fields for field in line if _NUMBER.fullmatch(field)]
    has_names = len({*names}) == len(names) and not any(map(_NUMBER.fullmatch, names))
    if not numbers or not (has_names or len(numbers) == width * len(fields)):
        return data
    data = re.sub(rb"(?m)^[ ]+|[ ]+(?=\r?$)", b"", data)
    if b'"' in data:
        data = re.sub(rb'("[^"\n]*")|[ ]+', lambda match: match[1] or b"\t", data)
    else:
        data = re.sub(rb"[ ]+", b"\t", data)
    if len(names) == width:
        return data
    start = re.match(rb"(?:#.*\n|\s*\n)*", data)  # the header leaves out the names of the rows
    return data[: start.end()] + b"\t" + data[start.end() :] if start else data
