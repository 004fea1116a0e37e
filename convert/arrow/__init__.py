"""
Arrow (https://arrow.apache.org): entries as columns, for data frames, Parquet and Spark.

`arrays` and `batches` require pyarrow, the extra `sitemapx[arrow]`. May import `values` of
sitemapx.convert: entries are passed in as objects with named fields.
"""
