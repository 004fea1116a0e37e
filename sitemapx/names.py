"""
Lazy public names: a package imports its module `public` on first use.

`sitemapx.convert` is both a package and a function: calling the package calls the function of the
same name in `sitemapx.public`.
"""

import sys

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class CallablePackage(type(sys)):  # type: ignore[misc]  # types is slow to import
    """A package that can be called like the function of the same name in `sitemapx.public`."""

    def __call__(self, *args: object, **options: object) -> object:
        from importlib import import_module

        function = getattr(import_module("sitemapx.public"), self.__name__.rpartition(".")[2])
        return function(*args, **options)


def public_names(package: str) -> "tuple[Callable[[str], Any], Callable[[], list[str]]]":
    """
    Return `__getattr__` and `__dir__` for a package, and make the package callable.

    Both import the module `public` of the package on demand, so that importing one module of the
    package does not import all modules with public names.
    """
    from importlib import import_module

    sys.modules[package].__class__ = CallablePackage

    def get(name: str) -> "Any":
        path = sys.modules[package].__path__
        if any(finder.find_spec(f"{package}.{name}", path) for finder in sys.meta_path):
            raise AttributeError(name)  # a module; the import system imports it after this error
        public = import_module(f"{package}.public")
        try:
            return getattr(public, name)
        except AttributeError:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=sys.modules[package]) from None

    def names() -> list[str]:
        return list(import_module(f"{package}.public").__all__)

    return get, names
