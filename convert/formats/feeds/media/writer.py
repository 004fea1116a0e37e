"""Writes videos and images as Media RSS: https://www.rssboard.org/media-rss"""

from collections.abc import Iterator

from msgspec.structs import replace

from sitemapx.convert.formats.feeds.writing import address, element
from sitemapx.convert.html.text import plain_text
from sitemapx.convert.model.entry import Entry, Image, Video, has
from sitemapx.convert.values.datatypes import OnProblem
from sitemapx.convert.xml.writing import escape

#: Fields that Media RSS does not support.
_LOST = {
    "videos": (
        *("platform", "gallery_loc", "gallery_title", "player_allow_embed", "player_autoplay"),
        *("content_segments", "tvshow", "ids"),
    ),
    "images": ("geo_location", "license"),
}


def media_elements(entry: Entry, title: str | None, on_problem: OnProblem) -> str:
    """Return the media of an entry as XML; `title` is the default title of its videos."""
    for name, fields in _LOST.items():
        for media_object in getattr(entry, name):
            for field in fields:
                if has(getattr(media_object, field)):
                    on_problem(
                        "dropped-field", f"Media RSS does not support {name}.{field}; dropped"
                    )
    parts = [_video(_fill_in(video, entry, title), on_problem) for video in entry.videos]
    parts += [_image(image, on_problem) for image in entry.images]
    live = [video.live for video in entry.videos if video.live is not None]
    if entry.videos and live == [True] * len(entry.videos):  # applies to the whole item
        parts.append("<dcterms:type>live-video</dcterms:type>")
    elif live:
        on_problem(
            "dropped-field",
            "Media RSS supports videos.live only if all videos of an item are live; dropped",
        )
    return "".join(parts)


def _fill_in(video: Video, entry: Entry, title: str | None) -> Video:
    """Fill in title and description as Media RSS readers do; drop a date that they fill in."""
    date = video.publication_date
    return replace(
        video,
        title=video.title or title,
        description=video.description or plain_text(entry.description or "") or None,
        publication_date=None if date == (entry.published or entry.lastmod) else date,
    )


def _image(image: Image, on_problem: OnProblem) -> str:
    if not image.loc:
        on_problem("missing-element", "image has no URL; dropped")
        return ""
    inside = element("media:title", image.title, on_problem)
    inside += element("media:description", image.caption, on_problem)
    url = address(image.loc, on_problem)
    return f'<media:content medium="image" url="{url}">{inside}</media:content>'


def _video(video: Video, on_problem: OnProblem) -> str:
    if not video.content_loc and not video.player_loc:
        on_problem("missing-element", "video has neither content_loc nor player_loc; dropped")
        return ""
    url = f' url="{address(video.content_loc, on_problem)}"' if video.content_loc else ""
    duration = f' duration="{video.duration}"' if video.duration else ""
    if video.duration == 0:
        on_problem("bad-duration", "Media RSS does not support a video duration of 0; dropped")
    inside = "".join(_describe(video, on_problem))
    return f'<media:content medium="video"{url}{duration}>{inside}</media:content>'


def _describe(video: Video, on_problem: OnProblem) -> Iterator[str]:
    yield element("media:title", video.title, on_problem)
    yield element("media:description", video.description, on_problem)
    if video.thumbnail_loc:
        yield f'<media:thumbnail url="{address(video.thumbnail_loc, on_problem)}"/>'
    if video.player_loc:
        yield f'<media:player url="{address(video.player_loc, on_problem)}"/>'
    if any("," in tag for tag in video.tags):
        on_problem(
            "dropped-field", "Media RSS does not support commas in videos.tags; split at the commas"
        )
    tags = [part.strip() for tag in video.tags for part in escape(tag, on_problem).split(",")]
    if keywords := ", ".join(filter(None, dict.fromkeys(tags))):
        yield f"<media:keywords>{keywords}</media:keywords>"
    yield element("media:category", video.category, on_problem)
    if video.family_friendly is not None:
        yield f"<media:rating>{'nonadult' if video.family_friendly else 'adult'}</media:rating>"
    if video.restriction and video.restriction.relationship:
        countries = " ".join(video.restriction.countries).upper()
        relationship = f' type="country" relationship="{video.restriction.relationship}"'
        yield element("media:restriction", countries, on_problem, relationship)
    if video.uploader:
        yield element("media:credit", video.uploader.name, on_problem, ' role="uploader"')
        if video.uploader.info:
            on_problem("dropped-field", "Media RSS does not support videos.uploader.info; dropped")
    yield from _prices(video, on_problem)
    yield from _community(video)
    yield element("dcterms:valid", _valid(video), on_problem)


def _prices(video: Video, on_problem: OnProblem) -> Iterator[str]:
    for price in video.prices:
        values = {"type": price.type, "price": price.price, "currency": price.currency}
        attributes = (
            f' {name}="{text}"'
            for name, value in values.items()
            if value and (text := escape(value, on_problem, is_attribute=True))
        )
        yield f"<media:price{''.join(attributes)}/>"
        if price.resolution:
            on_problem(
                "dropped-field", "Media RSS does not support videos.prices.resolution; dropped"
            )
    if video.requires_subscription is False:
        on_problem(
            "dropped-field", "Media RSS does not support videos.requires_subscription: no; dropped"
        )
    elif video.requires_subscription:
        yield '<media:price type="subscription"/>'


def _community(video: Video) -> Iterator[str]:
    inside = ""
    if video.rating is not None:
        inside += f'<media:starRating average="{video.rating}" min="0" max="5"/>'
    if video.view_count is not None:
        inside += f'<media:statistics views="{video.view_count}"/>'
    if inside:
        yield f"<media:community>{inside}</media:community>"


def _valid(video: Video) -> str:
    dates = {"start": video.publication_date, "end": video.expiration_date}
    parts = [f"{name}={date}" for name, date in dates.items() if date]
    return "; ".join([*parts, "scheme=W3C-DTF"]) if parts else ""
