"""Of a job with several shapes the worst one counts, and is named."""

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


def _names(outcomes: list[Outcome]) -> list[str]:
    return [outcome.row.name for outcome in outcomes]


def test_worst() -> None:
    """A job has one row where its first shape was, and the slowest gives the value."""
    all_of_them = [
        _outcome("a", 0.1),
        _outcome("job, one", 0.2, "job"),
        _outcome("job, two", 0.9, "job"),
        _outcome("b", 0.1),
    ]

    found = group_by_job(all_of_them)

    assert _names(found) == ["a", "job, worst of 2 shapes: two", "b"]
    assert found[1].value
    assert found[1].value.median == 0.9
    assert _names(group_by_shape(all_of_them)) == ["job, one", "job, two"]


def test_failure_is_worst() -> None:
    """What sitemapx could not do is worse than what it did slowly."""
    found = group_by_job([_outcome("job, one", 9, "job"), _outcome("job, two", 0, "job", "failed")])

    assert _names(found) == ["job, worst of 2 shapes: two"]
    assert found[0].is_bad


def test_job_of_one_shape() -> None:
    """A job of one shape keeps the name of its row, and has no table of its own."""
    only = [_outcome("job, one", 0.2, "job")]

    assert (_names(group_by_job(only)), group_by_shape(only)) == (["job, one"], [])
