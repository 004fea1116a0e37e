"""
Decides which states of a URL are due, by what sets list now and what an engine knows.

A URL is due if it is new to the engine, or if its set says that it changed since the engine was
told of it by any set. Nothing here reads or writes the journal.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sitemapx.convert.values.w3cdate import moment

#: Fingerprints of these lengths are dates: a year, a month, a day or a second. No hash has one.
DATE_LENGTHS = (4, 7, 10, 20)
_SECOND = DATE_LENGTHS[-1]


class ListedState(NamedTuple):
    """The state in which a set lists a URL now; the fields are columns of `temp.current`."""

    set_id: int
    fingerprint: str
    may_expire: bool


class KnownState(NamedTuple):
    """What an engine knows of a URL by way of a set; the fields are columns of `entries`."""

    set_id: int
    may_expire: bool
    fingerprint: str | None = None
    submitted_at: float | None = None
    tried_at: float | None = None
    due: str | None = None
    refused: str | None = None
    unconfirmed: int = 0
    hubs: str | None = None


def known_states(
    listed: Iterable[ListedState], known: Sequence[KnownState], *, repeats: bool
) -> list[KnownState]:
    """
    Return what an engine knows of a URL, with everything that is due now.

    Args:
        listed: States of the URL in the sets that list it.
        known: What the engine knew so far, one state for each set.
        repeats: Whether the URL is due even if the engine accepted it in the same state.

    """
    states = {state.set_id: state for state in known}
    for now in listed:
        state = states.get(now.set_id) or KnownState(now.set_id, now.may_expire)
        if _has_reverted(state, now):
            state = states[now.set_id] = state._replace(due=None)
        is_new = now.fingerprint != state.refused and _is_new(state, now)
        is_repeated = repeats and state.due is None
        if not (is_new or is_repeated):
            continue
        submitted_at = _told_by_others(known, state, now) if is_new and state.due is None else None
        if submitted_at is not None:
            state = state._replace(fingerprint=now.fingerprint, submitted_at=submitted_at)
        if submitted_at is None or is_repeated:
            hubs = None if repeats else state.hubs
            state = state._replace(
                due=now.fingerprint, may_expire=now.may_expire, refused=None, hubs=hubs
            )
        states[now.set_id] = state
    return list(states.values())


def is_recent(known: Iterable[KnownState], now: float, interval: float) -> bool:
    """Return whether the engine was told of a URL less than an interval ago."""
    # An earlier clock that was wrong holds nothing back for longer than the interval.
    return any(
        state.fingerprint is not None and abs(now - (state.submitted_at or 0)) < interval
        for state in known
    )


def _has_reverted(state: KnownState, now: ListedState) -> bool:
    """Return whether the state that the engine accepted last is the current one again."""
    return (
        state.due not in (None, state.fingerprint)
        and state.fingerprint == now.fingerprint != ""
        and not state.unconfirmed
        and {*json.loads(state.hubs or "{}").values()} <= {state.fingerprint}
    )


def _is_new(state: KnownState, now: ListedState) -> bool:
    """Return whether a state is not the one that the engine knows, or is to be told."""
    if state.due is not None:
        return state.due != now.fingerprint
    if state.fingerprint is None or state.unconfirmed:
        return True
    return now.fingerprint not in ("", state.fingerprint)


def _told_by_others(
    known: Iterable[KnownState], state: KnownState, now: ListedState
) -> float | None:
    """Return when the engine was told of a state by way of another set; None if it was not."""
    times = [
        other.submitted_at or 0.0
        for other in known
        if other.set_id != now.set_id and _is_later(other, state) and _covers(other, now)
    ]
    return max(times, default=None)


def _is_later(other: KnownState, state: KnownState) -> bool:
    """Return whether the engine was told of a URL by another set later, or of a newer state."""
    if other.fingerprint is None or other.unconfirmed:
        return False
    if state.fingerprint is None or other.submitted_at != state.submitted_at:
        return state.fingerprint is None or (other.submitted_at or 0) > (state.submitted_at or 0)
    size = min(len(other.fingerprint), len(state.fingerprint))
    return other.fingerprint[:size] > state.fingerprint[:size]


def _covers(other: KnownState, now: ListedState) -> bool:
    """
    Return whether a state that the engine was told of is as new as one that is listed now.

    Dates are compared as far as both of them go. Of a change later on that day a day says nothing.
    """
    told, listed = other.fingerprint or "", now.fingerprint
    if listed in ("", told):
        return True
    if len(told) not in DATE_LENGTHS or len(listed) not in DATE_LENGTHS:
        return False
    size = min(len(told), len(listed))
    if listed[:size] > told[:size]:
        return False
    is_precise = len(listed) < _SECOND or len(told) == _SECOND
    return is_precise or (other.submitted_at or 0) >= moment(listed).timestamp()
