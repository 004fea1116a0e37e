"""Validates the markup of a feed, block by block, by the rules for its elements."""

from collections.abc import Iterator, Sequence

from sitemapx.check.feeds.markup import PrepareDefect, ReportDefect, find_html, report_html
from sitemapx.check.feeds.relations import (
    FeedState,
    check_entry,
    check_outline,
    find_missing_of_podcast,
    find_same,
    is_episode_without_guid,
    relation_of,
)
from sitemapx.check.feeds.texts import check_construct, check_media_text
from sitemapx.check.feeds.usual import Test, usual_of
from sitemapx.check.feeds.values import find_datatype, is_certainly_valid
from sitemapx.check.feeds.vocabularies import (
    OPML,
    OUTLINE,
    ElementRule,
    Vocabulary,
    attribute_of_module,
    find_itunes_name,
    is_closed,
    module_rules,
    vocabulary_of,
)
from sitemapx.convert.values.words import clip
from sitemapx.convert.xml.elements import local_name, name_of, split_name
from sitemapx.convert.xml.namespaces import NAMESPACES
from sitemapx.convert.xml.parsers import XmlElement

#: Datatypes around which Atom allows no whitespace: RFC 4287, 2 and 3.3
_STRICT = frozenset({"uri", "reference", "id", "rfc3339", "date"})
_LONGEST = 60
#: Maximum number of cached outlines; an outline is the set of the element names in an item.
_MOST_OUTLINES = 1000


#: Rules and quick tests of elements by their names in lxml.
_Rules = dict[object, tuple[ElementRule, Test]]


