"""A page that ends early, because what it needs is not there.

``st.stop`` asks the whole run to stop, and nothing can be drawn after it, not even the mark of a complete run; this
ends the page alone.
"""

from typing import NoReturn


class PageEnded(Exception):
    """Raised by a part of a page that has said all there is to say; app.py catches it."""


def end_page() -> NoReturn:
    """End the page here."""
    raise PageEnded
