"""Hypothesis strategies for valid and invalid robots.txt files, and for edits."""

from collections.abc import Callable

from hypothesis import strategies as st

from sitemapx.submit.robots.file import RobotsFile

OLD = "https://e.example/old.xml"
NEW = "https://e.example/new.xml"
PAGES = [f"https://e.example{path}" for path in ("/", "/private", "/private/a", "/x")]
AGENTS = ["Googlebot", "bing", "other"]

_BOM = b"\xef\xbb\xbf"
# fmt: off
_LINES = [
    "User-agent: *", "User-agent: Googlebot", "user-agent : bing", "Disallow: /private",
    "Allow: /", "Disallow:", "Crawl-delay: 5", "# a comment", "", "   ", "Host: e.example", "junk",
    "Dis: ä", f"Sitemap: {OLD}", "sitemap:https://e.example/b.xml # old", "Sitemap:",
    "  SITEMAP : /relative.xml", "Site-map: https://e.example/c.xml", f"Sitemaps: {OLD}#x",
    "#Sitemap: https://e.example/d.xml", "Sitmap: https://e.example/e.xml",
]
# fmt: on
_ends = st.sampled_from(["\n", "\r\n", "\r"])
_line_lists = st.lists(st.sampled_from(_LINES), max_size=14)


def _file(lines: list[str], ends: list[str], has_bom: bool, has_end: bool) -> bytes:
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    text = text if has_end or not ends else text.removesuffix(ends[-1])
    return _BOM * has_bom + text.encode()


#: Files with one kind of line end.
uniform_files = st.builds(
    lambda lines, end, *rest: _file(lines, [end] * len(lines), *rest),
    *(_line_lists, _ends, st.booleans(), st.booleans()),
)
#: Files with any line ends, which may join where a line between them goes.
files = st.one_of(
    uniform_files,
    st.builds(
        lambda pairs, *rest: _file([line for line, _ in pairs], [end for _, end in pairs], *rest),
        *(st.lists(st.tuples(st.sampled_from(_LINES), _ends), max_size=14), st.booleans()),
        st.booleans(),
    ),
)

Edit = Callable[[RobotsFile], bool]
_urls = st.sampled_from([OLD, NEW, "https://e.example/b.xml", "/relative.xml"])
_absolute = st.sampled_from([OLD, NEW, "https://e.example/b.xml"])
#: Each is the same when it is done twice.
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(lambda url: lambda robots: robots.add(url), _absolute),
    st.builds(lambda url: lambda robots: robots.remove(url), _urls),
    st.builds(lambda old, new: lambda robots: robots.replace(old, new), _urls, _absolute),
    st.builds(
        lambda urls: lambda robots: robots.sync(urls),
        st.lists(_absolute, max_size=3),
    ),
)
