"""
`sitemapx submit`: the command itself in `command`, parts of a run, and the subcommands.

May import the same as the other commands.
"""

__all__ = ["COMMANDS"]

#: Name of each subcommand -> module, imported when it is run, and help.
COMMANDS = {
    "history": (
        "sitemapx.cli.commands.submit.journal:history",
        "List submitted batches and responses.",
    ),
    "status": (
        "sitemapx.cli.commands.submit.status:status",
        "Show what search engines have accepted.",
    ),
    "withdraw": (
        "sitemapx.cli.commands.submit.withdraw",
        "Withdraw sitemaps from search engines.",
    ),
    "retry": ("sitemapx.cli.commands.submit.command:retry", "Resend what was not accepted."),
    "forget": (
        "sitemapx.cli.commands.submit.journal:forget",
        "Forget what was accepted, to send it again.",
    ),
    "journal": ("sitemapx.cli.commands.submit.journal:journal", "Recover a damaged journal."),
    "key": (
        "sitemapx.cli.commands.submit.key",
        "Create an IndexNow key, or verify its key file.",
    ),
}
