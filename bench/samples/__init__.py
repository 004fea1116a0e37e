"""
Samples: input files, generated from a seed in bench/data/.

`data` writes the files; `regular`, `varied`, `variedrich`, `generators`, `curves` and `variedfeeds`
define the kinds of entries.
"""
