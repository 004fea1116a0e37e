"""Tables of registries are refreshed from a copy of their sources, or left as they are."""

import json
import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from sitemapx.submit.robots.crawlers import CRAWLERS
from tests.conftest import ROOT
from tests.refresh import TABLES, main
from tests.servers import Answer, Server

_TODAY = date(2027, 3, 9)
_TLDS = "/data.iana.org/TLD/tlds-alpha-by-domain.txt"
_SPECIAL = "/www.iana.org/assignments/iana-{0}-special-registry/iana-{0}-special-registry-1.csv"
_ENGINES = "/www.indexnow.org/searchengines.json"
_HEAD = (
    "Address Block,Name,RFC,Allocation Date,Termination Date,Source,Destination,Forwardable,"
    "Globally Reachable,Reserved-by-Protocol\r\n"
)
_IPV4 = (
    '0.0.0.0/8,"""This network""",[RFC791],1981-09,N/A,True,False,False,False,True\r\n'
    "192.0.0.0/24 [2],IETF Protocol Assignments,[RFC6890],2010-01,N/A,False,False,False,False,False"
    "\r\n"
    '"192.0.0.170/32, 192.0.0.171/32",NAT64/DNS64 Discovery,"[RFC8880][RFC7050], Section 2.2",'
    "2013-02,N/A,False,False,False,False,True\r\n"
    "192.88.99.0/24,Deprecated (6to4 Relay Anycast),[RFC7526],2001-06,2015-03,,,,,\r\n"
    '255.255.255.255/32,Limited Broadcast,"[RFC8190]\n        [RFC919], Section 7",1984-10,N/A,'
    "False,True,False,False,True\r\n"
)
_IPV6 = (
    "2001::/32,TEREDO,[RFC4380],2006-01,N/A,True,True,True,N/A [2],False\r\n"
    "2001:3::/32,AMT,[RFC7450],2014-12,N/A,True,True,True,True,False\r\n"
)


def _fill(rows: str) -> bytes:
    """Return a registry with about as many rows as the real ones."""
    more = "".join(f"10.{n}.0.0/16,Test,[RFC1],2000-01,N/A,T,T,T,True,False\r\n" for n in range(25))
    return (_HEAD + rows + more).encode()


@pytest.fixture
def mirror(server: Server) -> Server:
    tlds = ["COM", "XN--P1AI", *(f"GENERIC{number}" for number in range(1000)), "ZULU"]
    answers = {
        _TLDS: "# Version 2027030900\n" + "\n".join(tlds),
        _ENGINES: json.dumps(
            {name: f"https://{name}.example/meta.json" for name in ("one", "two", "three")}
        ),
        "/one.example/meta.json": json.dumps({"api": "https://one.example/indexnow"}),
        "/two.example/meta.json": json.dumps({"api": "https://two.example/x", "unsubscribe": True}),
        "/three.example/meta.json": json.dumps({"api": "https://three.example/indexnow"}),
    }
    pages: dict[str, str] = {}
    for crawler in CRAWLERS:
        path = crawler.source.removeprefix("https:/")
        pages[path] = f"{pages.get(path, '')} <b>{crawler.token}</b>"
    server.answers |= {path: Answer(text.encode()) for path, text in (answers | pages).items()}
    server.answers[_SPECIAL.format("ipv4")] = Answer(_fill(_IPV4))
    server.answers[_SPECIAL.format("ipv6")] = Answer(_fill(_IPV6))
    return server


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy the modules with tables to a directory, and return its path."""
    for table in TABLES:
        path = tmp_path / table.path
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / table.path, path)
    return tmp_path


def _values(module: Path) -> dict[str, object]:
    values: dict[str, object] = {}
    exec(module.read_text(), values)
    return values


def test_tables_are_written_with_the_date(mirror: Server, tree: Path) -> None:
    assert 0 == main(["--mirror", mirror.url], tree, _TODAY)

    domains = _values(tree / "convert/values/relative.py")["_TOP_LEVEL_DOMAINS"]
    assert isinstance(domains, frozenset)
    assert {"com", "xn--p1ai", "zulu", "generic7"} <= domains
    assert "museum" not in domains
    networks = _values(tree / "convert/http/ssrf.py")["_REGISTERED"]
    assert isinstance(networks, dict)
    expected = {"0.0.0.0/8": False, "192.0.0.0/24": False, "192.0.0.170/32": False}
    expected |= {"192.0.0.171/32": False, "192.88.99.0/24": False, "255.255.255.255/32": False}
    assert expected | {"2001:3::/32": True} == {
        block: value for block, value in networks.items() if not block.startswith("10.")
    }
    endpoints = _values(tree / "submit/engines/indexnow.py")["_OTHERS"]
    assert ("https://one.example/indexnow", "https://three.example/indexnow") == endpoints
    crawlers = (tree / "submit/robots/crawlers.py").read_text()
    assert {"2027-03"} == set(re.findall(r'"(20\d\d-\d\d)"', crawlers))
    for table in TABLES:
        assert not table.refresh or _TODAY.replace(day=1) <= min(
            table.dates((tree / table.path).read_text())
        )


@pytest.mark.parametrize(
    ("path", "answer", "message"),
    [
        (_ENGINES, Answer(status=503), "cannot read https:/"),
        (_TLDS, Answer(b"<html>Log in</html>"), "is not the list of top-level domains"),
        (_SPECIAL.format("ipv6"), Answer(b"<html>"), "is not iana-ipv6-special-registry"),
        ("/one.example/meta.json", Answer(b"{}"), "unexpected source of indexnow"),
        ("/commoncrawl.org/ccbot", Answer(b"<p>CCBot2"), "ccbot does not name CCBot"),
    ],
)
def test_nothing_is_changed_if_a_source_fails(
    path: str,
    answer: Answer,
    message: str,
    mirror: Server,
    tree: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = {table.path: (tree / table.path).read_text() for table in TABLES}
    mirror.answers[path] = answer

    assert 1 == main(["--mirror", mirror.url], tree, _TODAY)
    err = capsys.readouterr().err
    assert message in err
    assert err.endswith("\nnothing was changed\n")
    assert before == {table.path: (tree / table.path).read_text() for table in TABLES}


def test_only_the_named_table_is_refreshed(mirror: Server, tree: Path) -> None:
    assert 0 == main(["indexnow", "--mirror", mirror.url], tree, _TODAY)
    assert _ENGINES == mirror.requests[0]
    assert _TLDS not in mirror.requests


def test_age_is_checked(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table may be 180 days old, and no older."""
    for table in TABLES:
        path = tree / table.path
        text = re.sub(r"as of 20\d\d-\d\d-\d\d", "as of 2026-09-10", path.read_text())
        path.write_text(re.sub(r'"20\d\d-\d\d"', '"2026-10"', text))

    assert 0 == main(["--check"], tree, _TODAY)
    assert 1 == main(["--check"], tree, date(2027, 3, 10))
    out = capsys.readouterr().out
    assert (
        "convert/http/ssrf.py: special-networks is of 2026-09-10: run python -m tests.refresh"
        in out
    )
    assert "submit/engines/registry.py: engines is of 2026-09-10: compare it" in out
    assert "crawlers.py" not in out
