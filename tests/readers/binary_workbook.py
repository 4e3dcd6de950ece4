"""A workbook in the binary format of Excel 97: its records in a stream of a compound file, written by hand."""

import struct

import pandas as pd

_SECTOR, _SMALL = 512, 4096
_END, _FAT, _FREE = 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF


def xls(frame: pd.DataFrame) -> bytes:
    """A frame of texts and numbers as the only sheet of a workbook."""
    rows = [list(frame.columns), *frame.itertuples(index=False)]
    texts = list(dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, str)))
    cells = b""
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            at = struct.pack("<HHH", row, column, 0)
            if isinstance(value, str):
                cells += _record(0x00FD, at + struct.pack("<I", texts.index(value)))
            elif value == value and value is not None:
                cells += _record(0x0203, at + struct.pack("<d", value))
    strings = b"".join(struct.pack("<HB", len(text), 1) + text.encode("utf-16-le") for text in texts)
    shared = _record(0x00FC, struct.pack("<II", len(texts), len(texts)) + strings)
    size = _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, frame.shape[1], 0))
    sheet = _begin(0x0010) + size + cells + _record(0x000A)
    start = _begin(0x0005) + _record(0x0042, struct.pack("<H", 1200))
    name = struct.pack("<BB", 4, 0) + b"data"
    place = len(start) + len(_record(0x0085, bytes(6) + name)) + len(shared) + len(_record(0x000A))
    start += _record(0x0085, struct.pack("<IBB", place, 0, 0) + name) + shared + _record(0x000A)
    return _compound("Workbook", start + sheet)


def _record(kind: int, content: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _begin(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0, 1997, 0, 6))


def _compound(name: str, content: bytes) -> bytes:
    """A compound file of one stream, too long for the sectors of small ones."""
    content = content.ljust(_SMALL, b"\0")
    sectors = -(-len(content) // _SECTOR)
    # the table of sectors is in the first, the directory in the second, and the stream in the others
    table = [_FAT, _END, *range(3, sectors + 2), _END]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    header += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, _SMALL, _END, 0, _END, 0)
    header += struct.pack("<I", 0) + struct.pack("<I", _FREE) * 108
    entries = _entry("Root Entry", 5, 1, _END, 0) + _entry(name, 2, _FREE, 2, len(content)) + bytes(256)
    fat = b"".join(struct.pack("<I", next_one) for next_one in table).ljust(_SECTOR, b"\xff")
    return header + fat + entries + content.ljust(sectors * _SECTOR, b"\0")


def _entry(name: str, kind: int, below: int, start: int, size: int) -> bytes:
    title = name.encode("utf-16-le")
    links = struct.pack("<III", _FREE, _FREE, below)
    entry = title.ljust(64, b"\0") + struct.pack("<HBB", len(title) + 2, kind, 1) + links + bytes(36)
    return entry + struct.pack("<IQ", start, size)
