"""
Lazy public names: a package imports its module `public` on first use.

`sitemapx.convert` is both a package and a function: calling the package calls the function of the
same name in `sitemapx.public`.
"""

import sys

TYPE_CHECKING = False  # importing typing takes longer than editing robots.txt
if TYPE_CHECKING:
    from collections.abc import Callable
    from inspect import Signature
    from typing import Any


# A package that can be called like the function of the same name in `sitemapx.public`, and has its
# signature and help. Properties, so that the function is imported on first use.
class CallablePackage(type(sys)):  # type: ignore[misc]  # types is slow to import
    @property
    def __call__(self) -> "Callable[..., Any]":
        from importlib import import_module

        function: Callable[..., Any]
        function = getattr(import_module("sitemapx.public"), self.__name__.rpartition(".")[2])
        return function

    @property
    def __signature__(self) -> "Signature":
        from inspect import signature

        return signature(self.__call__)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from inspect import getdoc

        about = (getdoc(self.__call__) or "").partition("\n\nExamples:")[0]
        return f"{vars(self)['__doc__']}\n`{self.__name__}` is also a function:\n\n{about}\n"


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
