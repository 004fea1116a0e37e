"""What a worker process found in a file, until somebody asks for it."""

import os
from collections import deque
from contextlib import suppress
from tempfile import SpooledTemporaryFile
from typing import cast

from sitemapx.convert.parallel.slots import Part, unpacked
from sitemapx.convert.parallel.worker import Message
from sitemapx.errors import InputError, OutputError

__all__ = ["MessageStore"]

#: A message of fewer bytes waits in memory.
_SMALL = 4096


class MessageStore:
    """The messages about a file that nobody asked for yet: most are in a temporary file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._error: Exception | None = None
        #: The messages; of one in the file, the length.
        self._messages: deque[Message | int] = deque()
        self._file = SpooledTemporaryFile(1)  # on disk from the first message, if any
        self._start = 0

    @property
    def has_message(self) -> bool:
        """Whether there is one."""
        return bool(self._messages)

    def add(self, data: Part) -> None:
        """Keep a message until it is asked for: on disk, unless it is small or next."""
        if self._file.closed or self._error:
            return
        if not self._messages or len(data) < _SMALL:
            self._messages.append(unpacked(data))
            return
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            text = (
                f"cannot store the entries of {self._path} until they are written: {error.strerror}"
            )
            self._error = OutputError(f"{text}; set TMPDIR to another directory")
        else:
            self._messages.append(len(data))

    def fail(self) -> None:
        """Take that the worker has ended."""
        self._error = InputError("the process reading this file ended unexpectedly", self._path)

    def next(self) -> Message | None:
        """
        Return the next message, if it is there.

        Raises:
            InputError: If there will be none, since the worker has ended.
            OutputError: If there will be none for want of room.

        """
        if not self._messages:
            if self._error:
                raise self._error
            return None
        message = self._messages.popleft()
        if isinstance(message, int):
            self._file.seek(self._start)
            self._start += message
            message = cast(Message, unpacked(self._file.read(message)))
        return message

    def close(self) -> None:
        """Forget what nobody asked for."""
        with suppress(OSError):  # what found no room finds none now
            self._file.close()
