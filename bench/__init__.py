"""
Measure sitemapx against its peers: `python -m bench`, see README.md.

data     makes the files that are read, by a seed
peers    what there is to compare with; loops runs it, in the peers' own Python
rows     the table of what is compared and what ratio is to be reached
checks   that outputs are right, so that nothing fast but wrong counts
measure  runs commands in turn, each under the stopwatch
report   the table, as text, Markdown and JSON
"""
