"""How numbers and names are written: in sentences, tables and figures alike."""
