"""Words for messages."""

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """
    Put a number before what is counted.

    >>> counted(1, "page"), counted(1200, "entry", "entries")
    ('1 page', '1,200 entries')

    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
