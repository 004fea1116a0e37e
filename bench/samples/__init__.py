"""
Samples: the files that are measured, made by a seed into bench/data/.

`data` makes them; `regular`, `varied`, `variedrich`, `generators`, `curves` and `variedfeeds` have
the kinds of them.
"""
