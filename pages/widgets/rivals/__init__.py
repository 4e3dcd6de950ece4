"""Rankings of several systems compared over the same queries."""
