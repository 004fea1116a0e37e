"""Facts that a page states about itself, and the faults they show."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from sitemapx.convert.html.page import Page
from sitemapx.convert.html.robotsmeta import Ban, select_bans
from sitemapx.convert.values import uris
from sitemapx.convert.values.words import shorten_list

#: Language and URL of each version of a page.
Versions = Sequence[tuple[str, str]]

#: Facts to read in the body of a page, besides those in its head.
BODY_FACTS = frozenset({"heading", "modified"})

#: Maximum number of characters kept of a title or heading.
_MAX_TEXT = 200


class PageContent(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """
    Facts that a page states about itself, in its HTML and the headers of its response.

    Attributes:
        title: Text of `<title>`, shortened.
        heading: Text of the first `<h1>`, shortened.
        bans: Location, crawler and directive of each ban; see `robotsmeta`.
        canonicals: Location and value of each canonical URL.
        versions: Language and URL of each language version, which may include the page itself.
        leads_to: Target of an immediate `<meta http-equiv="refresh">`; empty without one.
        modified: Date of the last change that the page states; empty without one.

    """

    is_html: bool = False
    is_empty: bool = False
    title: str = ""
    heading: str = ""
    bans: tuple[tuple[str, str, str], ...] = ()
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
        bans=tuple(("<meta>", ban.crawler, ban.directive) for ban in page.bans),
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
    Yield name (a code without its prefix) and message of each fault of a page.

    Args:
        listed: The versions of the page in the sitemap.
        agents: Relevant crawlers, as in robots.txt.
        find_block: Returns why robots.txt disallows a URL; empty if it does not.

    """
    if message := _ban_message(content, agents):
        yield "noindex", message
        if reason := find_block(url):
            yield "noindex-blocked", f"noindex cannot be seen: {reason}"
    if message := _canonical_message(content.canonicals, url):
        yield "canonical", message
    if content.is_empty:
        yield "soft-404", "page is empty"
    elif message := _not_found_message(url, content.title, content.heading):
        yield "soft-404", message
    if message := _versions_message(content.versions, listed, url):
        yield "hreflang", message


def lacks_canonical(content: PageContent, agents: Collection[str]) -> bool:
    """Return whether a page is indexable HTML, does not redirect and names no canonical URL."""
    return (
        content.is_html
        and not content.is_empty
        and not content.canonicals
        and not content.leads_to
        and not _ban_message(content, agents)
    )


def _ban_message(content: PageContent, agents: Collection[str]) -> str:
    """Return the message for a page that relevant crawlers must not index; empty for others."""
    bans = select_bans((Ban(*ban) for _, *ban in content.bans), agents)
    return "; ".join(
        f"{directive} in {where} for {_crawlers(crawler)}"
        for where, crawler, directive in content.bans
        if (crawler, directive) in bans
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
    """Return the message for versions that differ; empty for others, or if one side has none."""
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
    found: dict[str, set[str]] = {}
    for language, url in versions:
        found.setdefault(language.lower().replace("_", "-"), set()).add(uris.normalize(url))
    return found


# ---- pages for missing URLs

#: Complete titles and headings of error pages, in the languages in which most pages are written.
_PHRASES = """
404 error / 404 page / error 404 / file not found / not found / page does not exist
page doesn't exist / page not found / that page can't be found / the page cannot be found
the page you requested could not be found
the page you were looking for doesn't exist / the page you are looking for doesn't exist
the requested page could not be found / the requested url was not found on this server
this page could not be found / this page doesn't exist / this page isn't available
we can't find that page / we couldn't find that page
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
#: Separates the name of the site from a title; a hyphen or colon does so only between spaces.
_separator = re.compile(r"\s*[|·•»«–—]\s*|\s+[-:]+\s+").split  # noqa: RUF001  # en dash
#: An exclamation or a status code before a phrase, or a code after it, in normalized text.
_remove_extras = re.compile(
    r"^(?:(?:oops|whoops|ups|sorry) )*(?:(?:error |http |fehler |erreur |erro )?404 )?"
    r"| (?:error )?404$"
).sub
_names_error = re.compile(r"404|not[-_]?found", re.IGNORECASE).search
#: Paths of error pages, such as /404.html; other paths that name an error are those of pages about
#: errors, such as /docs/Web/HTTP/Status/404 and /what-is-error-404.
_is_error_page = re.compile(
    r"(?:/[a-z]{2}(?:-[a-z]{2})?)?/(?:(?:error|page|http|file|not|found|404|html?|php)[-_./]*)+",
    re.IGNORECASE,
).fullmatch


def _normalize(text: str) -> str:
    """Return the words of a text in lower case, without punctuation."""
    return " ".join(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text).casefold()))


_NOT_FOUND = frozenset(
    _normalize(phrase) for line in _PHRASES.strip().splitlines() for phrase in line.split("/")
)


def _not_found_message(url: str, title: str, heading: str) -> str:
    """
    Return the message for a page that says that it was not found; empty if it does not.

    The heading, the title or one of its parts has to be a known phrase, apart from extras such as
    "404". Pages about errors, by their path or by a heading that continues the title, do not count.

    >>> _not_found_message("https://example.com/old", "404: Page not found | Example", "Oops")
    "page says in its title that it was not found: '404: Page not found | Example'"
    >>> _not_found_message("https://example.com/x", "Not found - a novel", "Not found: a novel")
    ''
    """
    path = urlsplit(url).path
    if _names_error(path) and not _is_error_page(path):
        return ""
    parts = [part for part in _separator(title) if _is_phrase(part)]
    is_continued = not _is_phrase(heading) and any(
        _normalize(part) in _normalize(heading) for part in parts
    )
    if _is_phrase(title) or (parts and not is_continued):
        return f"page says in its title that it was not found: {title!r}"
    if _is_phrase(heading):
        return f"page says in its heading that it was not found: {heading!r}"
    return ""


def _is_phrase(text: str) -> bool:
    words = _normalize(text)
    return words in _NOT_FOUND or _remove_extras("", words) in _NOT_FOUND
