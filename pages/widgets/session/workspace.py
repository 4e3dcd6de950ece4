"""The workspace: the folder that keeps uploads, so that they survive a reload and a restart."""

import os
from pathlib import Path

import streamlit as st

from evalcore.readers import Workspace

FOLDER = Path(__file__).parents[3] / ".workspace"
MEGABYTE = 1_000_000


@st.cache_resource
def workspace() -> Workspace:
    """The workspace of this server: ``EVALCORE_WORKSPACE`` names its folder, ``EVALCORE_WORKSPACE_MB`` its limit."""
    folder = os.environ.get("EVALCORE_WORKSPACE") or FOLDER
    return Workspace.of_settings(folder, os.environ.get("EVALCORE_WORKSPACE_MB") or "2000")
