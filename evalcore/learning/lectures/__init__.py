"""Lectures: their steps, the lessons, the rooms of a class and the receipts of answers."""

from .lectures import *
from .markdown import *
from .rooms import *
