"""
The number of examples and seeds: few by default, more in CI.

    pytest                                        # default
    pytest -m "" --hypothesis-profile=thorough    # CI
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

__all__ = ["examples", "register_profiles", "seeds", "slow"]

#: Mark of tests that only CI runs.
slow = pytest.mark.slow
_FEWEST, _SHARE = 4, 15


def register_profiles() -> None:
    """Register the profiles of Hypothesis; `--hypothesis-profile` selects one."""
    settings.register_profile(
        "quick",
        deadline=None,
        database=None,
        derandomize=True,
        max_examples=20,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.register_profile(
        "thorough", settings.get_profile("quick"), derandomize=False, max_examples=100
    )
    settings.load_profile("quick")


def examples(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Test `count` examples of a property with the profile `thorough`, and fewer by default."""
    if settings.get_current_profile_name() != "thorough":
        count = max(_FEWEST, count // _SHARE)
    return settings(max_examples=count)


def seeds(quick: int, thorough: int) -> list[Any]:
    """Return the parameters 0 to `thorough` - 1; those from `quick` on are marked slow."""
    return [*range(quick), *(pytest.param(n, marks=slow) for n in range(quick, thorough))]
