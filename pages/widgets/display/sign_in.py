"""Sign-in, where the server asks for it: an ``[auth]`` section in .streamlit/secrets.toml, by Streamlit's OpenID."""

import streamlit as st

from evalcore.wording import plain


def let_in() -> bool:
    """Whether the visitor may see the pages, with a button to sign in or out: always true without ``[auth]``."""
    if "is_logged_in" not in st.user:
        return True
    if st.user["is_logged_in"]:
        st.sidebar.button("Sign out", on_click=st.logout, help=plain(st.user.get("email") or "You are signed in"))
        return True
    st.title("Evalcore", anchor=False)
    st.markdown("This server asks you to sign in.")
    st.button("Sign in", on_click=st.login, type="primary")
    return False
