"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

from . import counts
from .story import *

STORIES: dict[str, Story] = {story.id: story for room in (counts,) for story in room.STORIES}
