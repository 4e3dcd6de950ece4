"""What is done beside the visits: what nobody waits for is stopped; garbage, and what was deleted, leaves the memory.

Streamlit would collect all generations after every run; with 20 visitors that took most of the server's time. Python
goes on collecting young objects by itself, but what was frozen at the last rest waits for the next one.
"""

import asyncio
import gc

from evalcore.engines import end_unwanted

from .current_dataset import forget_deleted
from .internals import end_sessions, is_here

SECONDS, RESTS, BUSY = 5, (1, 26), 120
"""Between two looks; the quiet looks in a row after which it rests (the second when visits have ended); busy ones."""

_STIR = 3
"""Young collections between two looks up to which nobody is here: a health check makes some objects too."""


async def keep_house() -> None:
    """Rest whenever the server has been quiet for a while, and once in ten minutes where it never is."""
    quiet = busy = before = 0
    while True:
        await asyncio.sleep(SECONDS)
        end_unwanted(is_here)
        collections = gc.get_stats()[0]["collections"]
        quiet, before = (0 if collections > before + _STIR else quiet + 1), collections
        busy = 0 if quiet in RESTS else busy + bool(not quiet)
        if quiet in RESTS or busy >= BUSY:
            rest()
            busy = 0


def rest() -> None:
    """Let go of what was deleted or has ended, collect all garbage, and keep the rest out of the collector's way."""
    forget_deleted()
    end_sessions()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
