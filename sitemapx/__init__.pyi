from sitemapx.public import check as check
from sitemapx.public import convert as convert
from sitemapx.public import read as read
from sitemapx.public import submit as submit
from sitemapx.public import write as write

__version__: str
