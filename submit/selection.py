"""Selection of the search engines, with their credentials and settings."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sitemapx.errors import UsageError
from sitemapx.optionnames import option
from sitemapx.settingsfile import FILE_NAME
from sitemapx.submit.engines.engine import Engine, EngineInfo, ItemKind, Setup
from sitemapx.submit.engines.registry import all_engines, engine_by_name
from sitemapx.submit.secrets.secret import Secret, find_secret, value_of
from sitemapx.submit.settings import EngineSettings, Settings


class SelectedEngine(NamedTuple):
    """
    A search engine to submit to.

    Attributes:
        sizes: Maximum number of items in a batch, for each kind to submit.
        is_named: Whether options or settings name the engine, so that sources that cannot
            be submitted are failures.

    """

    engine: Engine
    sizes: Mapping[ItemKind, int]
    secrets: Sequence[Secret]
    is_named: bool

    @property
    def warnings(self) -> list[str]:
        about = self.engine.about
        notes = [about.note] if about.status == "opt-in" else []
        notes += getattr(self.engine, "warnings", ())
        return [*notes, *(secret.warning for secret in self.secrets if secret.warning)]


def select_engines(
    names: Sequence[str], settings: Settings, environment: Mapping[str, str]
) -> list[SelectedEngine]:
    """
    Return the search engines to submit to.

    If no names are given, the engines in the settings are selected; without engines in the
    settings, all active engines whose credentials are configured. An engine that needs no
    credentials has to be named.

    Raises:
        UsageError: If an engine is unknown, retired or not usable as configured, or none is
            selected.
        SecretError: If a secret cannot be read or used; see `find_secret`.

    """
    wanted = list(dict.fromkeys(names or settings.engine_names))
    found = []
    for engine in map(engine_by_name, wanted) if wanted else all_engines():
        about = engine.about
        if wanted or (about.status == "active" and about.secrets):
            setup = make_setup(about, settings, environment, is_named=bool(wanted))
            if setup:
                found.append((engine(setup), list(setup.secrets.values())))
    if not found:
        names = [name for engine in all_engines() for name in engine.about.secrets]
        raise UsageError(
            f"no search engine configured: pass {option('engines')}, or set one of "
            f"{', '.join(dict.fromkeys(names))} (`sitemapx engines` lists search engines; "
            f"`sitemapx init` writes a {FILE_NAME})"
        )
    selected = {engine.about.name for engine, _ in found}
    return [
        SelectedEngine(engine, _sizes(engine.about, settings, selected), secrets, bool(wanted))
        for engine, secrets in found
    ]


def _sizes(about: EngineInfo, settings: Settings, selected: Collection[str]) -> dict[ItemKind, int]:
    """
    Return the maximum number of items in a batch, for each kind to submit.

    Without kinds in the settings, URLs are excluded if `notified_by` is selected as well.
    """
    own = settings.engine_settings(about.name)
    most = own.batch or max(about.takes.values())
    kinds = set(own.kinds or about.takes)
    if about.notified_by in selected and not own.kinds:
        kinds.discard("urls")
    return {kind: min(size, most) for kind, size in about.takes.items() if kind in kinds}


def make_setup(
    about: EngineInfo, settings: Settings, environment: Mapping[str, str], *, is_named: bool
) -> Setup | None:
    """
    Return the endpoints, credentials and options of an engine.

    Returns None if a secret is missing and the engine was not named. Errors are as in
    `select_engines`.
    """
    secrets: dict[str, Secret] = {}
    own = settings.engine_settings(about.name)
    for name in about.secrets:
        found = _secret(name, about, own, environment, is_named=is_named)
        if found is None and is_named:
            message = f"{about.name} requires {name}; set it in the environment"
            if about.name == "indexnow":
                message += " (`sitemapx submit key new DIR` creates a key)"
            raise UsageError(f"{message}, or set secret in {settings.path}")
        if found is None:
            return None
        secrets[name] = found
    return Setup(endpoints=own.endpoints, secrets=secrets, options=own.options)


def _secret(
    name: str,
    about: EngineInfo,
    settings: EngineSettings,
    environment: Mapping[str, str],
    *,
    is_named: bool,
) -> Secret | None:
    """
    Return a secret, or None if it is not configured; for Google, a token to be requested.

    Without configured credentials, a named Google engine uses the default ones of the machine.
    """
    if not about.scope:
        return find_secret(name, settings.secret, environment)
    kind, _, path = (settings.secret or "").partition(":")
    is_path = kind == "file"
    found = path if is_path else value_of(name, settings.secret, environment)
    if not found and not is_named:
        return None
    from sitemapx.submit.secrets.google import Credentials, GoogleToken

    place = path if is_path else settings.secret or name
    credentials = Credentials(found, place, is_path=is_path) if found else None
    return GoogleToken(name, credentials, about.scope)
