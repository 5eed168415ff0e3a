"""What libxml2 complains of, in words for somebody who edits texts and not parsers."""

from __future__ import annotations

import re

_IN_WORDS = [
    (r"Premature end of data in tag (\S+) line (\d+)", r"the file ends before <\1> of line \2 is closed"),
    (r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)", r"<\1> of line \2 is closed by </\3>"),
    (r"Start tag expected, '<' not found", "there is no element; this is perhaps not an XML file"),
    (r"Document is empty", "there is no element; this is perhaps not an XML file"),
    (r"xmlParseEntityRef: no name", "an & stands by itself; write &amp;"),
    (r"EntityRef: expecting ';'", "an & stands by itself, or its ; is missing; write &amp;"),
    (r"Entity '(\S+)' not defined", r"the entity &\1; is not declared; write the character itself"),
    (r"StartTag: invalid element name", "a < does not begin a tag; write &lt;"),
    (r"AttValue: .* expected", "the value of an attribute has no quotation marks, or curly ones"),
    (r"attributes construct error", "blanks are missing between attributes, or a quotation mark is"),
    (r"Specification mandates? value for attribute (\S+)", r"the attribute \1 has no value"),
    (r"Unescaped '<' not allowed in attributes values", "an attribute has a < or no end"),
    (r"Couldn't find end of Start Tag (\S+).*", r"the tag <\1> has no end"),
    (r"Attribute (\S+) redefined", r"the attribute \1 stands twice in a tag"),
    (r"Extra content at the end of the document", "something stands after the end of the first element"),
    (r"Namespace prefix (\S+) on (\S+) is not defined", r"the prefix \1 of \2 is not declared"),
    (r"Namespace prefix (\S+) for (\S+) on (\S+) is not defined", r"the prefix of \1:\2 is not declared"),
    (r"Comment not terminated.*", "a comment has no end"),
    (r"Double hyphen within comment.*", "a comment holds --, which XML forbids"),
    (r"CData section not finished.*", "a CDATA section has no end"),
    (r"ParsePI: .*", "a processing instruction has no end"),
    (r"Sequence ']]>' not allowed in content", "]]> stands in the text; write ]]&gt;"),
    (r"error parsing attribute name", "an attribute or the end of a tag is expected here"),
    (r"expected '>'", "an end tag has no >"),
    (r"PCDATA invalid Char value (\d+)", r"a control character (number \1) stands here; delete it"),
    (r"xmlParseCharRef: .*|CharRef: .*", "&#…; is not the number of a character that XML allows"),
    (r"XML declaration allowed only at the start of the document", "<?xml …?> may only begin a file"),
    (r"String not started expecting.*", "a value in <?xml …?> or in the DOCTYPE has no quotation marks"),
    (r"Resource limit exceeded: .*", "a text or value here is longer than ten million characters"),
]  # fmt: skip
_RULES = [(re.compile(complaint, re.DOTALL), words) for complaint, words in _IN_WORDS]


def in_words(complaint: str) -> str:
    """The complaint in plain words, or as it is if nobody has put it into words yet."""
    for rule, words in _RULES:
        match = rule.fullmatch(complaint.strip())
        if match:
            return match.expand(words)
    return complaint
