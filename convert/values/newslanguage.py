"""Language codes of news sitemaps, which have no regions: https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap"""

import re

__all__ = ["news_language"]

_code = re.compile(r"([a-z]{2,3})(?:-([a-z0-9-]+))?").fullmatch
#: Scripts and countries that tell how Chinese is written.
_CHINESE = {
    **dict.fromkeys(("hans", "cn", "sg", "my"), "zh-cn"),
    **dict.fromkeys(("hant", "tw", "hk", "mo"), "zh-tw"),
}


def news_language(code: str) -> str | None:
    """
    Write a language code as Google News expects it; None for what is not a language code.

    >>> [news_language(code) for code in ("en-US", "zh-Hant-HK", "zh_CN", "zh", "english")]
    ['en', 'zh-tw', 'zh-cn', 'zh', None]

    """
    m = _code(code.strip().lower().replace("_", "-"))
    if m is None:
        return None
    if m[1] == "zh" and m[2]:
        return next((_CHINESE[part] for part in m[2].split("-") if part in _CHINESE), "zh")
    return m[1]
