"""Properties that hold for any entries and any bytes, tested with Hypothesis."""
