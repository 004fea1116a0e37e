"""
Objects of sitemap.js: https://github.com/ekalinin/sitemap.js/blob/master/api.md

Keys in videos and news are names of elements or attributes, as in `restriction:relationship`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.vocabulary import EXTENSIONS, Element
from sitemapx.convert.model.entry import Alternate, Image, Model
from sitemapx.convert.values import datatypes, relative, urls
from sitemapx.convert.values.datatypes import Datatype, OnProblem

_IMAGE, _VIDEO, _NEWS = EXTENSIONS["image"], EXTENSIONS["video"], EXTENSIONS["news"]
#: Elements by key of an image, where they differ.
_IMAGE_KEYS = {"url": "loc", "geoLocation": "geo_location"}


def is_sitemapjs_item(keys: Mapping[str, object]) -> bool:
    """Return whether an object is in the format of sitemap.js, with `url` instead of `loc`."""
    return "url" in keys and "loc" not in keys


class _JsonPlace(NamedTuple):
    """Reports problems by code, message and consequence; `base` is for relative URLs."""

    report: Callable[[str, str, str], object]
    base: str | None

    def on_problem(self, name: str) -> OnProblem:
        def on_problem(code: str, message: str) -> None:
            self.report(code, f"{name}: {message}", "; dropped")

        return on_problem

    def report_type(self, name: str, expected: str) -> None:
        self.report("bad-value", f"{name}: invalid value: expected {expected}", "; dropped")


class SitemapJsReader:
    def __init__(self, context: Context, line: int) -> None:
        def report(code: str, message: str, done: str) -> None:
            context.problem(code, message, done=done, line=line)

        self._place = _JsonPlace(report, context.url)

    def fields(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """Convert an object of sitemap.js to the fields of an entry, by name."""
        made = {key: KEYS[key][1](self, key, item[key]) for key in item if item[key] is not None}
        fields = {field: made[key] for key, (field, _) in KEYS.items() if field and key in made}
        links = [link for key in _LINKS for link in made.get(key) or ()]
        return {**fields, "alternates": tuple(links)} if links else fields

    def url(self, key: str, value: object) -> str | None:
        if not isinstance(value, str):
            self._place.report_type(key, "a string")
            return None
        return value

    def text(self, key: str, value: object) -> str | None:
        """Return a text or number as text; report a value of any other type, and return None."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self._place.report_type(key, "a string")
            return None
        return str(value)

    def images(self, key: str, value: object) -> tuple[Model, ...]:
        """Read a list of images, or a single image; each is a URL or an object."""
        objects: list[object] = []
        for item in _as_list(value):
            if isinstance(item, dict):
                objects.append({_IMAGE_KEYS.get(key, key): part for key, part in item.items()})
            else:
                objects.append({"loc": item})
        return tuple(image for image in self._read_models(_IMAGE, objects, key) if image != Image())

    def videos(self, key: str, value: object) -> tuple[Model, ...]:
        return tuple(self._read_models(_VIDEO, _as_list(value), key))

    def news(self, key: str, value: object) -> Model | None:
        return next(self._read_models(_NEWS, [value], key), None)

    def _read_models(self, element: Element, values: list[object], name: str) -> Iterator[Model]:
        for value in values:
            if isinstance(value, dict):
                yield _read_model(element, value, name, self._place)
            else:
                self._place.report_type(name, "an object")

    def links(self, key: str, value: object) -> tuple[Alternate, ...]:
        found: list[Alternate] = []
        for link in _as_list(value):
            if not isinstance(link, dict):
                self._place.report_type(key, "objects")
                continue
            code = link.get("hreflang") or link.get("lang")
            href = self.address("links.url", link.get("url"))
            if href:
                found.append(Alternate(hreflang=str(code) if code else None, href=href))
            _report_unknown(link, {"hreflang", "lang", "url"}, key, self._place)
        return tuple(found)

    def address(self, key: str, value: object) -> str | None:
        url = self.url(key, value)
        return url and (relative.resolve(urls.clean(url), self._place.base) or url)

    def amp(self, key: str, value: object) -> tuple[Alternate, ...]:
        href = self.address(key, value)
        return (Alternate(href=href, rel="amphtml"),) if href else ()

    def app(self, key: str, value: object) -> tuple[Alternate, ...]:
        href = self.address(key, value)
        return (Alternate(href=href),) if href else ()

    def ignore(self, key: str, value: object) -> None:
        """Ignore an option that only affects how sitemap.js writes the sitemap."""


