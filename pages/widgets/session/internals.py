"""The parts of Streamlit and Plotly we use that they do not promise to keep; a test of each says what broke."""

from plotly.graph_objects import Figure
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager

__all__ = ["ask_nobody", "figure_parts", "settle_menu"]


def settle_menu() -> None:
    """Never look for pages in the folder called ``pages``: ``st.navigation`` names them all."""
    PagesManager.uses_pages_directory = False


def ask_nobody() -> None:
    """Don't ask an outside address for this machine's own, which Streamlit does to judge a foreign Origin."""
    net_util.get_external_ip = lambda: None


def figure_parts(figure: Figure) -> list[dict]:
    """The traces and the layout of a figure, to be changed in place: Plotly's own access copies and checks them."""
    return [*figure._data, figure._layout]
