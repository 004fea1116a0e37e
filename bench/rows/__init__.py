"""
Rows of the table: comparisons and their goals.

`table` combines the rows; the other modules each have the rows of one subject.
"""
