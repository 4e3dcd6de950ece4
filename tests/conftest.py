"""What all tests share: nothing they do may touch the uploads of whoever runs them."""

import os
import tempfile

os.environ["EVALCORE_WORKSPACE"] = tempfile.mkdtemp(prefix="evalcore-tests-")
