"""Codes of languages and countries (ISO 639-1, ISO 3166-1), as in hreflang and Google News."""

import re

#: https://www.loc.gov/standards/iso639-2/php/code_list.php
_LANGUAGES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da
    de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz
    ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln
    lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi
    pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
    ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905 - easier to read and to compare
)
#: https://www.iso.org/obp/ui/#search/code/
_COUNTRIES = frozenset(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split()  # noqa: SIM905 - easier to read and to compare
)
_parts = re.compile(r"([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}))?", re.IGNORECASE).fullmatch
_code = re.compile(r"([a-z]{2,3})(?:-([a-z0-9-]+))?").fullmatch
#: Google News distinguishes simplified and traditional Chinese by country code.
_CHINESE = {
    **dict.fromkeys(("hans", "cn", "sg", "my"), "zh-cn"),
    **dict.fromkeys(("hant", "tw", "hk", "mo"), "zh-tw"),
}


def is_language(code: str) -> bool:
    """Return whether a lower-case code is in ISO 639-1, or has three letters as in ISO 639-2."""
    return code in _LANGUAGES or (len(code) == 3 and code.isalpha())


def is_country(code: str) -> bool:
    """Return whether two capital letters are a country code of ISO 3166-1."""
    return code in _COUNTRIES


def why_not_hreflang(code: str) -> str | None:
    """
    Return why Google does not accept a value of hreflang, or None; scripts are not looked up.

    https://developers.google.com/search/docs/specialty/international/localized-versions

    >>> why_not_hreflang("en-UK")
    'UK is not an ISO 3166-1 country (use GB)'
    """
    if code.lower() == "x-default":
        return None
    if "_" in code:
        return f"use a hyphen: {code.replace('_', '-')}"
    m = _parts(code)
    if m is None:
        return "expected a language, with an optional script and country"
    language, _, country = m.groups()
    if language.lower() not in _LANGUAGES:
        hint = " (it is a country)" if language.upper() in _COUNTRIES else ""
        return f"{language} is not an ISO 639-1 language{hint}"
    if country and country.upper() not in _COUNTRIES:
        hint = " (use GB)" if country.upper() == "UK" else ""
        return f"{country} is not an ISO 3166-1 country{hint}"
    return None


def usual_hreflang_case(code: str) -> str:
    """
    Return a valid value of hreflang in its usual letter case; all lower case is left unchanged.

    https://www.rfc-editor.org/rfc/rfc5646#section-2.1.1

    >>> [usual_hreflang_case(code) for code in ("EN-us", "pt-br", "ZH-HANT-TW", "X-Default")]
    ['en-US', 'pt-br', 'zh-Hant-TW', 'x-default']
    """
    language, *others = code.split("-")
    if code == code.lower() or code.lower() == "x-default":
        return code.lower()
    cased = (part.title() if len(part) == 4 else part.upper() for part in others)
    return "-".join([language.lower(), *cased])


def news_language(code: str) -> str | None:
    """
    Reduce a language code to the form that Google News expects; None if it is malformed.

    >>> [news_language(code) for code in ("en-US", "zh-Hant-HK", "zh_CN", "zh", "english")]
    ['en', 'zh-tw', 'zh-cn', 'zh', None]
    """
    m = _code(code.strip().lower().replace("_", "-"))
    if m is None:
        return None
    if m[1] == "zh" and m[2]:
        return next((_CHINESE[part] for part in m[2].split("-") if part in _CHINESE), "zh")
    return m[1]
