"""Files in S3, which the tasks read and write, with a real server of that protocol."""

from typing import TYPE_CHECKING, Any

import boto3
import pytest

from tests.extras.spark.conftest import Read, locs, sitemap

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BASE = "https://e.example/"


@pytest.fixture
def bucket(s3: None) -> Any:
    """Give a bucket."""
    storage: Any = boto3.resource("s3")
    return storage.create_bucket(Bucket="sites")


def test_round_trip(bucket: Any, spark: "SparkSession", read: Read) -> None:
    """Sitemaps are found by a pattern, and their entries become a set, with its types."""
    for name in "ab":
        bucket.put_object(Key=f"in/{name}.xml", Body=sitemap(f"{BASE}{name}/", 3))
    found = read("s3://sites/in/*.xml")
    assert {row.source for row in found.collect()} == {"s3://sites/in/a.xml", "s3://sites/in/b.xml"}

    writer = found.repartition(2).write.format("sitemap").option("baseUrl", BASE)
    for _ in range(2):  # the second time in place of the first
        writer.mode("overwrite").option("compress", "true").save("s3://sites/public")

    keys = [one.key for one in bucket.objects.filter(Prefix="public/")]
    assert len(keys) == 3
    for key in keys:
        head = bucket.Object(key)
        assert (head.content_type, head.content_encoding) == ("application/xml", "gzip")
    index = "s3://sites/public/sitemap.xml.gz"
    assert locs(read(index, sourceUrl=f"{BASE}sitemap.xml.gz")) == locs(found)


def test_wrong_credentials(bucket: Any, read: Read, spark: "SparkSession") -> None:
    """The driver says that the storage cannot be used, before tasks start."""
    with pytest.raises(Exception, match=r"s3://nowhere/in/a\.xml: "):
        read("s3://nowhere/in/a.xml").collect()
    writer = spark.range(1).selectExpr("concat('https://e.example/', id) as loc").write
    save = writer.format("sitemap").mode("overwrite").option("baseUrl", BASE).save
    with pytest.raises(Exception, match="cannot write s3://nowhere/public: "):
        save("s3://nowhere/public")
