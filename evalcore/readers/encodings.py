"""Bytes as text: UTF-8, UTF-16 or Windows-1252, whichever the bytes allow."""

from __future__ import annotations

import codecs

from evalcore.readers.problems import Finding, ReadProblem, named

_SAMPLE = 4096
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

USUAL_FORMATS = "CSV, Excel, JSON or Parquet"
"""The formats that a refused file is told to use."""


def utf8(data: bytes, name: str) -> tuple[bytes, list[Finding]]:
    """A text file as UTF-8 without a byte order mark, and a finding if its encoding was guessed."""
    encoding, mark = next(((name, mark) for mark, name in _MARKS if data.startswith(mark)), (_utf16(data), b""))
    data = data[len(mark) :]
    if encoding != "utf-8":
        return _recoded(data, encoding, name), []
    if b"\0" in data or _is_binary(data[:_SAMPLE]):
        raise no_table(name)
    if data.isascii():
        return data, []
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # five bytes are undefined in Windows-1252; Latin-1 takes any byte
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        line = data.count(b"\n", 0, error.start) + 1
        sentence = f"The text is not UTF-8 (first in line {line}) and was read as Windows-1252 (Latin-1). "
        sentence += "If accents look wrong, save the file as UTF-8."
        return text.encode("utf-8"), [Finding("info", sentence, 1)]
    return data, []


def no_table(name: str, what: str = "not a table that Evalcore can read") -> ReadProblem:
    """The problem of a file in no known format."""
    return ReadProblem(f"{named(name)} is {what}. Save the table as {USUAL_FORMATS} and open that.")


def _recoded(data: bytes, encoding: str, name: str) -> bytes:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ReadProblem(
            f"{named(name)} looks like {encoding[:6].upper()} text, but is damaged. Save it again as UTF-8."
        ) from error
    if "\0" in text:
        raise no_table(name)
    return text.encode("utf-8")


def _utf16(data: bytes) -> str:
    """UTF-16 without a byte order mark, recognized by zeros in every second byte of Western text; or else UTF-8."""
    head = data[:_SAMPLE]
    half = len(head) // 2
    if half < 2 or len(data) % 2:
        return "utf-8"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.8 * half and not even:
        return "utf-16-le"
    if even > 0.8 * half and not odd:
        return "utf-16-be"
    return "utf-8"


def _is_binary(head: bytes) -> bool:
    """Whether it has many control bytes, unlike text."""
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1a" for byte in head)
    return controls * 50 > len(head)
