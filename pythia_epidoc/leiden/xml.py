"""A small tree of elements and its serialisation: exactly the white space it was given, nothing more.

Not for reading XML: see `pythia_epidoc.epidoc.scanner`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\n": " ", "\t": " ", "\r": " "})


@dataclass(slots=True)
class Node:
    """An element."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def add(self, *children: Node | str) -> Node:
        self.children.extend(children)
        return self


def element(name: str, *children: Node | str, **attributes: str) -> Node:
    """An element with the attributes that have a value; `xml_lang` stands for `xml:lang`."""
    named = {key.replace("xml_", "xml:"): value for key, value in attributes.items() if value}
    return Node(name, named, list(children))


def serialise(nodes: list[Node | str]) -> str:
    """The XML of a sequence of nodes."""
    parts: list[str] = []
    stack: list[Node | str | None] = list(reversed(nodes))
    names: list[str] = []
    while stack:
        node = stack.pop()
        if node is None:
            parts.append(f"</{names.pop()}>")
        elif isinstance(node, str):
            parts.append(node.translate(_TEXT))
        else:
            pairs = node.attributes.items()
            attributes = "".join(f' {key}="{value.translate(_ATTRIBUTE)}"' for key, value in pairs)
            if node.children:
                parts.append(f"<{node.name}{attributes}>")
                names.append(node.name)
                stack.append(None)
                stack.extend(reversed(node.children))
            else:
                parts.append(f"<{node.name}{attributes}/>")
    return "".join(parts)
