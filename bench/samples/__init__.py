"""
Samples: input files, generated from a seed in bench/data/.

`data` writes them; `regular`, `varied`, `variedrich`, `generators`, `curves` and `variedfeeds`
define their kinds.
"""
