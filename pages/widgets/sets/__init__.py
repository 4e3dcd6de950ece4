"""Sets of documents, found and relevant."""
