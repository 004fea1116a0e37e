"""
Read and write sitemaps as data sources of Apache Spark 4.0 or later.

    spark.dataSource.register(SitemapDataSource)
    spark.read.format("sitemap").load("s3://bucket/sitemaps/*.xml.gz")

`SitemapDataSource` reads entries and writes sets of sitemaps; `SitemapProblemsDataSource` reads the
problems of the same sources. Requires the extra `sitemapx[spark]`, and PySpark, which the extra
does not install. May import `sitemapx.convert` and the layers below it.
https://spark.apache.org/docs/latest/api/python/tutorial/sql/python_data_source.html
"""

from sitemapx.spark.requirement import require_spark

require_spark()

from sitemapx.spark.source import SitemapDataSource, SitemapProblemsDataSource  # noqa: E402

__all__ = ["SitemapDataSource", "SitemapProblemsDataSource"]
