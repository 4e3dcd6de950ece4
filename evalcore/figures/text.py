"""Text on a figure that comes from a file: Plotly would read tags in it."""

import html


def plotly_text(text: object, limit: int = 60) -> str:
    """A name for a title, axis, legend or hover of a figure: its own characters, on one line, at most `limit` long.

    >>> plotly_text("<a href='http://e.com'>x</a>")
    "&lt;a href='http://e.com'&gt;x&lt;/a&gt;"
    """
    words = " ".join(str(text).split())
    short = words if len(words) <= limit else words[: limit - 1].rstrip() + "…"
    return html.escape("".join(filter(str.isprintable, short)), quote=False)
