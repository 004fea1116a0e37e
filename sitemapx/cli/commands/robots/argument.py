"""The argument of all commands about robots.txt."""

import click

#: The command says itself what is wrong with a file, in one form for files, URLs and `-`.
robots_file = click.argument(
    "path", metavar="FILE", type=click.Path(allow_dash=True, readable=False)
)
