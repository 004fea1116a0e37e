"""Due states of a URL, given the sets that list it and the state that the engine knows."""

import pytest

from sitemapx.submit.journal.decisions import KnownState, ListedState, is_recent, known_states

DAY, SECOND, LATER = "2026-03-01", "2026-03-01T10:00:00Z", "2026-03-01T12:00:00Z"
#: 11 o'clock on that day.
ELEVEN = 1_772_362_800.0
HASH, OTHER_HASH = "0123456789abcdef01234567", "f123456789abcdef01234567"


def _accepted(fingerprint: str, set_id: int = 1, submitted_at: float = ELEVEN) -> KnownState:
    return KnownState(set_id, False, fingerprint, submitted_at)


def _due(listed: str, *known: KnownState, repeats: bool = False) -> str | None:
    """Return the due state of a URL that set 1 lists; None if it is not due."""
    states = known_states([ListedState(1, listed, False)], known, repeats=repeats)
    (own,) = (state for state in states if state.set_id == 1)
    return own.due


@pytest.mark.parametrize("listed", ["", DAY, SECOND, HASH])
def test_new_url_is_due(listed: str) -> None:
    assert _due(listed) == listed


@pytest.mark.parametrize(
    ("accepted", "listed", "due"),
    [
        (DAY, DAY, None),
        (DAY, "2026-03-02", "2026-03-02"),
        ("2026-03-02", DAY, DAY),
        (HASH, OTHER_HASH, OTHER_HASH),
        (HASH, "", None),
        ("", DAY, DAY),
    ],
)
def test_changed_url_is_due(accepted: str, listed: str, due: str | None) -> None:
    assert _due(listed, _accepted(accepted)) == due


def test_reverted_url_is_not_due() -> None:
    assert _due(DAY, _accepted(DAY)._replace(due="2026-03-02")) is None


@pytest.mark.parametrize(
    ("unconfirmed", "hubs"), [(1, None), (0, '{"https://hub.example/": "2026-03-02"}')]
)
def test_reverted_url_is_due_if_the_engine_may_know_another_state(
    unconfirmed: int, hubs: str | None
) -> None:
    known = _accepted(DAY)._replace(due="2026-03-02", unconfirmed=unconfirmed, hubs=hubs)

    assert _due(DAY, known) == DAY


def test_unconfirmed_removal_makes_url_due_again() -> None:
    assert _due(DAY, _accepted(DAY)._replace(unconfirmed=1)) == DAY


def test_refused_state_is_not_due() -> None:
    refused = KnownState(1, False, refused=DAY)

    assert _due(DAY, refused) is None
    assert _due("2026-03-02", refused) == "2026-03-02"
    assert _due(DAY, refused, repeats=True) == DAY


def test_repeated_url_is_due_in_the_same_state() -> None:
    assert _due(DAY, _accepted(DAY), repeats=True) == DAY


@pytest.mark.parametrize(
    ("accepted", "listed", "is_due"),
    [
        (DAY, DAY, False),
        (DAY, "2026-03", False),
        (SECOND, DAY, False),
        (DAY, SECOND, False),  # the engine accepted it later
        (DAY, LATER, True),
        (SECOND, LATER, True),
        (LATER, SECOND, False),
        (HASH, DAY, True),
        (DAY, HASH, True),
        (HASH, "", False),
    ],
)
def test_newer_state_of_another_set_is_due(accepted: str, listed: str, *, is_due: bool) -> None:
    assert (_due(listed, _accepted(accepted, set_id=2)) is not None) == is_due


def test_older_message_of_another_set_does_not_count() -> None:
    older = _accepted("2026-03-02", set_id=2, submitted_at=ELEVEN - 1)

    assert _due(DAY, _accepted("2026-02-01"), older) == DAY
    assert _due(DAY, _accepted("2026-02-01"), older._replace(submitted_at=ELEVEN)) is None


def test_url_is_due_for_each_set_that_lists_it() -> None:
    listed = [ListedState(1, DAY, False), ListedState(2, SECOND, True)]
    states = known_states(listed, [], repeats=False)

    assert [(1, DAY, False), (2, SECOND, True)] == [(s.set_id, s.due, s.may_expire) for s in states]


@pytest.mark.parametrize(("now", "recent"), [(10, True), (-10, True), (300, False)])
def test_recent_submission_delays_the_next_by_the_interval(now: float, *, recent: bool) -> None:
    """A timestamp in the future, from a wrong clock, delays by at most the interval."""
    assert is_recent([_accepted(DAY)], ELEVEN + now, 300) == recent
    assert not is_recent([KnownState(1, False, due=DAY)], ELEVEN + now, 300)
