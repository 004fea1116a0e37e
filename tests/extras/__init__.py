"""Tests that need the extra `test-all`: `pytest tests/extras`."""
