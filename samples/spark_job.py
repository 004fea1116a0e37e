"""
Read all sitemaps in a directory with Spark, and write three results to another:

    duplicates   the URLs that several sitemaps list, as Parquet
    hosts        the number of URLs and the newest date of each host, as Parquet
    sitemaps     a set of sitemaps with the URLs of one site, each once, with its newest date

    spark-submit samples/spark_job.py sitemaps results https://example.com/
"""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from sitemapx.spark import SitemapDataSource


def run(spark: SparkSession, folder: str, target: str, site: str) -> None:
    """Read the sitemaps in a directory, and write the results."""
    spark.dataSource.register(SitemapDataSource)
    reader = spark.read.format("sitemap").option("columns", "loc,lastmod,lastmod_utc,source")
    entries = reader.load(folder).cache()

    listed = entries.groupBy("loc").agg(F.sort_array(F.collect_set("source")).alias("sources"))
    listed.where(F.size("sources") > 1).write.mode("overwrite").parquet(f"{target}/duplicates")

    host = F.regexp_extract("loc", "^https?://([^/?#]+)", 1).alias("host")
    hosts = entries.groupBy(host).agg(
        F.count("*").alias("urls"), F.max("lastmod_utc").alias("newest")
    )
    hosts.write.mode("overwrite").parquet(f"{target}/hosts")

    lastmod = F.max_by("lastmod", "lastmod_utc").alias("lastmod")
    pages = entries.where(F.col("loc").startswith(site)).groupBy("loc").agg(lastmod)
    few = pages.repartition(4)  # each task writes files of its own
    writer = few.write.format("sitemap").mode("overwrite").option("baseUrl", site)
    writer.save(f"{target}/sitemaps")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    run(SparkSession.builder.appName("sitemaps").getOrCreate(), *sys.argv[1:])
