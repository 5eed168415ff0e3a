"""PHI and Leiden notation → EpiDoc, and EpiDoc → Leiden notation.

    text → rows → tokens → passage (items, crossing spans) → nested pieces → EpiDoc
           phi    tokens   parser, words                     nesting        markup, tei
           phi_html, iphi, plain

`convert_text` converts; `render` and `render_line` print an edition as Leiden text.
"""

from pythia_epidoc.leiden.convert import Format, convert_raw, convert_stream, convert_text, read_texts
from pythia_epidoc.leiden.model import ConvertedText, Finding, Metadata, Options, RawText
from pythia_epidoc.leiden.render import render, render_element, render_line
from pythia_epidoc.leiden.styles import STYLES, StyleName

__all__ = [
    "STYLES",
    "ConvertedText",
    "Finding",
    "Format",
    "Metadata",
    "Options",
    "RawText",
    "StyleName",
    "convert_raw",
    "convert_stream",
    "convert_text",
    "read_texts",
    "render",
    "render_element",
    "render_line",
]
