"""
Arrow (https://arrow.apache.org): entries as columns, for data frames, Parquet and Spark.

Needs pyarrow, the extra `sitemapx[arrow]`. May import `values` of sitemapx.convert: the entries
come from outside, as objects with named fields.
"""
