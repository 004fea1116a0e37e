"""Steps end with a result, and never with an exception, for any response of an engine."""

import json
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapx.convert.model.document import Head
from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import Engine, ItemKind, Setup, SubmissionBatch, SubmissionItem
from sitemapx.submit.engines.exchange import Answer, Reply, Steps
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.secrets.secret import Secret

T = TypeVar("T")
SITE = "https://www.example.com"
#: More requests than any engine needs for a batch.
_MOST = 30
_WORDS = ["", "x", SITE, f"{SITE}/0", "https:www.example.com:443", "QUOTA_EXCEEDED", "site error"]
_KEYS = [
    *("d", "ErrorCode", "Message", "DailyQuota", "user_id", "hosts", "host_id", "verified"),
    *("quota_remainder", "error_code", "error_message", "success", "remain", "not_valid"),
    *("message", "error", "errors", "reason", "siteEntry", "siteUrl", "permissionLevel", "api"),
]


def _objects(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(st.sampled_from(_KEYS), values, max_size=4)


_values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 5), st.floats(0, 1), st.sampled_from(_WORDS)
    ),
    lambda inner: st.lists(inner, max_size=2) | _objects(inner),
    max_leaves=8,
)
_texts = st.one_of(
    (_values | _objects(_values)).map(json.dumps),
    st.sampled_from(["", "<html>", '{"d":', "[" * 100_000, "<methodResponse><fault/>", "\x1b[2J"]),
)
_headers = st.sampled_from(
    [
        {},
        {"location": "http://["},
        {"link": '<http://[>; rel="hub"'},
        {"link": '<>; rel="hub self", ;;,='},
    ]
)
_replies = st.builds(
    Reply,
    st.sampled_from([None, 200, 202, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 999]),
    _headers,
    _texts,
    st.sampled_from(["", "", "", "connection reset"]),
    st.sampled_from([0.0, 9.0]),
)


def _result(steps: Steps[T], replies: st.DataObject) -> T:
    """Run steps to their end with random replies, and return the result."""
    try:
        request = next(steps)
        for _ in range(_MOST):
            reply = replies.draw(_replies)
            request.is_pointless(reply)
            request = steps.send(reply)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("no end")


def _batches(engine: type[Engine]) -> list[SubmissionBatch]:
    hubs = "http://hub.example/", "http://other.example/"
    heads = [None, Head(), Head(hubs=hubs, self_link=f"{SITE}/me")]
    return [_batch(kind, size, head) for kind, size in engine.about.takes.items() for head in heads]


def _batch(kind: ItemKind, size: int, head: Head | None) -> SubmissionBatch:
    items = [SubmissionItem(f"{SITE}/{n}", head=head) for n in range(min(size, 3))]
    return SubmissionBatch(kind, "www.example.com", SITE, items)


@pytest.mark.parametrize(
    "engine", [one for one in all_engines() if one.about.takes], ids=lambda one: one.about.name
)
@settings(deadline=None)
@given(replies=st.data())
def test_any_response_yields_an_answer_or_a_refusal(
    engine: type[Engine], replies: st.DataObject
) -> None:
    secrets = {name: Secret(name, lambda: "0123456789") for name in engine.about.secrets}
    batch = replies.draw(st.sampled_from(_batches(engine)))
    submitter = engine(Setup(secrets=secrets))
    try:
        _result(submitter.open(batch.kind, batch.host, batch.site), replies)
        answer = _result(submitter.send(batch), replies)
    except RefusedError as error:
        answer = error.answer
    assert isinstance(answer, Answer)
    assert set(answer.refused) <= set(batch.urls)
