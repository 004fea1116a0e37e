"""A baseline hides each known finding as often as it was recorded, and no other finding."""

import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapx.check.findings import Finding
from sitemapx.check.suppressions import Baseline, BaselineWriter
from sitemapx.errors import InputError

_CODES = ["bad-date", "no-loc", "unreadable"]
_FINDINGS = st.builds(
    Finding,
    code=st.sampled_from(_CODES),
    severity=st.just("error"),
    message=st.sampled_from(["a", "b", "\u2028\n"]),
    source=st.sampled_from(["a.xml", "https://e.example/a.xml", None]),
    line=st.integers(1, 9),
    loc=st.sampled_from(["https://e.example/", None]),
)


@pytest.fixture(autouse=True, scope="module")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("baseline"))
        yield


def _identity(finding: Finding) -> tuple[str, str | None, str | None]:
    return finding.code, finding.source, finding.loc


@given(st.lists(_FINDINGS), st.lists(_FINDINGS))
def test_known_findings_are_hidden_as_often_as_recorded(
    old: list[Finding], new: list[Finding]
) -> None:
    path = Path("baseline.json")
    writer, out = BaselineWriter(str(path)), io.StringIO()
    recorded = [finding for finding in old if writer.hides(finding)]
    writer.write(out.write)
    path.write_text(out.getvalue(), encoding="utf-8")
    baseline = Baseline(str(path))
    shown = Counter(_identity(finding) for finding in new if not baseline.hides(finding))
    known = Counter(map(_identity, recorded))

    assert [finding for finding in old if finding.code != "unreadable"] == recorded
    assert shown == Counter(map(_identity, new)) - known
    assert baseline.hidden == len(new) - shown.total()


def test_gone_findings_are_counted_in_checked_files() -> None:
    writer, out = BaselineWriter("b.json"), io.StringIO()
    for source in ("a.xml", "b.xml", "b.xml"):
        writer.hides(Finding("no-loc", "error", "none", source))
    writer.write(out.write)
    Path("b.json").write_text(out.getvalue())

    assert 2 == Baseline("b.json").count_resolved({"b.xml"})
    assert 0 == Baseline("b.json").count_resolved({"c.xml"})


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version":1,"findings":[["a"]]}', "\xff"])
def test_invalid_baseline_is_rejected(text: str) -> None:
    Path("b.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"b.json: not a baseline; .*`write_baseline`"):
        Baseline("b.json")
