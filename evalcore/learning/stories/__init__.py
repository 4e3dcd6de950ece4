"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

from . import classes, counts, errata, labels, rankings, scores, systems
from .story import *

_ROOMS = (counts, labels, systems, scores, classes, rankings, errata)
STORIES: dict[str, Story] = {story.id: story for room in _ROOMS for story in room.STORIES}
