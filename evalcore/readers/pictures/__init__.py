"""Images, and the texts and images of documents and queries."""

from .faces import *
