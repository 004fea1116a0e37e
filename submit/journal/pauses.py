"""Pauses that servers ask for, kept in the journal for later runs."""

from sitemapx.submit.journal.errors import journal_errors
from sitemapx.submit.journal.journal import Journal
from sitemapx.submit.transport.pauses import Pauses

__all__ = ["JournalPauses"]


class JournalPauses(Pauses):
    """
    The pauses that servers asked for, in this run and in others.

    The journal is read for each request: another run may record a pause while this one waits.
    """

    def __init__(self, journal: Journal, *, is_obeyed: bool = True) -> None:
        super().__init__(is_obeyed=is_obeyed)
        self._journal = journal

    def recorded(self, server: str) -> tuple[float, float]:
        """Return when a server asked for a pause, and for how many seconds; 0 for none."""
        sql = "SELECT since, seconds FROM pauses WHERE server = ?"
        with journal_errors(self._journal.name):
            row = self._journal.connection.execute(sql, (server,)).fetchone()
        return row or (0.0, 0.0)

    def record(self, server: str, since: float, seconds: float) -> None:
        """Record a pause."""
        self._do("INSERT OR REPLACE INTO pauses VALUES (?, ?, ?)", server, since, seconds)

    def remove(self, server: str) -> None:
        """Remove the record of a pause."""
        self._do("DELETE FROM pauses WHERE server = ?", server)

    def _do(self, sql: str, *values: object) -> None:
        with self._journal.changing():
            self._journal.connection.execute(sql, values)
