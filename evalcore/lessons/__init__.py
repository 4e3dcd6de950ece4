"""Lessons as one HTML file that needs no server: question, guess, answer, diagnosis, what-if and receipt."""

from .lesson import *
