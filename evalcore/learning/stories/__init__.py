"""Worked examples of the literature as stories: a question first, then what evalcore computes, then the print."""

from . import classes, counts, errata, few_counts, grades, labels, rankings, score_order, scores, systems
from .story import *

_ROOMS = (counts, few_counts, labels, systems, scores, score_order, classes, rankings, grades, errata)
STORIES: dict[str, Story] = {story.id: story for room in _ROOMS for story in room.STORIES}
