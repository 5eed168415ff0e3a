"""PHI and Leiden notation → EpiDoc, and EpiDoc → Leiden notation.

    text → rows → tokens → passage (items, crossing spans) → nested pieces → EpiDoc
           phi    tokens   parser, words                     nesting        markup, tei
           phi_html, iphi, plain

`convert_text` converts; `render` and `render_line` print an edition as Leiden text.
"""

from pythia_epidoc.leiden.convert import Format, convert_raw, convert_stream, convert_text, read_texts
from pythia_epidoc.leiden.model import ConvertedText, Finding, Metadata, Options, RawText

__all__ = [
    "ConvertedText",
    "Finding",
    "Format",
    "Metadata",
    "Options",
    "RawText",
    "convert_raw",
    "convert_stream",
    "convert_text",
    "read_texts",
]
