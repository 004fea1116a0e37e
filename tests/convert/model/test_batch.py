"""Batches that are sent to other processes."""

import pickle

from sitemapx.convert.formats.format import Context
from sitemapx.convert.formats.sitemap.reader import read_sitemap
from tests.convert.documents import Dribble
from tests.convert.formats.richmarkup import rich_urlset

_PAGE = "<url><loc>https://e.example/{n}</loc><lastmod>2024-05-0{d}</lastmod>{more}</url>\n"
_LINK = "<xhtml:link rel='alternate' hreflang='de' href='https://e.example/{n}/de'/>"
_IMAGE = "<image:image><image:loc>https://e.example/{n}.png</image:loc></image:image>"
_VIDEO = (
    "<video:video><video:thumbnail_loc>https://e.example/{n}.png</video:thumbnail_loc>"
    "<video:title>ü &amp; {n}</video:title><video:description>d</video:description>"
    "<video:content_loc>https://e.example/{n}.mp4</video:content_loc>"
    "<video:duration>9</video:duration><video:rating>4.0</video:rating></video:video>"
)


def test_pickled_batch_is_complete() -> None:
    kinds = ["", _LINK, _IMAGE * 2, _VIDEO]
    items = [_PAGE.format(n=n, d=1 + n % 9, more=kinds[n % 4].format(n=n)) for n in range(4000)]
    data = rich_urlset(items)
    fields: set[str] = set()
    for batch in read_sitemap(Dribble(data, 9000), Context()).batches:
        again = pickle.loads(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL))
        twice = pickle.loads(pickle.dumps(again, pickle.HIGHEST_PROTOCOL))
        fields |= batch.field_counts().keys()

        assert len(batch) == len(again) == len(again.column("alternates"))
        assert batch.field_counts() == again.field_counts()
        assert batch.entries == again.entries == twice.entries
        assert list(batch.column("videos")) == list(again.column("videos"))
        assert again.column("images")[0] == batch.column("images")[0]

    assert {"loc", "lastmod", "alternates", "images", "videos"} == fields
