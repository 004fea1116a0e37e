"""
Measure sitemapx against its peers: `python -m bench`, see README.md.

samples  the files that are read, made by a seed
peers    what there is to compare with
programs what is measured: the peers' loops, in their own Python, and uses of columns
rows     the table of what is compared and what ratio is to be reached
checks   that outputs are right, so that nothing fast but wrong counts
measure  runs commands in turn, each under the stopwatch
outcomes what became of a row, and which shape was the worst
report   the table, as text, Markdown and JSON
spark    measures the data source of Spark: `python -m bench.spark`
"""
