"""A direct implementation of groups in RFC 9309, to test that edits do not change them."""

import re

Rules = list[tuple[str, str]]

_record = re.compile(r"[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE)


def groups(data: bytes) -> dict[str, Rules]:
    """
    Return the rules of each user agent, in order, as pairs of key and path.

    Section 2.2: groups of one agent are combined; lines of other keys, such as Sitemap, and blank
    ones "MUST NOT interfere" with the groups; rules above all groups belong to no group.
    """
    found: dict[str, Rules] = {}
    agents: list[str] = []
    is_open = False  # whether another user-agent line joins the ones before
    for line in re.split("\r\n|\r|\n", data.decode("utf-8-sig", "replace")):
        m = _record.fullmatch(line.partition("#")[0])
        if m and m[1].lower() == "user-agent":
            agents = [*(agents if is_open else []), m[2].lower()]
            found.setdefault(m[2].lower(), [])
            is_open = True
        elif m:
            is_open = False
            for agent in dict.fromkeys(agents):
                found[agent].append((m[1].lower(), m[2]))
    return found
