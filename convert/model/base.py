"""The base of an entry and of all its parts."""

from msgspec import Struct

__all__ = ["Model"]


# gc=False: entries hold only strings, numbers and tuples of their like, so they cannot form
# cycles, and the garbage collector need not look at millions of them.
class Model(Struct, frozen=True, omit_defaults=True, gc=False):
    """The base of an entry and its parts: immutable, no key in JSON when empty."""
