"""Properties that hold for any entries and any bytes, tried out by hypothesis."""
