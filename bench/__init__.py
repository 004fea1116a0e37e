"""
Measures sitemapx against other programs: `python -m bench`, see README.md.

samples  input files, generated from a seed
peers    the other programs
programs measured programs: loops over libraries, run by their own Python, and data frames
rows     the table of comparisons and their goals
checks   checks of outputs, so that wrong results do not count
measure  runs commands alternately, each under the stopwatch
outcomes results of comparisons, and the slowest kind of file (shape) of each job
report   the table as text, Markdown and JSON
spark    measures the data source of Spark: `python -m bench.spark`
"""
