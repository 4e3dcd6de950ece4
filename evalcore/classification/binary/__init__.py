"""Two classes: counts, scores with every threshold, their measures, curves, costs and groups."""

from .areas import *
from .axis import *
from .choice import *
from .clusters import *
from .costs import *
from .counts import *
from .curves import *
from .indices import *
from .scores import *
