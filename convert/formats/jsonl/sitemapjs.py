"""
The objects that sitemap.js takes and makes: https://github.com/ekalinin/sitemap.js/blob/master/api.md

Their keys are the names of elements in XML; `restriction:relationship` is that of an attribute.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS, Element
from sitemapx.convert.model.entry import Alternate, Image, Model
from sitemapx.convert.values import datatypes, relative, urls
from sitemapx.convert.values.datatypes import Datatype, OnProblem

_IMAGE, _VIDEO, _NEWS = EXTENSIONS["image"], EXTENSIONS["video"], EXTENSIONS["news"]
#: Keys of images, and what the elements are called.
_IMAGE_KEYS = {"url": "loc", "geoLocation": "geo_location"}


def is_item(keys: Mapping[str, object]) -> bool:
    """Return whether an object is one of sitemap.js: the URL is called `url`."""
    return "url" in keys and "loc" not in keys


class _JsonPlace(NamedTuple):
    """
    Where a value is: for problems, and for relative URLs.

    Attributes:
        report: Called with the code of a problem, its message and what was done.
        base: URL against which relative ones are resolved.

    """

    report: Callable[[str, str, str], object]
    base: str | None

    def on_problem(self, name: str) -> OnProblem:
        """Report problems of the value of this name."""

        def on_problem(code: str, message: str) -> None:
            self.report(code, f"{name}: {message}", "; dropped")

        return on_problem

    def refuse(self, name: str, expected: str) -> None:
        """Report a value of the wrong type."""
        self.report("bad-value", f"{name}: invalid value: expected {expected}", "; dropped")


class SitemapJsReader:
    """Makes the fields of an entry of the values of an object."""

    def __init__(self, context: Context, line: int) -> None:
        def report(code: str, message: str, done: str) -> None:
            context.problem(code, message, done=done, line=line)

        self._place = _JsonPlace(report, context.url)

    def fields(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields that these keys mean; what is empty means none."""
        made = {key: KEYS[key](self, key, item[key]) for key in item if item[key] is not None}
        fields = {field: made[key] for key, field in _FIELDS.items() if key in made}
        links = [link for key in _LINKS for link in made.get(key) or ()]
        return {**fields, "alternates": tuple(links)} if links else fields

    def url(self, key: str, value: object) -> str | None:
        """Return the URL of the page, as it is written."""
        if not isinstance(value, str):
            self._place.refuse(key, "a string")
            return None
        return value

    def text(self, key: str, value: object) -> str | None:
        """Return a text; a number is one."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self._place.refuse(key, "a string")
            return None
        return str(value)

    def images(self, key: str, value: object) -> tuple[Model, ...]:
        """Read images; one alone may be a URL, or an object."""
        objects: list[object] = []
        for one in _listed(value):
            if isinstance(one, dict):
                objects.append({_IMAGE_KEYS.get(key, key): part for key, part in one.items()})
            else:
                objects.append({"loc": one})
        return tuple(image for image in self._models(_IMAGE, objects, key) if image != Image())

    def videos(self, key: str, value: object) -> tuple[Model, ...]:
        """Read videos."""
        return tuple(self._models(_VIDEO, _listed(value), key))

    def news(self, key: str, value: object) -> Model | None:
        """Read what is for Google News."""
        return next(self._models(_NEWS, [value], key), None)

    def _models(self, element: Element, values: list[object], name: str) -> Iterator[Model]:
        for value in values:
            if isinstance(value, dict):
                yield _model(element, value, name, self._place)
            else:
                self._place.refuse(name, "an object")

    def links(self, key: str, value: object) -> tuple[Alternate, ...]:
        """Read the versions of a page in other languages."""
        found: list[Alternate] = []
        for one in _listed(value):
            if not isinstance(one, dict):
                self._place.refuse(key, "objects")
                continue
            code = one.get("hreflang") or one.get("lang")
            href = self.address("links.url", one.get("url"))
            if href:
                found.append(Alternate(hreflang=str(code) if code else None, href=href))
            _report_unknown(one, {"hreflang", "lang", "url"}, key, self._place)
        return tuple(found)

    def address(self, key: str, value: object) -> str | None:
        """Return another URL."""
        url = self.url(key, value)
        return url and (relative.resolve(urls.clean(url), self._place.base) or url)

    def amp(self, key: str, value: object) -> tuple[Alternate, ...]:
        """Read the AMP version of a page."""
        href = self.address(key, value)
        return (Alternate(href=href, rel="amphtml"),) if href else ()

    def app(self, key: str, value: object) -> tuple[Alternate, ...]:
        """Read the link into an app."""
        href = self.address(key, value)
        return (Alternate(href=href),) if href else ()

    def nothing(self, key: str, value: object) -> None:
        """Pass over what says how to write, and nothing of the page."""


#: How each key is read.
KEYS: dict[str, Callable[[SitemapJsReader, str, Any], Any]] = {
    "url": SitemapJsReader.url,
    "lastmodISO": SitemapJsReader.text,
    "lastmod": SitemapJsReader.text,
    "changefreq": SitemapJsReader.text,
    "priority": SitemapJsReader.text,
    "img": SitemapJsReader.images,
    "video": SitemapJsReader.videos,
    "news": SitemapJsReader.news,
    "links": SitemapJsReader.links,
    "ampLink": SitemapJsReader.amp,
    "androidLink": SitemapJsReader.app,
    "cdata": SitemapJsReader.nothing,
}
#: The fields of those that are one; of two for the same, the second wins.
_FIELDS = {
    "url": "loc",
    "lastmodISO": "lastmod",
    "lastmod": "lastmod",
    "changefreq": "changefreq",
    "priority": "priority",
    "img": "images",
    "video": "videos",
    "news": "news",
}
#: Those that are alternates.
_LINKS = ("links", "ampLink", "androidLink")


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _model(element: Element, item: Mapping[str, Any], name: str, place: _JsonPlace) -> Model:
    """Make what an element is made into, of an object with the names of its elements as keys."""
    fields: dict[str, Any] = {}
    known: set[str] = set()
    for child in element.children:
        known |= {child.name, *(f"{child.name}:{one.name}" for one in child.attributes)}
        if (value := item.get(child.name)) is None:
            continue
        label = f"{name}.{child.name}"
        attributes = {
            one.field: found
            for one in child.attributes
            if (text := item.get(f"{child.name}:{one.name}")) is not None
            and (found := _parsed(one.kind, text, f"{label}:{one.name}", place)) is not None
        }
        fields[child.field] = _of_child(child, value, attributes, label, place)
        fields |= {} if child.model else attributes
    _report_unknown(item, known, name, place)
    assert element.model is not None
    return element.model(**{key: value for key, value in fields.items() if value is not None})


def _of_child(
    child: Element, value: object, attributes: Mapping[str, Any], label: str, place: _JsonPlace
) -> Any:
    """Make the value of the field of an element; a tuple, if it may stand more than once."""
    if child.kind is None:
        if isinstance(value, dict):
            return _model(child, value, label, place)
        place.refuse(label, "an object")
        return None
    kind = child.kind
    values = [value] if child.most == 1 else _listed(value)
    parsed = [found for one in values if (found := _parsed(kind, one, label, place)) is not None]
    if child.model is not None:
        parsed = [child.model(**{child.text_field: one}, **attributes) for one in parsed]
    return tuple(parsed) if child.most != 1 else next(iter(parsed), None)


def _parsed(kind: Datatype, value: object, label: str, place: _JsonPlace) -> Any:
    """Make a value of a text; sitemap.js writes numbers and truth values as themselves, too."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, list):
        value = ",".join(map(str, value))
    if isinstance(value, int | float) and not kind.is_url:
        value = str(value)
    if not isinstance(value, str):
        place.refuse(label, "a string")
        return None
    if not (text := value.strip()):
        return None
    if kind.is_url and kind is not datatypes.HREF:
        text = relative.resolve(urls.clean(text), place.base) or text
    return kind.parse(text, place.on_problem(label))


def _report_unknown(
    item: Mapping[str, object], known: set[str], name: str, place: _JsonPlace
) -> None:
    for key in (one for one in item if one not in known):
        place.report("unknown-key", f"{name}: unknown key {key!r}", "; dropped")
