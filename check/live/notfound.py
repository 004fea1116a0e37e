"""Recognizes pages that say that they were not found, although their status is 200."""

import re
import unicodedata
from urllib.parse import urlsplit

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


def not_found_message(url: str, title: str, heading: str) -> str:
    """
    Return the message for a page that says that it was not found; empty if it does not.

    Only a title, without the name of the site, or a heading that is exactly a known phrase counts.

    >>> not_found_message("https://example.com/old", "404: Page not found | Example", "Oops")
    "page says in its title that it was not found: '404: Page not found | Example'"
    >>> not_found_message("https://example.com/lost", "Page not found: a novel", "Found again")
    ''
    """
    if _is_about_errors(urlsplit(url).path):
        return ""
    titles = [title, *_separator(title)]
    for place, text, parts in (("title", title, titles), ("heading", heading, [heading])):
        words = map(_normalize, parts)
        if any(one in _NOT_FOUND or _remove_code("", one) in _NOT_FOUND for one in words):
            return f"page says in its {place} that it was not found: {text!r}"
    return ""
