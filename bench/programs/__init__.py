"""Programs that are measured, each in the Python that has what it needs."""
