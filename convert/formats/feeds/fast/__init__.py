"""
Parts that the fast paths of RSS and Atom share.

`grammar` is what their grammars are made of, `patterns` has the elements of which an item may have
several, `columns` makes values as feeds write them, and `locs` reads URLs alone. Media RSS has
`media` (patterns), `mediafields` (values), `mediaitems` (what they make of an item) and, for URLs
alone, `usualmedia`. May import
`regular` and what is below it in `convert.formats`, and `handlers`, `items` and `media` of
`convert.formats.feeds`.
"""
