"""
Decides which states of a URL are due, given the current sets and the states an engine accepted.

A state is the fingerprint of a URL in a set: its lastmod, or a hash. A URL is due if it is new to
the engine, or if it changed after the last submission through any set. Nothing here reads or writes
the journal.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sitemapx.convert.values.w3cdate import moment

#: Lengths of fingerprints that are dates: a year, a month, a day or a second. Hashes have other
#: lengths.
DATE_LENGTHS = (4, 7, 10, 20)
_SECOND = DATE_LENGTHS[-1]


class ListedState(NamedTuple):
    """The state in which a set lists a URL now; the fields are columns of `temp.current`."""

    set_id: int
    fingerprint: str
    may_expire: bool


class KnownState(NamedTuple):
    """State of a URL in a set, as recorded for an engine; the fields are columns of `entries`."""

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
    Return the states of a URL to record, with `due` set where the engine has to be notified.

    Args:
        listed: States of the URL in the sets that list it now.
        known: States recorded for the engine, one per set.
        repeats: Whether unchanged URLs are due as well.

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
        submitted_at = (
            _submitted_by_others(known, state, now) if is_new and state.due is None else None
        )
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
    """Return whether an accepted submission is less than `interval` seconds away from `now`."""
    # abs: a time far in the future, from a wrong clock, is not recent.
    return any(
        state.fingerprint is not None and abs(now - (state.submitted_at or 0)) < interval
        for state in known
    )


def _has_reverted(state: KnownState, now: ListedState) -> bool:
    """Return whether a due URL is back in the state that the engine accepted last."""
    return (
        state.due not in (None, state.fingerprint)
        and state.fingerprint == now.fingerprint != ""
        and not state.unconfirmed
        and {*json.loads(state.hubs or "{}").values()} <= {state.fingerprint}
    )


def _is_new(state: KnownState, now: ListedState) -> bool:
    """Return whether a state differs from the due or accepted one, or a removal is unconfirmed."""
    if state.due is not None:
        return state.due != now.fingerprint
    if state.fingerprint is None or state.unconfirmed:
        return True
    return now.fingerprint not in ("", state.fingerprint)


def _submitted_by_others(
    known: Iterable[KnownState], state: KnownState, now: ListedState
) -> float | None:
    """Return when `now` was last submitted by another set, later than `state`; None if never."""
    times = [
        other.submitted_at or 0.0
        for other in known
        if other.set_id != now.set_id and _is_later(other, state) and _covers(other, now)
    ]
    return max(times, default=None)


def _is_later(other: KnownState, state: KnownState) -> bool:
    """Return whether `other` was submitted later than `state`, or together in a newer state."""
    if other.fingerprint is None or other.unconfirmed:
        return False
    if state.fingerprint is None or other.submitted_at != state.submitted_at:
        return state.fingerprint is None or (other.submitted_at or 0) > (state.submitted_at or 0)
    size = min(len(other.fingerprint), len(state.fingerprint))
    return other.fingerprint[:size] > state.fingerprint[:size]


def _covers(other: KnownState, now: ListedState) -> bool:
    """
    Return whether a submitted state is at least as new as a listed one.

    Dates are compared at the lower of the two precisions. A submitted day does not cover a time on
    that day, unless the submission was later than that time.
    """
    submitted, listed = other.fingerprint or "", now.fingerprint
    if listed in ("", submitted):
        return True
    if len(submitted) not in DATE_LENGTHS or len(listed) not in DATE_LENGTHS:
        return False
    size = min(len(submitted), len(listed))
    if listed[:size] > submitted[:size]:
        return False
    is_precise = len(listed) < _SECOND or len(submitted) == _SECOND
    return is_precise or (other.submitted_at or 0) >= moment(listed).timestamp()
