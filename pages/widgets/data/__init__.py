"""What the data page shows of a table: how it came in, its roles, its findings."""
