"""Sharing the page: who can open its link, and what to send instead where nobody else can."""

import streamlit as st

from evalcore.analyses import Source

from ..session.admission import is_shared, others_can_open
from ..session.current_dataset import samples

_COPY = '<p><button type="button" class="copy-link">Copy the link</button></p>'
_SERVE = (
    "To let others open it, serve Evalcore to them: set <code>server.address</code> and "
    "<code>server.allowedHosts</code> in <code>.streamlit/config.toml</code> (see docs/serving.md)."
)
_SEND = (
    "<p>Or send a <em>Report</em> (below <em>Data</em> in the menu): one file that opens anywhere. Texts, tables, "
    "pictures and numbers of this page are under <em>Take away</em>.</p>"
)


def show_share(current: Source) -> None:
    """A button that says who can open the link of the page, and copies it."""
    with st.popover("Share", icon=":material/link:", type="tertiary", key="share", width="content"):
        if others_can_open():
            upload = current.id not in samples()
            reads = "see this data set and this page, but not delete it" if upload else "see this page"
            words = f"<b>Who can reach this server can open the link</b>, {reads}."
        elif is_shared():
            words = (
                "<b>Only this machine can open this link</b>, as its address begins with this machine's own name. Open "
                "Evalcore under the name that others use, and copy the link there."
            )
        else:
            words = f"<b>Only this machine can open this link.</b> {_SERVE}{_SEND}"
        st.html(f"<p>{words}</p>{_COPY}")
