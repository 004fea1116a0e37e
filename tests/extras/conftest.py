"""Fixtures of the tests that need the extra `test-all`."""

from tests.extras.browser import browser

__all__ = ["browser"]
