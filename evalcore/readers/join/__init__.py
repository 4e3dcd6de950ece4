"""Several files as one data set, and the samples."""

from .face_tables import *
from .files_together import *
from .joining import *
from .masks import *
