"""Debian's Chromium for tests of pages."""

import os
import shutil
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

__all__ = ["Scheme", "assert_accessible", "browser"]

Scheme = Literal["light", "dark"]


def assert_accessible(page: Page, width: int, options: dict[str, Any] | None = None) -> None:
    """Check that the page violates no rule of axe and fits into the width."""
    result = Axe().run(page, options=options)
    assert [] == result.response["violations"], result.generate_report()
    assert width >= page.evaluate("document.documentElement.scrollWidth")


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
