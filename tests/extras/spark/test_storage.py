"""Files in S3, read and written by tasks, with a local server."""

from typing import TYPE_CHECKING, Any

import boto3
import pytest

from tests.extras.spark.conftest import Read, locs, sitemap

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BASE = "https://e.example/"


@pytest.fixture
def bucket(s3: None) -> Any:
    storage: Any = boto3.resource("s3")
    return storage.create_bucket(Bucket="sites")


def test_set_in_s3_is_read_back(bucket: Any, spark: "SparkSession", read: Read) -> None:
    for name in "ab":
        bucket.put_object(Key=f"in/{name}.xml", Body=sitemap(f"{BASE}{name}/", 3))
    result = read("s3://sites/in/*.xml")
    assert {row.source for row in result.collect()} == {
        "s3://sites/in/a.xml",
        "s3://sites/in/b.xml",
    }

    writer = result.repartition(2).write.format("sitemap").option("baseUrl", BASE)
    for _ in range(2):  # the second time in place of the first
        writer.mode("overwrite").option("compress", "true").save("s3://sites/public")

    keys = [item.key for item in bucket.objects.filter(Prefix="public/")]
    assert len(keys) == 3
    for key in keys:
        head = bucket.Object(key)
        assert (head.content_type, head.content_encoding) == ("application/xml", "gzip")
    index = "s3://sites/public/sitemap.xml.gz"
    assert locs(read(index, sourceUrl=f"{BASE}sitemap.xml.gz")) == locs(result)


def test_unusable_storage_is_reported_by_the_driver(
    bucket: Any, read: Read, spark: "SparkSession"
) -> None:
    with pytest.raises(Exception, match=r"s3://nowhere/in/a\.xml: "):
        read("s3://nowhere/in/a.xml").collect()
    writer = spark.range(1).selectExpr("concat('https://e.example/', id) as loc").write
    save = writer.format("sitemap").mode("overwrite").option("baseUrl", BASE).save
    with pytest.raises(Exception, match="cannot write s3://nowhere/public: "):
        save("s3://nowhere/public")
