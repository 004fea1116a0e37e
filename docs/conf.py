"""
The documentation site, made by Sphinx: `sphinx-build -W docs site` from the root of the project.

Its own sitemap is made by sitemapx when all pages are there.
"""

import tomllib
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util import logging

from sitemapx import __version__
from sitemapx.convert import Opener, convert, target_of
from sitemapx.convert.steps import exclude

_LOG = logging.getLogger(__name__)
_ROOT = Path(__file__).parent.parent
_URLS = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]["urls"]

project = "sitemapx"
author = "The sitemapx developers"
copyright = author  # noqa: A001 - the name is Sphinx's
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["man"]
html_extra_path = ["sitemapx.schema.json"]
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme = "furo"
html_title = f"sitemapx {__version__}"
html_baseurl = _URLS["Documentation"]
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "source_repository": _URLS["Source"],
    "source_branch": "main",
    "source_directory": "docs/",
}

#: Only commands are copied, without their prompts and output.
copybutton_prompt_text = "$ "

#: Headings can be linked to by the anchors that GitHub gives them.
myst_heading_anchors = 3

#: Docstrings mark code as Markdown does.
default_role = "code"

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
#: `type[Engine]` is the type of Python, whatever has a field of that name; and bad examples are
#: shown as they are.
suppress_warnings = ["ref.python", "misc.highlighting_failure"]
autodoc_typehints_description_target = "documented_params"
autodoc_default_options = {"members": True}
napoleon_use_ivar = True


def setup(app: Sphinx) -> None:
    """Leave the docstrings of modules to those who read the code, and make the sitemap last."""
    app.connect("autodoc-process-docstring", _drop_text_of_module)
    app.connect("html-page-context", _shorten_canonical)
    app.connect("build-finished", _write_sitemap)


def _drop_text_of_module(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    if what == "module":
        lines.clear()


def _shorten_canonical(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object
) -> None:
    """Let index pages have the URLs of their directories, also in the sitemap."""
    if url := context.get("pageurl"):
        context["pageurl"] = url.removesuffix("index.html")


def _write_sitemap(app: Sphinx, exception: Exception | None) -> None:
    if exception or app.builder.name != "html":
        return
    convert(
        [str(app.outdir)],
        target_of(f"{app.outdir}/sitemap.xml"),
        opener=Opener(url=app.config.html_baseurl),
        steps=[exclude(["*/genindex.html", "*/py-modindex.html"])],
        report=lambda problem: _LOG.info(str(problem)),
    )
