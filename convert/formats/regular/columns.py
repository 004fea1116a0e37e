"""
Columns of values, each made of the texts of one element or attribute in many items.

All texts of a column are looked at together. Rows whose text is not as its datatype writes it are
odd: the slow path looks at the items that they belong to, and says what is wrong with them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any, NamedTuple, cast

from sitemapx.convert.formats.regular.cleaning import GONE, cleaned
from sitemapx.convert.values import datatypes, w3cdate
from sitemapx.convert.values.datatypes import Datatype
from sitemapx.convert.values.urllist import UriList
from sitemapx.convert.xml.plain import split_urls, unescaped

__all__ = [
    "NO_LOSSES",
    "Column",
    "Losses",
    "attribute_column",
    "column_of",
    "gathered",
    "loc_column",
    "owners",
    "raw_loc_column",
]


#: The numbers of rows in which something is left out, once for each time, by what it is.
Losses = Mapping[str, Sequence[int]]
NO_LOSSES: Losses = {}


class Column(NamedTuple):
    """
    The values of a column.

    Attributes:
        values: None where a text is empty.
        odd: The numbers of the rows that the slow path has to look at.
        losses: Those in which something is left out that the slow path would count.

    """

    values: Sequence[Any]
    odd: Collection[int] = ()
    losses: Losses = NO_LOSSES


def column_of(
    kind: Datatype, texts: Sequence[str | None], *, is_wanted: bool = True
) -> Column | None:
    """
    Make a column of texts as they are in the markup, None if there are none.

    Args:
        is_wanted: Whether the values are needed; else anything may stand for them but None.

    """
    if not any(texts):
        return None
    if kind is datatypes.TEXT and not is_wanted and not any(map(_may_be_blank, texts)):
        return Column([text or None for text in texts] if "" in texts else texts)
    if kind not in _READERS or _are_words(kind, texts):
        return _words(kind, texts, is_wanted=is_wanted)
    filled = _filled(texts)
    return _READERS[kind](filled, "\0".join(filled))


def loc_column(texts: Sequence[str | None], lines: str) -> Column:
    """
    Make the column of the URLs of entries; one that is missing is odd.

    Args:
        lines: The texts, each with a line break after it.

    """
    bare = unescaped(lines.replace(GONE, "") if GONE in lines else lines)
    if bare and (uris := UriList.of(bare, len(texts))):
        return Column(uris)
    column = column_of(datatypes.URL, texts) or Column([None] * len(texts))
    missing = (n for n, value in enumerate(column.values) if value is None)
    return column._replace(odd={*column.odd, *missing})


def raw_loc_column(texts: Sequence[str]) -> Column | None:
    """Make the column of URLs of a block that was not cleaned; None if it has to be."""
    lines = "\n".join([*texts, ""])
    column = loc_column(texts, lines)
    is_clean = isinstance(column.values, UriList) or cleaned(lines.encode()) is not None
    return column if is_clean else None


def gathered(values: Iterable[Any], counts: Sequence[int]) -> list[tuple[Any, ...]]:
    """Gather so many values each into tuples."""
    rest = iter(values)
    return [tuple(islice(rest, count)) if count else () for count in counts]


def owners(numbers: Collection[int], counts: Sequence[int]) -> list[int]:
    """Return the numbers of those to whom the values with these numbers belong."""
    if not numbers:
        return []
    all_owners = list(chain.from_iterable(map(repeat, range(len(counts)), counts)))
    return [all_owners[number] for number in numbers]


def attribute_column(kind: Datatype, texts: Sequence[str | None]) -> Column | None:
    """
    Make a column of the values of an attribute, None if no element has it.

    Values with white space of which a parser makes spaces are odd.
    """
    if texts.count(None) == len(texts):
        return None
    filled = _filled(texts)
    together = "\0".join(filled)
    if kind not in _READERS or _are_words(kind, texts):
        column = _words(kind, texts)
    else:
        column = _READERS[kind](filled, together)
    if "\n" not in together and "\t" not in together:
        return column
    odd = (row for row, text in enumerate(filled) if "\n" in text or "\t" in text)
    return column._replace(odd={*column.odd, *odd})


def _filled(texts: Sequence[str | None]) -> Sequence[str]:
    if None in texts:
        return [text or "" for text in texts]
    return cast("Sequence[str]", texts)


# ---- texts, also in one with a NUL between them


def _undone(together: str) -> str:
    """Undo references, which are known to be right."""
    if GONE in together:
        together = together.replace(GONE, "")
    return unescaped(together) or ""


def _texts(texts: Sequence[str], together: str) -> Column:
    undone = _undone(together)
    trimmed = list(map(str.strip, texts if undone == together else undone.split("\0")))
    return Column(trimmed if all(trimmed) else [text or None for text in trimmed])


def _dates(texts: Sequence[str], together: str) -> Column:
    column = _texts(texts, together)
    if w3cdate.are_w3c(text or "" for text in column.values):
        return column
    dates = enumerate(column.values)
    return column._replace(odd=[n for n, date in dates if date and not w3cdate.is_w3c(date)])


def _urls(texts: Sequence[str], together: str) -> Column:
    """Take absolute http(s) URLs without white space as they are."""
    undone = _undone(together)
    if "\n" not in undone and (found := split_urls(undone.replace("\0", "\n") + "\n", len(texts))):
        return Column(found)
    column = _texts(texts, together)
    filled = [text for text in column.values if text]
    if not filled or split_urls("\n".join([*filled, ""]), len(filled)):
        return column
    rows = enumerate(column.values)
    return column._replace(odd=[n for n, text in rows if text and not split_urls(f"{text}\n", 1)])


def _words(kind: Datatype, texts: Sequence[str | None], *, is_wanted: bool = True) -> Column:
    """Parse each text that there is once."""
    problems: list[str] = []

    def on_problem(code: str, message: str) -> None:
        problems.append(code)

    values: dict[str | None, Any] = {}
    odd_texts = set[str | None]()
    different = {*texts}
    for text in different:
        trimmed = _undone(text).strip() if text else ""
        values[text] = kind.parse(trimmed, on_problem) if trimmed else None
        if problems:
            odd_texts.add(text)
            problems.clear()
    odd = [n for n, text in enumerate(texts) if text in odd_texts] if odd_texts else ()
    if not is_wanted:  # only None matters, which stands for all that is empty
        values = {text: None if value is None else text for text, value in values.items()}
    if all(text == value for text, value in values.items()):
        return Column(texts, odd)
    return Column([values[text] for text in texts], odd)


def _are_words(kind: Datatype, texts: Sequence[str | None]) -> bool:
    """Return whether most texts of a column seem to be the same few ones, such as languages."""
    return kind is datatypes.TEXT and len({*texts[:_SAMPLE]}) <= _FEW < len(texts)


#: Where so many texts of the first of a column differ, parsing each once does not pay off.
_SAMPLE, _FEW = 100, 20


def _may_be_blank(text: str | None) -> bool:
    """Return whether a text may say nothing, though it is not empty; it begins like one then."""
    return text is not None and text[:1] in _BEGIN_BLANK


_BEGIN_BLANK = frozenset(f"&{GONE}").union(filter(str.isspace, map(chr, range(0x3001))))

_READERS: dict[Datatype, Callable[[Sequence[str], str], Column]] = {
    datatypes.TEXT: _texts,
    datatypes.DATE: _dates,
    datatypes.URL: _urls,
}
