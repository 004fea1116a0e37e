"""Answers of search engines, as they are returned to the run."""

from sitemapx.submit.engines.exchange import Answer, Request, Steps
from sitemapx.submit.transport.dryrun import DryRunTransport
from sitemapx.submit.transport.transport import run_steps


def test_texts_have_no_control_characters() -> None:
    text = "bad \x1b[31mURL"

    def steps() -> Steps[Answer]:
        yield from list[Request]()
        return Answer(
            "refused", reason=text, action=text, refused={"a": text}, postponed={"b": text}
        )

    answer = run_steps(steps(), DryRunTransport(print), [])
    texts = [answer.reason, answer.action, answer.refused["a"], answer.postponed["b"]]

    assert ["bad \ufffd[31mURL"] * 4 == texts
