"""The public names of `sitemapx.convert`, which imports them when one is asked for."""

from sitemapx.convert.comparison import Comparison, Difference
from sitemapx.convert.conversion import convert, write
from sitemapx.convert.document import Batch, Document, Head
from sitemapx.convert.encoded import Encoded
from sitemapx.convert.encodings import Readable
from sitemapx.convert.entry import (
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
from sitemapx.convert.fetching import Fetcher
from sitemapx.convert.following import Input
from sitemapx.convert.formats import FORMATS, Format, Limits, Reader, Writer, all_formats
from sitemapx.convert.mapping import Mapping
from sitemapx.convert.opening import Opener
from sitemapx.convert.outputs import Written
from sitemapx.convert.problems import PROBLEMS, Context, Problem, Report
from sitemapx.convert.reading import read
from sitemapx.convert.sources import Opened
from sitemapx.convert.summary import Summary
from sitemapx.convert.targets import Target, target_of

__all__ = [
    "FORMATS",
    "PROBLEMS",
    "Alternate",
    "Batch",
    "Comparison",
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
    "Input",
    "Limits",
    "Mapping",
    "News",
    "Opened",
    "Opener",
    "Platform",
    "Price",
    "Problem",
    "Publication",
    "Readable",
    "Reader",
    "Report",
    "Restriction",
    "Segment",
    "Summary",
    "Target",
    "TvShow",
    "Uploader",
    "Video",
    "VideoId",
    "Writer",
    "Written",
    "all_formats",
    "convert",
    "read",
    "target_of",
    "write",
]
