"""Adapts the advice of the steps of `publish`: names settings instead of options."""

import re

import click

from sitemapx.settingsfile import FILE_NAME
from sitemapx.submit.settings import KEYS

#: An option, with `pass` before it and its value.
_option = re.compile(
    r"(\bpass )?(?<![\w-])--([a-z][a-z-]*)((?(1) (?!(?:and|for|if|in|or|to)\b)[\w.:/=<>%-]+)?)"
)


class SettingsAdvice:
    """
    Replaces options of a step in messages by settings, as in `set gzip = true in [convert]`.

    Args:
        step: The command of the step.
        publish: The command `publish`, whose own options are not replaced.

    """

    def __init__(self, step: click.Command, publish: click.Command) -> None:
        self._table = f"[{step.name}]"
        self._params = {opt: param for param in step.params for opt in param.opts}
        self._own = {opt for param in publish.params for opt in param.opts}

    def __call__(self, text: str) -> str:
        """Return a message with options replaced by settings; commands are not changed."""
        parts = text.split("`")
        parts[::2] = (_option.sub(self._setting, part) for part in parts[::2])
        return "`".join(parts)

    def _setting(self, m: re.Match[str]) -> str:
        verb, key, value = m.groups()
        param = self._params.get(f"--{key}")
        if param is None or f"--{key}" in self._own:
            return m[0]
        place = FILE_NAME if key in KEYS else self._table
        if not verb:
            return f"{key} in {place}{value}"
        if isinstance(param, click.Option) and param.is_flag:
            return f"set {key} = true in {place}{value}"
        return f'set {key} = "{value.strip()}" in {place}' if value else f"set {key} in {place}"
