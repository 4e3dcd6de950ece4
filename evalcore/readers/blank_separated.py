"""Other texts as delimited ones: columns separated by blanks, as R, NumPy and pandas write them, and Weka's ARFF."""

from __future__ import annotations

import re

_DELIMITERS = re.compile(rb"[\t;|,]")
_SAMPLE, _LINES = 1 << 14, 50
_QUOTED = rb'"[^"\n]*"'
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|NA")
_FIELD = re.compile(rb'(?:"[^"\n]*"|[^\s"])+')
_ATTRIBUTE = re.compile(rb"@attribute\s+(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\s{]+))", re.IGNORECASE)
_ARFF = re.compile(rb"(?:\s*(?:%.*)?\n)*\s*@relation\b", re.IGNORECASE)


def with_arff_names(data: bytes) -> bytes:
    """An ARFF file as CSV with its names in the line of @data, so that lines keep their numbers; else the same text.

    >>> with_arff_names(b"@relation r\\n@attribute y {a,b}\\n@attribute 'p b' numeric\\n@data\\na,0.5\\n'b',?\\n")
    b'\\n\\n\\n"y","p b"\\na,0.5\\n"b",\\n'
    """
    start = re.search(rb"(?im)^[ \t]*@data\b.*$", data) if _ARFF.match(data[:_SAMPLE]) else None
    if start is None or data[start.end() :].lstrip().startswith(b"{"):  # sparse rows hold only what is not 0
        return data
    lines = data[: start.start()].splitlines()
    found = [match for line in lines if (match := _ATTRIBUTE.match(line.strip()))]
    names = b",".join(b'"%b"' % (match[1] or match[2] or match[3]) for match in found)
    rows = re.sub(rb"'([^'\n]*)'", rb'"\1"', data[start.end() :])
    rows = re.sub(rb"(?m)^%.*$|(?:(?<=,)|^)[ \t]*\?[ \t]*(?=,|\r?$)", b"", rows)
    return b"\n" * len(lines) + names + rows


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
