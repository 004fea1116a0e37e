"""The pauses that servers asked for, in the journal."""

from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.transport.pauses import Pause, Pauses

__all__ = ["JournalPauses"]


class JournalPauses(Pauses):
    """
    The pauses that servers asked for, in this run and in others.

    The journal is read for each request: another run may record a pause while this one waits.
    """

    def __init__(self, journal: Journal, *, is_obeyed: bool = True) -> None:
        super().__init__(is_obeyed=is_obeyed)
        self._journal = journal

    def recorded(self, key: str) -> Pause:
        """Return the recorded pause of a server or a quota."""
        sql = "SELECT since, seconds, date FROM pauses WHERE server = ?"
        with journal_errors(self._journal.name):
            row = self._journal.connection.execute(sql, (key,)).fetchone()
        return Pause(*row) if row else Pause()

    def record(self, key: str, pause: Pause) -> None:
        """Record a pause."""
        self._do("INSERT OR REPLACE INTO pauses VALUES (?, ?, ?, ?)", key, *pause)

    def remove(self, key: str) -> None:
        """Remove the record of a pause."""
        self._do("DELETE FROM pauses WHERE server = ?", key)

    def copy(self) -> Pauses:
        """Return a copy that other threads may use; what it records is not in the journal."""
        copy = Pauses(is_obeyed=self._is_obeyed)
        with journal_errors(self._journal.name):
            sql = "SELECT server, since, seconds, date FROM pauses"
            for key, *row in self._journal.connection.execute(sql).fetchall():
                copy.record(key, Pause(*row))
        return copy

    def _do(self, sql: str, *values: object) -> None:
        with self._journal.changing():
            self._journal.connection.execute(sql, values)
