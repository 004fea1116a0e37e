"""Files that have nothing to do with sitemapx do not disturb it."""

from pathlib import Path

import pytest

from sitemapx.errors import UsageError
from sitemapx.settingsfile import SettingsFile


@pytest.mark.parametrize(
    "data",
    [
        b'[project]\nname = "site"\n',
        b"[project\n",
        b"\xff\xfe",
        b'[project]\nname = "sitemapx-site"\n',
        b"[tool.sitemapx]\n",
    ],
)
def test_project_without_settings(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project that says nothing of sitemapx has no settings, whatever state its file is in."""
    (tmp_path / "pyproject.toml").write_bytes(data)
    monkeypatch.chdir(tmp_path)

    assert SettingsFile.load() is None


def test_broken_project_with_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings that cannot be read are not passed over."""
    (tmp_path / "pyproject.toml").write_text("[tool.sitemapx.check]\nselect = [\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=r"pyproject\.toml:2: invalid TOML: file ends"):
        SettingsFile.load()


def test_settings_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sitemapx.toml` counts, and not the file of the project beside it."""
    (tmp_path / "pyproject.toml").write_text('[tool.sitemapx]\nsite = "https://a.example/"\n')
    (tmp_path / "sitemapx.toml").write_text('site = "https://b.example/"\n')
    monkeypatch.chdir(tmp_path)
    found = SettingsFile.load()

    assert found is not None
    assert found.values == {"site": "https://b.example/"}
