"""Print the findings that sum up others, and how many there are of each code in all."""

import json
import sys
from collections import Counter

totals: Counter[str] = Counter()
for finding in map(json.loads, sys.stdin):
    name = finding["code"] + " fixed" * finding.get("fixed", False)
    totals[name] += finding.get("count", 1)
    if "count" in finding:
        print(name, finding.get("line"), finding["message"], finding["count"], sep=" | ")
print(dict(totals))
