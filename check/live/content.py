"""Facts that a page states about itself, published or in the built site, and their rules."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapx.check.findings import Rule
from sitemapx.convert.html.page import Page
from sitemapx.convert.html.robotsmeta import hidden_from
from sitemapx.convert.values import uris
from sitemapx.convert.values.words import shorten_list

#: Language and URL of each version of a page.
Versions = Sequence[tuple[str, str]]

#: Facts to read in the body of a page, besides those in its head.
BODY_FACTS = frozenset({"heading", "modified"})

#: Maximum number of characters kept of a title or heading.
_MAX_TEXT = 200
_SEARCH = "https://developers.google.com/search/docs/crawling-indexing"

#: Rules for pages, by the code without its prefix.
_RULES: Mapping[str, Rule] = {
    "noindex": Rule(
        "error",
        "Page is marked noindex",
        "The sitemap requests indexing of the page, and the page forbids it.",
        f"{_SEARCH}/block-indexing",
        "Remove the URL from the sitemap, or remove noindex from the page or its headers.",
    ),
    "noindex-blocked": Rule(
        "warning",
        "Invisible noindex: blocked by robots.txt",
        "A crawler that may not fetch the page does not see noindex, so the URL may be indexed "
        "without its content, if other pages link to it.",
        f"{_SEARCH}/block-indexing",
        "Allow the page in robots.txt until it is no longer indexed, and remove its URL from the "
        "sitemap.",
    ),
    "canonical": Rule(
        "warning",
        "Canonical URL differs",
        "Sitemaps should list canonical URLs; search engines usually index the canonical one.",
        f"{_SEARCH}/consolidate-duplicate-urls",
        "List the canonical URL, or make the page its own canonical URL.",
    ),
    "canonical-missing": Rule(
        "note",
        "Page without canonical URL",
        "If the page is also served at other URLs, such as with tracking parameters, search "
        "engines choose one of them; Google recommends that each page names its own URL.",
        f"{_SEARCH}/consolidate-duplicate-urls",
        'Add <link rel="canonical"> with the URL that the sitemap lists.',
    ),
    "soft-404": Rule(
        "warning",
        "Soft 404: page says that it was not found",
        "Google does not index a page that is served with status 200 but says that it was not "
        "found, and crawls it in vain.",
        f"{_SEARCH}/http-network-errors#soft-404-errors",
        "Remove the URL from the sitemap, and return status 404 or 410 for missing pages.",
    ),
    "hreflang": Rule(
        "warning",
        "hreflang differs between page and sitemap",
        "Search engines read the language versions in both places, and which of them they believe "
        "if these differ is not defined.",
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "List the same versions in both places, or only in one of them.",
    ),
    "lastmod": Rule(
        "warning",
        "lastmod differs from the page's date",
        "Google uses lastmod only if it is consistently and verifiably accurate, for example "
        "compared to the last modification of the page.",
        f"{_SEARCH}/sitemaps/build-sitemap",
        "Set lastmod to the last significant change of the page, and show the same date in the "
        "page (dateModified); convert --lastmod page copies it.",
    ),
    "not-a-page": Rule(
        "note",
        "Listed file is not a web page",
        "Search engines may index a document such as a PDF file, but show an image or a video as "
        "a part of a page, and cannot read a canonical URL or noindex in any of them.",
        f"{_SEARCH}/indexable-file-types",
        "Nothing, if a document should be found; list images and videos with the page that shows "
        "them.",
    ),
}


def page_rules(prefix: str, requires: str, place: str = "") -> dict[str, Rule]:
    """Return the rules for pages with a prefix of their codes; `place` completes the headlines."""
    return {
        f"{prefix}-{name}": rule._replace(wrong=rule.wrong + place, requires=requires)
        for name, rule in _RULES.items()
    }


class PageContent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """
    Facts that a page states about itself, in its HTML and the headers of its response.

    Attributes:
        is_html: Whether the page is HTML.
        title: Text of `<title>`, shortened.
        heading: Text of the first `<h1>`, shortened.
        noindex: Location of each noindex, and the crawler it applies to; see `robotsmeta`.
        canonicals: Location and value of each canonical URL.
        versions: Language and URL of each version in another language.
        leads_to: Target of an immediate `<meta http-equiv="refresh">`; empty without one.
        modified: Date of the last change that the page states; empty without one.

    """

    is_html: bool = False
    title: str = ""
    heading: str = ""
    noindex: tuple[tuple[str, str], ...] = ()
    canonicals: tuple[tuple[str, str], ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    leads_to: str = ""
    modified: str = ""


def content_of(page: Page) -> PageContent:
    """Return the facts of an HTML page; `page` must be read with `BODY_FACTS`."""
    return PageContent(
        is_html=True,
        title=(page.title or "")[:_MAX_TEXT],
        heading=(page.heading or "")[:_MAX_TEXT],
        noindex=tuple(("<meta>", name[:100]) for name in page.noindex),
        canonicals=(("<link>", page.canonical),) if page.canonical else (),
        versions=tuple((version.language[:100], version.url) for version in page.alternates),
        leads_to=uris.to_uri(page.leads_to or "") or "",
        modified=page.modified or "",
    )


def content_faults(
    url: str,
    content: PageContent,
    listed: Versions,
    agents: Collection[str],
    find_block: Callable[[str], str],
) -> Iterator[tuple[str, str]]:
    """
    Yield name and message of each fault of a page.

    Args:
        url: URL of the page.
        content: The page.
        listed: The versions of the page in the sitemap.
        agents: Relevant crawlers, as in robots.txt.
        find_block: Returns why robots.txt disallows a URL; empty if it does not.

    Yields:
        Names, which are codes without prefix, and messages.

    """
    if message := _noindex_message(content.noindex, agents):
        yield "noindex", message
        if reason := find_block(url):
            yield "noindex-blocked", f"noindex cannot be seen: {reason}"
    if message := _canonical_message(content.canonicals, url):
        yield "canonical", message
    if message := _not_found_message(url, content.title, content.heading):
        yield "soft-404", message
    if message := _versions_message(content.versions, listed, url):
        yield "hreflang", message


def lacks_canonical(content: PageContent, agents: Collection[str]) -> bool:
    """Return whether an indexable HTML page names no canonical URL."""
    return (
        content.is_html
        and not content.canonicals
        and not content.leads_to
        and not hidden_from((name for _, name in content.noindex), agents)
    )


def _noindex_message(found: Sequence[tuple[str, str]], agents: Collection[str]) -> str:
    """Return the message for a page that is noindex for relevant crawlers; empty if it is not."""
    names = hidden_from((name for _, name in found), agents)
    return "; ".join(
        f"noindex in {where} for {_crawlers(name)}" for where, name in found if name in names
    )


def _crawlers(name: str) -> str:
    return "all crawlers" if name == "robots" else name


def _canonical_message(found: Iterable[tuple[str, str]], url: str) -> str:
    """Return the message for a page whose canonical URL is not `url`; empty for others."""
    return "; ".join(
        f"canonical URL in {where} is {other}"
        for where, other in found
        if uris.normalize(other) != uris.normalize(url)
    )


def _versions_message(own: Versions, listed: Versions, url: str) -> str:
    """Return the message for versions that differ; empty if they are the same or only in one."""
    if not (own and listed):
        return ""
    here, there, itself = _by_language(own), _by_language(listed), {uris.normalize(url)}
    differences = []
    for language in dict.fromkeys([*here, *there]):
        in_page, in_sitemap = here.get(language), there.get(language)
        if in_page and in_sitemap:
            if in_page != in_sitemap:
                one, other = (", ".join(sorted(found)) for found in (in_page, in_sitemap))
                differences.append(f"{language} is {one} in the page but {other} in the sitemap")
        elif (in_page or in_sitemap) != itself:  # a reference to itself may be missing
            differences.append(f"{language} only in the {'page' if in_page else 'sitemap'}")
    return shorten_list(differences) and f"hreflang differs: {shorten_list(differences)}"


def _by_language(versions: Versions) -> dict[str, set[str]]:
    """Return the normalized URLs of each language."""
    found: dict[str, set[str]] = {}
    for language, url in versions:
        found.setdefault(language.lower().replace("_", "-"), set()).add(uris.normalize(url))
    return found


# ---- pages for missing URLs

#: Complete titles and headings of error pages, in the languages in which most pages are written.
_PHRASES = """
404 error / 404 page / error 404 / file not found / not found / page does not exist
page doesn't exist / page not found / that page can't be found / the page cannot be found
oops! that page can't be found / the page you requested could not be found
the page you were looking for doesn't exist / the page you are looking for doesn't exist
the requested page could not be found / the requested url was not found on this server
this page could not be found / this page doesn't exist / this page isn't available
we can't find that page / we couldn't find that page / sorry, page not found / oops! page not found
seite nicht gefunden / diese seite existiert nicht / fehler 404 / 404 fehler
die seite wurde nicht gefunden / diese seite wurde nicht gefunden / seite existiert nicht
page introuvable / page non trouvée / cette page n'existe pas / erreur 404 / page inexistante
la page est introuvable / cette page est introuvable / la page demandée n'existe pas
página no encontrada / no se encontró la página / no se ha encontrado la página
esta página no existe / la página no existe
página não encontrada / página não existe / esta página não existe / erro 404
pagina non trovata / questa pagina non esiste / errore 404 / la pagina non esiste
pagina niet gevonden / deze pagina bestaat niet / fout 404
nie znaleziono strony / strona nie istnieje / strona nie została znaleziona / błąd 404
страница не найдена / такой страницы не существует / ошибка 404
сторінку не знайдено / помилка 404
sidan hittades inte / sidan kunde inte hittas / sidan finns inte
siden blev ikke fundet / siden findes ikke / siden ble ikke funnet / siden finnes ikke
fant ikke siden / sivua ei löydy / sivua ei löytynyt
stránka nenalezena / stránka nebyla nalezena / stránka neexistuje / chyba 404
az oldal nem található / pagina nu a fost găsită / η σελίδα δεν βρέθηκε
sayfa bulunamadı / halaman tidak ditemukan / không tìm thấy trang
الصفحة غير موجودة / לא נמצא הדף / הדף לא נמצא
ページが見つかりません / ページが見つかりませんでした / お探しのページは見つかりませんでした
お探しのページが見つかりません / 指定されたページが見つかりません
页面不存在 / 页面未找到 / 找不到页面 / 找不到该页面 / 頁面不存在 / 找不到頁面 / 您访问的页面不存在
페이지를 찾을 수 없습니다 / 요청하신 페이지를 찾을 수 없습니다
"""  # noqa: RUF001  # letters of other alphabets
#: Separates the name of the site from a title; a hyphen does so only between spaces.
_separator = re.compile(r"\s*[|·•»«–—]\s*|\s+[-:]+\s+").split  # noqa: RUF001  # en dash
#: A status code before or after a phrase, in normalized text.
_remove_code = re.compile(r"^(?:error |http |fehler |erreur |erro )?404 | (?:error )?404$").sub
#: Pages about errors, such as /docs/Web/HTTP/Status/404; /404.html is an error page.
_is_about_errors = re.compile(r"/[^/]+/.*(?:404|not[-_]?found)", re.IGNORECASE).match


def _normalize(text: str) -> str:
    """Return the words of a text in lower case, without punctuation."""
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold()))


_NOT_FOUND = frozenset(
    _normalize(phrase) for line in _PHRASES.strip().splitlines() for phrase in line.split("/")
)


def _not_found_message(url: str, title: str, heading: str) -> str:
    """
    Return the message for a page that says that it was not found; empty if it does not.

    Only a title, without the name of the site, or a heading that is exactly a known phrase counts.

    >>> _not_found_message("https://example.com/old", "404: Page not found | Example", "Oops")
    "page says in its title that it was not found: '404: Page not found | Example'"
    >>> _not_found_message("https://example.com/lost", "Page not found: a novel", "Found again")
    ''
    """
    if _is_about_errors(urlsplit(url).path):
        return ""
    titles = [title, *_separator(title)]
    for place, text, parts in (("title", title, titles), ("heading", heading, [heading])):
        phrases = map(_normalize, parts)
        if any({_remove_code("", phrase), phrase} & _NOT_FOUND for phrase in phrases):
            return f"page says in its {place} that it was not found: {text!r}"
    return ""
