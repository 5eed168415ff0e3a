"""Random EpiDoc: trees of the elements that editions are made of, and damaged copies of their text."""

from __future__ import annotations

from hypothesis import strategies as st

LETTERS = st.text(
    alphabet=st.sampled_from(
        [*"αβγδεζηθικλμνξοπρσςτυφχψωάῶἜϲϝϙhoAМ", " ", "\n", "·", "[", "\u0323", "\u0301", "𐅵"]
    ),
    min_size=1,
    max_size=12,
)
REFERENCES = st.sampled_from(["&#x3b1;", "&#945;", "&amp;", "&lt;", "&#x323;"])
CDATA = st.sampled_from(["<![CDATA[δῆμος]]>", "<![CDATA[a < b & c]]>"])
NOTHING = st.sampled_from(["<!-- <gap/> > -->", "<?pi a > b?>", "<!---->"])

_COUNT = st.integers(0, 30).map(str)
GAP_ATTRIBUTES = st.one_of(
    _COUNT.map(lambda count: f' reason="lost" quantity="{count}" unit="character"'),
    _COUNT.map(lambda count: f" reason='illegible' quantity='{count}' unit='character' precision='low'"),
    st.tuples(_COUNT, _COUNT).map(lambda pair: f' atLeast="{pair[0]}" atMost="{pair[1]}" unit="character"'),
    st.just(' reason="lost" extent="unknown" unit="character"'),
    st.just(' reason="lost" extent="unknown" unit="line"'),
    st.just(' reason="ellipsis" n="a > b"'),
    st.just(""),
)
GAPS = st.one_of(
    GAP_ATTRIBUTES.map(lambda attributes: f"<gap{attributes}/>"),
    GAP_ATTRIBUTES.map(lambda attributes: f"<gap{attributes}><desc>vestigia</desc></gap>"),
)
EMPTY = st.sampled_from(
    ['<lb n="1"/>', "<lb n='2' break='no'/>", "<lb/>", "<cb/>", "<space quantity='2'/>",
     "<g type='leaf'/>", "<w/>", "<milestone unit='block'/>", "<supplied reason='lost'/>",
     "<num/>", "<choice/>", "<app/>", "<ex/>", "<unclear/>"]
)  # fmt: skip
CONTAINERS = st.sampled_from(
    ["unclear", "ex", "expan", "abbr", "am", "hi", "w", "w part='I'", "name", "persName", "del",
     "add", "orig", "supplied reason='lost'", "supplied reason='omitted'", "supplied",
     "supplied reason='subaudible'", "surplus", "note", "num value='12'", "num", "seg", "q",
     "foreign xml:lang='la'", "foreign xml:lang='grc'", "ab", "l", "div type='textpart'",
     "div type='apparatus'", "choice", "app", "subst", "reg", "corr", "sic", "lem", "rdg"]
)  # fmt: skip


def _element(name: str, content: list[str]) -> str:
    return f"<{name}>{''.join(content)}</{name.split()[0]}>"


MARKUP = st.recursive(
    st.one_of(LETTERS, LETTERS, GAPS, EMPTY, REFERENCES, CDATA, NOTHING),
    lambda inner: st.builds(_element, CONTAINERS, st.lists(inner, max_size=5)),
    max_leaves=25,
)
EDITIONS = st.lists(MARKUP, max_size=8).map(
    lambda parts: f'<div type="edition" xml:lang="grc"><ab>{"".join(parts)}</ab></div>'
)


TYPED = st.sampled_from(["<", "</", "<gap", "<gap rea", '<a b="', "&", "<!--", ">", "</ab>", "<x"])


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of an edition cut off, with a hole, or with something typed into it."""
    text = draw(EDITIONS)
    place = draw(st.integers(0, len(text)))
    before, after = text[:place], text[place:]
    hole = draw(st.integers(0, 20))
    return draw(st.sampled_from([before, after, before + after[hole:], before + draw(TYPED) + after]))
