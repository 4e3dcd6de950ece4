"""The parts of Streamlit we use that it does not promise to keep; a test of each says what broke."""

from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager

__all__ = ["ask_nobody", "settle_menu"]


def settle_menu() -> None:
    """Never look for pages in the folder called ``pages``: ``st.navigation`` names them all."""
    PagesManager.uses_pages_directory = False


def ask_nobody() -> None:
    """Don't ask an outside address for this machine's own, which Streamlit does to judge a foreign Origin."""
    net_util.get_external_ip = lambda: None
