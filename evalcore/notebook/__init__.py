"""Views that are alive in a notebook and in any page of HTML, without a server."""

from .view import *
