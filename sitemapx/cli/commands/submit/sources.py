"""The sources of a submission: those on the command line, else those of the settings."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sitemapx.convert.outputs.target import target_of
from sitemapx.convert.sources.source import is_storage, local_path
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.errors import UsageError
from sitemapx.settingsfile import SettingsFile
from sitemapx.submit.settings import Settings

__all__ = ["Sources", "choose_sources"]


class Sources(NamedTuple):
    """
    The sources of a submission.

    Attributes:
        names: Paths and URLs of the sitemaps; none if only lists are submitted.
        owner: The site whose settings name them; empty if they are on the command line.
        mappings: Where published files are on disk, according to the settings.

    """

    names: Sequence[str]
    owner: str
    mappings: Sequence[UrlMap]


def choose_sources(given: Sequence[str], options: Mapping[str, Any], settings: Settings) -> Sources:
    """
    Return the sources on the command line, else `sitemaps`, else the output of `[convert]`.

    Raises:
        UsageError: If there are none, or an option does not fit them.

    """
    built, mappings = _built_sitemap(options["config"])
    if settings.site and settings.root:
        mappings.append(UrlMap.of(settings.site, settings.root))
    if given and options["lists"]:
        raise UsageError("--urls cannot be combined with a SITEMAP; submit them one by one")
    if not (given or options["lists"]):
        names = settings.sitemaps or built
        if not names:
            raise UsageError(f"missing SITEMAP: pass one, or set sitemaps in {settings.path}")
        chosen = Sources(names, settings.site or "", mappings)
    else:
        chosen = Sources(given, "", mappings)
    if options["source_url"] and sum(local_path(name) is not None for name in chosen.names) > 1:
        raise UsageError("--source-url applies to a single file; pass --map URL=DIR for more")
    return chosen


def _built_sitemap(config: str | None) -> tuple[list[str], list[UrlMap]]:
    """Return the path of the sitemap that `[convert]` builds, and its directory; none if none."""
    file = SettingsFile.load(config)
    table = file.values.get("convert", {}) if file else {}
    output = table.get("output", "-")
    if not table.get("sources") or output == "-" or is_storage(output):
        return [], []
    base_url = table.get("base-url")
    target = target_of(
        output, format=table.get("to"), base_url=base_url, compress=table.get("gzip", False)
    )
    folder = os.path.dirname(target.path) or os.curdir
    return [target.path], [UrlMap(target.base_url, folder)] if target.base_url else []
