"""Debian's Chromium for tests of pages."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

__all__ = ["browser"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start Chromium; it is required in CI."""
    path = shutil.which("chromium")
    if path is None and "CI" not in os.environ:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
