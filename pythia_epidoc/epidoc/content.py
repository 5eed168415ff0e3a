"""What a document and its editions share: a source, its tokens and entities, and the elements.

It knows neither: what knew them would hold them in a circle, and corpora would be kept in memory until the
garbage collector comes by.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pythia_epidoc.epidoc.scanner import Element, Tree
from pythia_epidoc.epidoc.source import Source
from pythia_epidoc.epidoc.tokens import Tokens


@dataclass(frozen=True, eq=False)
class Content:
    source: Source
    tokens: Tokens
    entities: dict[str, str]

    @cached_property
    def tree(self) -> Tree:
        """The elements and where they stand; built when first asked for."""
        return Tree(self.source.text, self.tokens)

    def element_of(self, token: int) -> Element:
        """The element that a start tag, named by its index among the tokens, begins."""
        return self.tree.element_of(token)
