"""
Measures sitemapx against other programs: `python -m bench`, see README.md.

samples  input files, generated from a seed
peers    the other programs
programs measured programs: loops over libraries, in their own Python, and uses of columns
rows     the table of comparisons and their goals
checks   checks of outputs, so that wrong results do not count
measure  runs commands alternately, each under the stopwatch
outcomes results of rows, and the worst shape of each job
report   the table as text, Markdown and JSON
spark    measures the data source of Spark: `python -m bench.spark`
"""
