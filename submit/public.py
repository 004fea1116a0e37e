"""The public names of `sitemapx.submit`, imported on first use."""

from sitemapx.errors import RefusedError
from sitemapx.submit.engines.engine import (
    Engine,
    EngineInfo,
    ItemKind,
    Setup,
    SubmissionBatch,
    SubmissionItem,
)
from sitemapx.submit.engines.exchange import (
    Answer,
    AnswerState,
    Reply,
    Request,
    Steps,
    json_request,
    objects,
    unreadable,
    verdict,
)
from sitemapx.submit.engines.registry import all_engines
from sitemapx.submit.outcome import Outcome
from sitemapx.submit.robots.check import RobotsResult, check_robots
from sitemapx.submit.robots.file import RobotsFile, SitemapLine
from sitemapx.submit.settings import Settings, load_settings

__all__ = [
    "Answer",
    "AnswerState",
    "Engine",
    "EngineInfo",
    "ItemKind",
    "Outcome",
    "RefusedError",
    "Reply",
    "Request",
    "RobotsFile",
    "RobotsResult",
    "Settings",
    "Setup",
    "SitemapLine",
    "Steps",
    "SubmissionBatch",
    "SubmissionItem",
    "all_engines",
    "check_robots",
    "json_request",
    "load_settings",
    "objects",
    "unreadable",
    "verdict",
]
