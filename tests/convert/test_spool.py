"""What one process leaves for another."""

from hypothesis import given
from hypothesis import strategies as st

from sitemapx.convert.spool import Span, Spool

_CELL = 1 << 20


@given(st.lists(st.tuples(st.integers(0, 3 * _CELL), st.integers(0, 9)), max_size=20))
def test_order(steps: list[tuple[int, int]]) -> None:
    """Whatever is put, and in whatever order it is taken, the bytes are the same."""
    spool, left = Spool(), list[tuple[bytes, Span]]()
    for number, (length, take) in enumerate(steps):
        data = bytes([number]) * length
        left.append((data, spool.put(data)))
        if take < len(left):
            data, span = left.pop(take)
            assert spool.take(span) == data
    assert all(spool.take(span) == data for data, span in left)
    assert spool.put(b"x") == Span([0], 1)
    spool.close()


def test_used_again() -> None:
    """The file becomes no longer than what is in it at once, in whole cells."""
    spool = Spool()
    spans = [spool.put(b"a" * (_CELL + 1)), spool.put(b"b")]
    for number in range(20):
        assert spool.take(spans.pop(0))[-1:] == b"ab"[number % 2 :][:1]
        spans.append(spool.put(b"ab"[number % 2 :][:1] * (1 if number % 2 else _CELL + 1)))
        assert max(spans[-1].cells) < 3
    spool.close()
