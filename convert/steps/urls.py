"""Steps that change URLs."""

import fnmatch
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache

from msgspec.structs import replace

from sitemapx.convert.model.batch import Batch
from sitemapx.convert.model.entry import Entry, change_urls
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.steps.step import Step, each
from sitemapx.convert.values import uris, urls
from sitemapx.convert.values.words import require_list
from sitemapx.errors import UsageError
from sitemapx.optionnames import option

Change = Callable[[str], str]
_SCHEMES = ("http://", "https://")


def rewrite(rules: Iterable[tuple[str, str]]) -> Step:
    """
    Replace schemes, hosts or path prefixes in URLs, for example after a site has moved.

    Applies to the URL of an entry and to the URLs of its alternates, images, videos and enclosures,
    but not to its ID or its texts. The rules are applied one after the other. A rule that matches
    no URL is reported as `unmatched-rewrite`.

    Args:
        rules: Pairs of an old part and its replacement: schemes (`http:`, `https:`), hosts with an
            optional path (`old.example`, `new.example/shop`), or URLs
            (`https://old.example/blog`). Hosts are compared after normalization, paths by whole
            segments: `/blog` does not match `/blogs`.

    Raises:
        UsageError: If a rule is invalid.

    """
    pairs = map(_pair, [rules] if isinstance(rules, str) else rules)
    changers = {f"{old}={new}": _changer(old, new) for old, new in pairs}
    unmatched = set(changers)

    def change(url: str) -> str:
        for rule, changer in changers.items():
            changed = changer(url)
            if changed is not None:
                unmatched.discard(rule)
                url = changed
        return url

    step = _url_step("rewrite", change, ("alternates", "images", "videos", "enclosures"))

    def run(batches: Iterator[Batch], reporter: Reporter) -> Iterator[Batch]:
        unmatched.update(changers)
        yield from step.run(batches, reporter)
        for rule in filter(unmatched.__contains__, changers):
            reporter.problem("unmatched-rewrite", f"{option('rewrite', rule)} matches no URL")

    return step._replace(run=run)


def _pair(rule: object) -> tuple[str, str]:
    match rule:
        case (str(old), str(new)):
            return old, new
    example = "[('http:', 'https:')]"
    raise UsageError(f"{rule!r} is not a rule: pass pairs of old and new, such as {example}")


def rule(text: str) -> tuple[str, str]:
    """
    Split OLD=NEW into a rule for `rewrite`; both sides may contain equals signs.

    >>> rule("https://old.example/a=b=https://new.example")
    ('https://old.example/a=b', 'https://new.example')

    Raises:
        UsageError: If the text has no equals sign, is ambiguous, or is not a valid rule.

    """
    pairs = [(text[: m.start()], text[m.end() :]) for m in re.finditer("=", text)]
    if not pairs:
        raise UsageError(f"{text!r} has no equals sign: expected OLD=NEW")
    rules: list[tuple[str, str]] = []
    for pair in pairs:
        with suppress(UsageError):
            _changer(*pair)
            rules.append(pair)
    if len(rules) > 1:
        raise UsageError(f"{text!r} is ambiguous; write both sides as URLs")
    if not rules:
        _changer(*pairs[0])  # raises an error for an invalid rule
    return rules[0]


_is_scheme = re.compile(r"https?:").fullmatch


def _changer(old: str, new: str) -> Callable[[str], str | None]:
    """
    Return a function that rewrites a URL by a rule, or returns None if the rule does not match.

    >>> _changer("https://old.example", "https://new.example/shop/")("https://OLD.example/a?b")
    'https://new.example/shop/a?b'
    >>> _changer("http:", "https:")("http://example.com/")
    'https://example.com/'
    """
    if _is_scheme(old) or _is_scheme(new):
        if not (_is_scheme(old) and _is_scheme(new)):
            raise UsageError(
                f"{old}={new}: a scheme can be replaced only by a scheme, http: or https:"
            )
        matches = re.compile(rf"(?i:{old})(?=//)").match
        return lambda url: new + url[m.end() :] if (m := matches(url)) else None
    scheme, host, path = _split_side(old)
    new_scheme, *new_place = _split_side(new)
    if bool(scheme) is not bool(new_scheme):
        raise UsageError(f"{old}={new}: only one side has a scheme; write both as URLs")
    origins = {urls.origin(f"{start}{host}") for start in ([scheme] if scheme else _SCHEMES)}
    matches = re.compile(rf"((?i:https?://))([^/?#]*){re.escape(path)}(?=[/?#]|\Z)").match
    origin_of = lru_cache(urls.origin)

    def change(url: str) -> str | None:
        m = matches(url)
        if m is None or "@" in m[2] or origin_of(m[1] + m[2]) not in origins:
            return None
        return "".join([new_scheme or m[1], *new_place, url[m.end() :]])

    return change


def _split_side(text: str) -> tuple[str, str, str]:
    """Split a side of a rule into scheme, host and path; scheme and path may be empty."""
    m = re.fullmatch(r"(https?://)?([^/?#\s]*[^/?#\s:])(/[^?#\s]*)?", text)
    if m is None or uris.to_uri(f"{m[1] or 'https://'}{m[2]}/") is None:
        raise UsageError(
            f"{text!r} is not a scheme (such as http:), a host (such as example.com) "
            "or a URL without a query"
        )
    return m[1] or "", m[2], (m[3] or "").rstrip("/")


def strip_params(names: Collection[str]) -> Step:
    """
    Remove parameters from the URLs of pages and their alternates, but not of media.

    Args:
        names: Names of the parameters, or globs such as `utm_*`. Parameters may be in the query or,
            after a semicolon, in the path (`;jsessionid=1A2B`).

    """
    is_named = re.compile(
        "|".join(map(fnmatch.translate, require_list("names", names))) or "(?!)"
    ).match

    def strip_match(m: re.Match[str]) -> str:
        return "" if is_named(m[1]) else m[0]

    def change(url: str) -> str:
        if "?" not in url and ";" not in url:
            return url
        rest, hash_, fragment = url.partition("#")
        path, delimiter, query = rest.partition("?")
        path = _path_param.sub(strip_match, path)
        params = query.split("&")
        left = [param for param in params if not is_named(param.partition("=")[0])]
        if len(left) < len(params):
            delimiter, query = delimiter if left else "", "&".join(left)
        return "".join([path, delimiter, query, hash_, fragment])

    return _url_step("strip-params", change, ("alternates",))


_path_param = re.compile(r";([^;/=]+)(?:=[^;/]*)?")


def _url_step(name: str, change: Change, parts: Collection[str]) -> Step:
    """Create a step that changes the URL of each entry, and all URLs in its fields `parts`."""

    def change_entry(entry: Entry) -> Entry:
        changes = {
            part: tuple(change_urls(item, change) for item in getattr(entry, part))
            for part in parts
        }
        return replace(entry, loc=entry.loc and change(entry.loc), **changes)

    def change_batch(batch: Batch) -> Batch:
        if batch.field_counts().keys().isdisjoint(parts):
            locs = batch.column("loc")
            return batch.with_column("loc", [loc and change(loc) for loc in locs])
        return Batch(list(map(change_entry, batch.entries)))

    return each(name, change_batch, {"loc"})