class FeedValidator:
    """
    Validates a feed: call `validate` for each block, then `finish`.

    Args:
        report: Called with each defective element, the code of the rule and a message.
        prepare: Called with the same arguments for a possible defect that only the end of the feed
            decides; returns the function that reports the defect.

    """

    def __init__(self, report: ReportDefect, prepare: PrepareDefect) -> None:
        self._report = report
        self._vocabulary: Vocabulary | None = None
        self._rules: dict[str, ElementRule | None] = {}
        self._state = FeedState(prepare)
        self._seen: set[str] = set()
        self._outlines: dict[frozenset[object], _Rules | None] = {}
        self._has_root = self._has_head = self._has_items = False

    def validate(self, root: XmlElement, *, is_head: bool = False) -> None:
        """
        Validate a block, given the root of its tree; `is_head` if it precedes the first item.

        The tree has to be parsed from the block within the start tags that are open before it.
        """
        self._has_head = self._has_head or is_head
        if not self._has_root:
            self._has_root = True
            self._vocabulary = self._find_vocabulary(root)
        vocabulary = self._vocabulary
        if vocabulary is None:
            return
        if root.tag == vocabulary.item_tag:  # the entry is the root of an Atom entry document
            self._validate_element(root, vocabulary.item)
            return
        heads = [root] if local_name(root) == vocabulary.head.name else list(root)
        for head in heads:
            if local_name(head) == vocabulary.head.name:
                if is_head:
                    self._validate_start(head, vocabulary)
                self._validate_head(head, vocabulary)
            elif head.tag == vocabulary.item_tag:  # RSS 1.0 has items next to the channel
                self._validate_element(head, vocabulary.item)
            elif rule := vocabulary.beside.get(str(head.tag)):
                self._validate_element(head, rule)

    def validate_opml(self, root: XmlElement) -> None:
        """Validate a list of feeds: http://opml.org/spec2.opml"""
        self._validate_element(root, OPML)
        needs_text = root.get("version", "").startswith("2")
        for outline in root.iter("outline"):
            self._validate_attributes(outline, OUTLINE)
            check_outline(outline, self._report, needs_text=needs_text)

    def _find_vocabulary(self, root: XmlElement) -> Vocabulary | None:
        """
        Return the vocabulary for a root element, or None if it is unknown.

        The attributes and the namespace of the element are validated.
        """
        namespace, name = split_name(root)
        vocabulary = vocabulary_of(root)
        if vocabulary:
            self._validate_attributes(root, vocabulary.root)
        if vocabulary and vocabulary.name == "atom" and namespace != (right := NAMESPACES["atom"]):
            actual = f"in namespace {namespace!r}" if namespace else "in no namespace"
            self._report(root, "namespace", f"<{name}> is {actual}: expected {right}")
        return vocabulary

    def _validate_start(self, head: XmlElement, vocabulary: Vocabulary) -> None:
        """Validate the attributes and text of a channel or feed element before its items."""
        if head.getparent() is not None:
            self._validate_attributes(head, vocabulary.head)
        self._report_text(head)

    def _report_text(self, element: XmlElement) -> None:
        """Report the first text between the children of an element, at the preceding child."""
        for part, text in ((element, element.text), *((child, child.tail) for child in element)):
            if text and (text := text.strip()):
                at = part if isinstance(part.tag, str) else element
                message = f"text in <{name_of(element)}>: {clip(text, _LONGEST)!r}"
                self._report(at, "unexpected-text", message)
                return

    def _validate_head(self, head: XmlElement, vocabulary: Vocabulary) -> None:
        """Validate the metadata and items in a channel or feed element."""
        items: list[XmlElement] = []
        for child in head:
            tag = child.tag
            if tag == vocabulary.item_tag:
                items.append(child)
                self._has_items = True
            elif isinstance(tag, str):
                if self._has_items and tag in vocabulary.head.children:
                    message = f"<{local_name(child)}> after the first item"
                    self._report(child, "metadata-after-items", message)
                self._validate_child(child, tag, head, vocabulary.head, self._seen)
        if check := relation_of(vocabulary.head):
            check(head, self._report, self._state)
        for item in items:
            self._validate_item(item, vocabulary)

    def _validate_item(self, item: XmlElement, vocabulary: Vocabulary) -> None:
        """Validate an item; if all of its elements are known, skip those with usual content."""
        children = list(item)
        tags = [child.tag for child in children]
        names = frozenset(tags)
        if names not in self._outlines:
            if len(self._outlines) > _MOST_OUTLINES:
                self._outlines.clear()
            self._outlines[names] = self._describe(item, vocabulary)
        rules = self._outlines[names]
        has_repeated = len(names) < len(tags) and rules is not None and _has_repeated(tags, rules)
        if rules is None or has_repeated or item.attrib or _own_text(item):
            self._validate_element(item, vocabulary.item)
            return
        is_usual = True
        for child, tag in zip(children, tags, strict=True):
            rule, test = rules[tag]
            if not test(child):
                is_usual = False
                self._validate_element(child, rule)
        if vocabulary.name == "atom" and not (is_usual and self._is_complete(tags, vocabulary)):
            check_entry(item, self._report, self._state)

    def _is_complete(self, tags: Sequence[object], vocabulary: Vocabulary) -> bool:
        """Return True only if `check_entry` certainly has nothing to report about an entry."""
        start = vocabulary.item_tag.removesuffix("entry")
        state = self._state
        has_author = state.has_author or state.report_author or f"{start}author" in tags
        return bool(has_author) and f"{start}content" in tags and tags.count(f"{start}link") < 2

    def _describe(self, item: XmlElement, vocabulary: Vocabulary) -> _Rules | None:
        """
        Return the rules and quick tests for the elements of an item, by tag.

        Return None if the item needs full validation.
        """
        rules: _Rules = {}
        for child in item:
            rule = vocabulary.item.children.get(str(child.tag)) or self._find_rule(child)
            if rule is None:
                return None
            rules[child.tag] = rule, usual_of(rule)
        is_complete = rules.keys() >= set(vocabulary.item.required)
        if not is_complete or vocabulary.item.required_attributes or find_same(rules):
            return None
        if vocabulary.name == "rss" and is_episode_without_guid(rules, self._state):
            return None
        has_text = vocabulary.name != "rss" or "title" in rules or "description" in rules
        return rules if has_text else None

    def finish(self) -> Iterator[tuple[str, str]]:
        """
        Report the deferred defects at the end of a feed.

        Yields code and message for each required element that the feed lacks.
        """
        if self._state.report_author and not self._state.has_author:
            self._state.report_author()
        for about, report in self._state.listed.items():
            if about not in self._state.items:
                report()
        if self._vocabulary and self._has_head:
            head = self._vocabulary.head
            if not self._seen and head.name == "channel":
                yield "feed-incomplete", f"<{self._vocabulary.root.name}> has no <channel>"
                return
            for tag in head.required:
                if tag not in self._seen:
                    yield "feed-incomplete", f"<{head.name}> has no <{tag.rpartition('}')[2]}>"
            for name in find_missing_of_podcast(self._seen):
                yield "podcast-incomplete", f"podcast has no <{name}>"

    def _validate_element(self, element: XmlElement, rule: ElementRule) -> None:
        self._validate_attributes(element, rule)
        if rule.children:
            seen: set[str] = set()
            for child in element:
                if isinstance(child.tag, str):
                    self._validate_child(child, child.tag, element, rule, seen)
            for tag in rule.required:
                if tag not in seen:
                    message = f"<{name_of(element)}> has no <{tag.rpartition('}')[2]}>"
                    self._report(element, "missing-element", message)
        if rule.text == "any":
            pass
        elif rule.text:
            self._validate_text(element, rule)
        else:
            self._report_text(element)
        if check := relation_of(rule):
            check(element, self._report, self._state)

    def _validate_child(
        self,
        child: XmlElement,
        tag: str,
        parent: XmlElement,
        around: ElementRule,
        seen: set[str],
    ) -> None:
        rule = around.children.get(tag)
        if rule is None:
            if tag not in self._rules:
                self._rules[tag] = self._find_rule(child)
            rule = self._rules[tag]
            if rule is None:
                self._report_unknown(child, parent, around)
                return
        if tag in seen and not rule.is_repeatable:
            self._report(child, "repeated-element", f"repeated <{name_of(child)}>")
        seen.add(tag)
        self._validate_element(child, rule)

    def _find_rule(self, element: XmlElement) -> ElementRule | None:
        """Return the rule for a module element, or Atom element in RSS; None if it is unknown."""
        namespace, local = split_name(element)
        if self._vocabulary and namespace == self._vocabulary.namespace:
            return None
        return module_rules().get(f"{{{namespace}}}{local}")

    def _report_unknown(self, child: XmlElement, parent: XmlElement, around: ElementRule) -> None:
        namespace = split_name(child)[0]
        own = self._vocabulary.namespace if self._vocabulary else ""
        meant = around.respell(str(child.tag))
        if namespace == NAMESPACES["itunes"]:  # not closed, but some names are certainly misspelt
            name = find_itunes_name(local_name(child))
            meant = name and f"itunes:{name}"
        if namespace == own or meant or is_closed(namespace):
            hint = f": did you mean <{meant}>?" if meant else ""
            message = f"unknown element <{name_of(child)}> in <{name_of(parent)}>{hint}"
            self._report(child, "unknown-element", message)

    def _validate_attributes(self, element: XmlElement, rule: ElementRule) -> None:
        for name in rule.required_attributes:
            if element.get(name) is None:
                written = name.rpartition("}")[2]
                self._report(element, "missing-attribute", f"<{rule.name}> has no {written}")
        for name, value in element.items():
            datatype = rule.attributes.get(name)
            if datatype is None:
                datatype = self._find_other_attribute(name, element, rule)
            if datatype and not is_certainly_valid(value, datatype):
                where = f"<{name_of(element)} {name.rpartition('}')[2]}>"
                self._validate_value(element, where, value, datatype)

    def _find_other_attribute(
        self, name: str, element: XmlElement, rule: ElementRule
    ) -> str | None:
        """Return the datatype of an attribute of a module, or None; report an unknown attribute."""
        datatype = attribute_of_module(name)
        namespace, _, local = name[1:].rpartition("}") if name.startswith("{") else ("", "", name)
        is_known = datatype or not (is_closed(namespace) if namespace else rule.has_all_attributes)
        if not is_known:
            message = f"unknown attribute {local!r} of <{name_of(element)}>"
            self._report(element, "unknown-element", message)
        return datatype

    def _validate_text(self, element: XmlElement, rule: ElementRule) -> None:
        kind = rule.text
        if kind in ("construct", "construct03"):
            check_construct(element, self._report, is_old=kind != "construct")
            return
        if kind == "media-text":
            check_media_text(element, self._report)
            return
        for child in element.iterchildren("*"):
            message = f"unexpected element <{name_of(child)}> in <{name_of(element)}>"
            self._report(child, "unknown-element", message)
        text = element.text or ""
        if kind == "html":
            report_html(element, text, self._report)
        elif not is_certainly_valid(text, kind):
            self._validate_value(element, f"<{name_of(element)}>", text, kind)

    def _validate_value(self, element: XmlElement, where: str, value: str, kind: str) -> None:
        """Validate a text or attribute value of a datatype; `where` begins the messages."""
        text = value.strip()
        if kind == "text":
            if not text:
                self._report(element, "empty-value", f"{where} is empty")
            elif html := find_html(text):
                self._report(element, "html-in-text", f"{where}: {clip(html, _LONGEST)!r}")
            return
        if kind in _STRICT and value != text and self._vocabulary and self._vocabulary.is_strict:
            code = "feed-date" if kind in ("rfc3339", "date") else "bad-url"
            self._report(element, code, f"{where}: whitespace around {clip(text, _LONGEST)!r}")
        if kind == "date":
            if not text:
                self._report(element, "feed-date", f"{where} is empty")
            return
        if kind == "language-or-none":
            if not text:
                return
            kind = "language"
        datatype = find_datatype(kind)
        if datatype and not datatype.is_valid(text):
            message = f"{where} {clip(text, _LONGEST)!r}: expected {datatype.expected}"
            self._report(element, datatype.code, message)


def _own_text(element: XmlElement) -> str:
    """Return the text of an element without the text of its children."""
    parts = [element.text, *[child.tail for child in element]]
    return "".join(filter(None, parts)).strip()


def _has_repeated(tags: Sequence[object], rules: _Rules) -> bool:
    """Return whether an element is repeated although its rule forbids that."""
    return any(not rule.is_repeatable and tags.count(tag) > 1 for tag, (rule, _) in rules.items())
