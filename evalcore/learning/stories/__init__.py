"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

from . import classes, counts, rankings, scores
from .story import *

_ROOMS = (counts, scores, classes, rankings)
STORIES: dict[str, Story] = {story.id: story for room in _ROOMS for story in room.STORIES}
