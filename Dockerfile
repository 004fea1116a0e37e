# syntax=docker/dockerfile:1
FROM python:3.13-alpine AS build
COPY --from=ghcr.io/astral-sh/uv:0.9 /uv /usr/local/bin/uv
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
WORKDIR /src
COPY . .
RUN uv venv /opt/sitemapx \
    && uv pip install --no-cache --python /opt/sitemapx/bin/python '.[google]'

FROM python:3.13-alpine
LABEL org.opencontainers.image.title="sitemapx" \
      org.opencontainers.image.description="Convert, validate, repair, compare and submit sitemaps, feeds and URL lists." \
      org.opencontainers.image.source="https://github.com/sitemapx/sitemapx" \
      org.opencontainers.image.documentation="https://sitemapx.github.io/sitemapx/" \
      org.opencontainers.image.licenses="MIT"
# A new volume at /state inherits the mode of the directory, so that any user can write to it.
RUN adduser -D -u 1000 sitemapx && mkdir -m 1777 /state
COPY --from=build /opt/sitemapx /opt/sitemapx
ENV PATH=/opt/sitemapx/bin:$PATH PYTHONDONTWRITEBYTECODE=1 XDG_STATE_HOME=/state
USER 1000
WORKDIR /work
# Mount the site at /work; to keep the journal, mount a volume at /state.
ENTRYPOINT ["sitemapx"]
CMD ["--help"]
