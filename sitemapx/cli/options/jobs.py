"""Commands that run once for each of their tables in the settings file, such as `[[convert]]`."""

import os
from typing import Any

import click

from sitemapx.cli.options.settings import ConfiguredCommand
from sitemapx.cli.terminal.errors import explain_error
from sitemapx.cli.terminal.groups import Command
from sitemapx.convert.sources.source import is_storage
from sitemapx.errors import OutputClosedError, SitemapxError, UnknownNameError, UsageError
from sitemapx.settingsfile import FILE_NAME, SettingsFile


class JobsCommand(ConfiguredCommand):
    """
    A command with an argument `sources` and options `--output` and `--job`, and any number of jobs.

    Each table of the command in the settings is a job. Without sources, all jobs run in order, or
    only the job that `--job` names. With sources but without `--job`, settings apply only if the
    file has a single table.
    """

    has_jobs = True

    def settings(self, file: SettingsFile) -> list[dict[str, Any]]:
        """Validate the tables; if there are several, each of them requires an output of its own."""
        settings = super().settings(file)
        if len(settings) == 1:
            return settings
        seen, jobs = set(), set()
        for (name, table), values in zip(self.tables(file), settings, strict=True):
            output = values.get("output", "-")
            if output == "-":
                raise file.error(name, f"each of several [[{self.name}]] requires an output")
            path = output if is_storage(output) else os.path.realpath(output)
            if path in seen:
                message = f"{output} is the output of another [[{self.name}]]"
                raise file.error("output", message, name)
            seen.add(path)
            job = table.get("job")
            if job is not None and job in jobs:
                raise file.error("job", f"{job!r} is the job of another [[{self.name}]]", name)
            jobs.add(job)
        return settings

    def make_configured(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None,
        tables: list[dict[str, Any]],
    ) -> click.Context:
        """Create the context of the first job; `jobs_of` returns the contexts of all jobs."""
        given = self.make_context(info_name, list(args), parent, resilient_parsing=True).params
        if given["job"] is not None:
            names = [str(table["job"]) for table in tables if "job" in table]
            tables = [table for table in tables if table.get("job") == given["job"]]
            if not tables:
                raise UnknownNameError("job", given["job"], names)
        elif len(tables) > 1 and given["sources"]:
            tables = [{}]
        if len(tables) > 1 and given["output"] != "-":
            count = len(tables)
            raise UsageError(f"--output fits a single job, and there are {count}: pass --job NAME")
        jobs = [
            super(JobsCommand, self).make_configured(info_name, list(args), parent, [table])
            for table in tables
        ]
        jobs[0].obj = jobs
        return jobs[0]

    def invoke(self, ctx: click.Context) -> int:
        """Run the jobs, also after one that failed with an error; return the worst exit status."""
        jobs = jobs_of(ctx)
        if len(jobs) == 1:
            return int(super().invoke(ctx))
        status = 0
        for job in jobs:
            try:
                with job:
                    status = max(status, super().invoke(job))
            except (OutputClosedError, BrokenPipeError):
                raise
            except (SitemapxError, OSError) as error:
                error.add_note(describe_job(job.params))
                status = max(status, explain_error(error, job.params["output"]))
        return status


def job_option(command: Command) -> Command:
    def require_settings(ctx: click.Context, param: click.Parameter, job: str | None) -> str | None:
        if job is not None and not (ctx.default_map or ctx.resilient_parsing):
            raise click.UsageError(f"--job requires [[{ctx.info_name}]] in {FILE_NAME}")
        return job

    about = "Run only the [[convert]] of the settings that has this name as job."
    return click.option("--job", metavar="NAME", callback=require_settings, help=about)(command)


def describe_job(params: dict[str, Any]) -> str:
    """Return the name of a job for messages, or else its output."""
    return f"job {params['job']}" if params["job"] else f"job for {params['output']}"


def jobs_of(context: click.Context) -> list[click.Context]:
    """Return the contexts of all jobs that a context of a `JobsCommand` stands for."""
    return context.obj or [context]
