"""
Test `check`, `--fix`, writers and readers with damaged documents for some minutes.

    python -m tests.property.fuzz --minutes 20 --seed 1

A document that fails is reduced and saved in `tests/property/found/`; the tests include it from
then on. The exit status is 1 if any document failed.
"""

import argparse
import hashlib
import logging
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.property.mutations import Seed, collect_seeds, mutate
from tests.property.targets import TARGETS

__all__ = ["FOUND", "find_failure", "make_cases", "minimize"]

FOUND = Path(__file__).parent / "found"
#: A case takes milliseconds; one that takes this many seconds is a finding, too.
_SLOW = 20.0


def make_cases(seed: int, count: int) -> list[Seed]:
    """Return `count` damaged documents, always the same for a seed."""
    random, seeds = Random(seed), collect_seeds()
    return [mutate(random, seeds) for _ in range(count)]


def find_failure(target: str, seed: Seed) -> str | None:
    """
    Run a target on a document; return a description of its failure, or None.

    The same defect has the same description.
    """
    try:
        TARGETS[target](seed)
    except Exception as error:  # noqa: BLE001 - any exception is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        said = str(error).partition(":")[0][:60] if isinstance(error, AssertionError) else ""
        return f"{type(error).__name__} {place.name} {said}"
    return None


def minimize(seed: Seed, fails: Callable[[Seed], bool], tries: int = 1500) -> Seed:
    """Remove parts of a failing document while `fails` returns True, with at most `tries` calls."""
    data, size = seed.data, max(len(seed.data) // 2, 1)
    while size and tries:
        at = 0
        while at < len(data) and tries:
            smaller = data[:at] + data[at + size :]
            tries -= 1
            if fails(Seed(seed.format, smaller)):
                data = smaller
            else:
                at += size
        size //= 2
    return Seed(seed.format, data)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--targets", nargs="+", choices=list(TARGETS), default=list(TARGETS))
    parser.add_argument("--save", type=Path, default=FOUND, help="folder for what is found")
    options = parser.parse_args()
    warnings.simplefilter("error")
    logging.disable()  # there are many problems
    os.environ["SOURCE_DATE_EPOCH"] = "1790000000"
    random, seeds = Random(options.seed), collect_seeds()
    end = time.monotonic() + 60 * options.minutes
    runs, defects = Counter[str](), Counter[str]()
    while time.monotonic() < end:
        case = mutate(random, seeds)
        for target in options.targets:
            began = time.monotonic()
            word = find_failure(target, case)
            if time.monotonic() - began > _SLOW:
                word = word or "slow"
            runs[target] += 1
            if word:
                defects[f"{target}: {word}"] += 1
                if defects[f"{target}: {word}"] == 1:
                    _save(target, word, case, options.save)
    for defect, count in defects.most_common():
        print(f"{count:6,}  {defect}")
    reported = ", ".join(f"{count:,} {name}" for name, count in runs.items())
    print(f"{sum(runs.values()):,} runs ({reported}); {sum(defects.values()):,} findings")
    return 1 if defects else 0


def _save(target: str, word: str, case: Seed, folder: Path) -> None:
    small = minimize(case, lambda value: find_failure(target, value) == word)
    name = hashlib.sha256(small.data).hexdigest()[:8]
    folder.mkdir(exist_ok=True)
    path = folder / f"{target}-{name}.{small.format}"
    path.write_bytes(small.data)
    print(f"{target}: {word}: {path}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
