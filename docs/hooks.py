"""MkDocs hooks: pages that live elsewhere in the repository belong to the site, and links between them work.

A page outside `docs/` appears under `project/`. A link in any page is read as on the file's own place in the
repository; if its target is not part of the site, only its words stay.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "editor-extensions/vscode/README.md",
    "samples/README.md",
    "schemas/README.md",
)
_LINK = re.compile(r"(!?)\[([^\]\n]*)\]\((?!\w+:|#)([^)#\s]+)(#[\w-]+)?\)")
_BLOCK = re.compile(r"(^```.*?^```)", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    for name in OUTSIDE:
        files.append(File.generated(config, f"project/{name}", abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    uri = page.file.src_uri
    home = uri.removeprefix("project/") if uri.startswith("project/") else f"docs/{uri}"

    def lead(link: re.Match[str]) -> str:
        picture, words, target, anchor = link.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(home), target))
        there = path.removeprefix("docs/") if path.startswith("docs/") else f"project/{path}"
        if files.get_file_from_path(there) is None:
            return words
        return f"{picture}[{words}]({posixpath.relpath(there, posixpath.dirname(uri))}{anchor or ''})"

    # Odd parts are blocks of code. Code inside a line stays in play: the words of a link often are code.
    parts = _BLOCK.split(markdown)
    return "".join(part if odd % 2 else _LINK.sub(lead, part) for odd, part in enumerate(parts))
