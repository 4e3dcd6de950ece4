"""The glossary: an entry for every measure, term and message, relations of measures, and advice which to use."""

from .entries import *