#: Field and reader of each key; of two keys for the same field, the second wins.
KEYS: dict[str, tuple[str, Callable[[SitemapJsReader, str, Any], Any]]] = {
    "url": ("loc", SitemapJsReader.url),
    "lastmodISO": ("lastmod", SitemapJsReader.text),
    "lastmod": ("lastmod", SitemapJsReader.text),
    "changefreq": ("changefreq", SitemapJsReader.text),
    "priority": ("priority", SitemapJsReader.text),
    "img": ("images", SitemapJsReader.images),
    "video": ("videos", SitemapJsReader.videos),
    "news": ("news", SitemapJsReader.news),
    "links": ("", SitemapJsReader.links),
    "ampLink": ("", SitemapJsReader.amp),
    "androidLink": ("", SitemapJsReader.app),
    "cdata": ("", SitemapJsReader.ignore),
}
#: Keys that contain alternates.
_LINKS = ("links", "ampLink", "androidLink")


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _read_model(element: Element, item: Mapping[str, Any], name: str, place: _JsonPlace) -> Model:
    """Read an object, whose keys are names of child elements, as the model of an element."""
    fields: dict[str, Any] = {}
    known: set[str] = set()
    for child in element.children:
        known |= {child.name, *(f"{child.name}:{attribute.name}" for attribute in child.attributes)}
        if (value := item.get(child.name)) is None:
            continue
        label = f"{name}.{child.name}"
        attributes = {
            attribute.field: found
            for attribute in child.attributes
            if (text := item.get(f"{child.name}:{attribute.name}")) is not None
            and (found := _parse_value(attribute.kind, text, f"{label}:{attribute.name}", place))
            is not None
        }
        fields[child.field] = _read_child(child, value, attributes, label, place)
        fields |= {} if child.model else attributes
    _report_unknown(item, known, name, place)
    assert element.model is not None
    return element.model(**{key: value for key, value in fields.items() if value is not None})


def _read_child(
    child: Element, value: object, attributes: Mapping[str, Any], label: str, place: _JsonPlace
) -> Any:
    """Return the value of a child element, or None; a tuple if the element is repeatable."""
    if child.kind is None:
        if isinstance(value, dict):
            return _read_model(child, value, label, place)
        place.report_type(label, "an object")
        return None
    kind = child.kind
    values = [value] if child.most == 1 else _as_list(value)
    parsed = [
        found for text in values if (found := _parse_value(kind, text, label, place)) is not None
    ]
    if child.model is not None:
        parsed = [child.model(**{child.text_field: item}, **attributes) for item in parsed]
    return tuple(parsed) if child.most != 1 else next(iter(parsed), None)


def _parse_value(kind: Datatype, value: object, label: str, place: _JsonPlace) -> Any:
    """Parse a value, which may also be a number, boolean or list; None if invalid or blank."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, list):
        value = ",".join(map(str, value))
    if isinstance(value, int | float) and not kind.is_url:
        value = str(value)
    if not isinstance(value, str):
        place.report_type(label, "a string")
        return None
    if not (text := value.strip()):
        return None
    if kind.is_url and kind is not datatypes.HREF:
        text = relative.resolve(urls.clean(text), place.base) or text
    return kind.parse(text, place.on_problem(label))


def _report_unknown(
    item: Mapping[str, object], known: set[str], name: str, place: _JsonPlace
) -> None:
    for key in (name for name in item if name not in known):
        place.report("unknown-key", f"{name}: unknown key {key!r}", "; dropped")
