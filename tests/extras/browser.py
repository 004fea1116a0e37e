"""A browser for the tests of pages: Debian's Chromium."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

__all__ = ["browser"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start a browser; in CI it must be there."""
    path = shutil.which("chromium")
    if path is None and "CI" not in os.environ:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
