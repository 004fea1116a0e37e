"""Settings files of other programs are ignored."""

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
def test_project_without_settings_is_ignored(
    data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_bytes(data)
    monkeypatch.chdir(tmp_path)

    assert SettingsFile.load() is None


def test_invalid_project_settings_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.sitemapx.check]\nselect = [\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=r"pyproject\.toml:2: invalid TOML: file ends"):
        SettingsFile.load()


def test_sitemapx_toml_overrides_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.sitemapx]\nsite = "https://a.example/"\n')
    (tmp_path / "sitemapx.toml").write_text('site = "https://b.example/"\n')
    monkeypatch.chdir(tmp_path)
    settings = SettingsFile.load()

    assert settings is not None
    assert settings.values == {"site": "https://b.example/"}
