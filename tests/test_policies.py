"""The examples of docs/policies.md are true."""

import io

import msgspec
import pytest

from sitemapx.convert import Problem, read
from tests.policies import POLICIES, Policy


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.question)
def test_example_of_policy_holds(policy: Policy) -> None:
    problems: list[Problem] = []
    document = read(io.BytesIO(policy.source), source_url=policy.url, report=problems.append)
    entries = [msgspec.to_builtins(entry) for entry in document]

    assert msgspec.json.encode(policy.entries) == msgspec.json.encode(entries)
    assert policy.codes == [problem.code for problem in problems]
