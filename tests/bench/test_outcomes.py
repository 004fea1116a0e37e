"""The worst shape of a job determines its outcome, and is named in the report."""

from bench.checks import any_output
from bench.comparisons import Row
from bench.measure import Command, Run
from bench.outcomes import Outcome, group_by_job, group_by_shape

OURS, PEER = (Command(name, (), any_output) for name in ("sitemapx", "peer"))


def _outcome(name: str, seconds: float, job: str = "", note: str = "") -> Outcome:
    row = Row(name, OURS, PEER, goal=1.0, job=job)
    if note:
        return Outcome(row, note=note, is_ours=True)
    return Outcome(row, [(Run(seconds, 0, 0), Run(1, 1, 1))])


def _list_names(outcomes: list[Outcome]) -> list[str]:
    return [outcome.row.name for outcome in outcomes]


def test_job_is_shown_with_its_slowest_variant() -> None:
    all_of_them = [
        _outcome("a", 0.1),
        _outcome("job, one", 0.2, "job"),
        _outcome("job, two", 0.9, "job"),
        _outcome("b", 0.1),
    ]

    result = group_by_job(all_of_them)

    assert _list_names(result) == ["a", "job, worst of 2 shapes: two", "b"]
    assert result[1].value
    assert result[1].value.median == 0.9
    assert _list_names(group_by_shape(all_of_them)) == ["job, one", "job, two"]


def test_failure_is_worse_than_slowness() -> None:
    result = group_by_job(
        [_outcome("job, one", 9, "job"), _outcome("job, two", 0, "job", "failed")]
    )

    assert _list_names(result) == ["job, worst of 2 shapes: two"]
    assert result[0].is_bad


def test_job_of_one_shape_keeps_its_name() -> None:
    only = [_outcome("job, one", 0.2, "job")]

    assert (_list_names(group_by_job(only)), group_by_shape(only)) == (["job, one"], [])
