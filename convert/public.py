"""The public names of `sitemapx.convert`, imported on first use."""

from sitemapx.convert.conversion import convert, write
from sitemapx.convert.diff import Comparison, Difference
from sitemapx.convert.formats.format import Context, Format, Observer, Reader
from sitemapx.convert.formats.limits import Limits
from sitemapx.convert.formats.pages import Layout, PageWriter, WrittenPage
from sitemapx.convert.formats.registry import FORMATS, all_formats
from sitemapx.convert.formats.writer import Writer
from sitemapx.convert.http.fetcher import Fetcher
from sitemapx.convert.model.batch import Batch, Encoded
from sitemapx.convert.model.document import Document, Head
from sitemapx.convert.model.entry import (
    Alternate,
    Enclosure,
    Entry,
    Image,
    News,
    Platform,
    Price,
    Publication,
    Restriction,
    Segment,
    TvShow,
    Uploader,
    Video,
    VideoId,
)
from sitemapx.convert.model.problems import PROBLEMS, Problem, ProblemHandler
from sitemapx.convert.model.reporter import Reporter
from sitemapx.convert.outputs.output import Written
from sitemapx.convert.outputs.target import Target, target_of
from sitemapx.convert.sources.opener import Opener, read_site
from sitemapx.convert.sources.options import ReadOptions
from sitemapx.convert.sources.read import read
from sitemapx.convert.sources.source import SourcePart
from sitemapx.convert.sources.urlmap import UrlMap
from sitemapx.convert.statistics import ContentStatistics, collect_statistics
from sitemapx.convert.steps.step import Step
from sitemapx.convert.streams.stream import Opened, Readable
from sitemapx.convert.summary import Safeguards, Summary
from sitemapx.convert.tables import Table, table

__all__ = [
    "FORMATS",
    "PROBLEMS",
    "Alternate",
    "Batch",
    "Comparison",
    "ContentStatistics",
    "Context",
    "Difference",
    "Document",
    "Enclosure",
    "Encoded",
    "Entry",
    "Fetcher",
    "Format",
    "Head",
    "Image",
    "Layout",
    "Limits",
    "News",
    "Observer",
    "Opened",
    "Opener",
    "PageWriter",
    "Platform",
    "Price",
    "Problem",
    "ProblemHandler",
    "Publication",
    "ReadOptions",
    "Readable",
    "Reader",
    "Reporter",
    "Restriction",
    "Safeguards",
    "Segment",
    "SourcePart",
    "Step",
    "Summary",
    "Table",
    "Target",
    "TvShow",
    "Uploader",
    "UrlMap",
    "Video",
    "VideoId",
    "Writer",
    "Written",
    "WrittenPage",
    "all_formats",
    "collect_statistics",
    "convert",
    "read",
    "read_site",
    "table",
    "target_of",
    "write",
]
