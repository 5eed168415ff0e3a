"""Is an edition valid, and did an edit make it less so? RelaxNG, the official EpiDoc schema or ours.

Whole files are often invalid for reasons outside the edition (`xi:include`, old headers), and RelaxNG
stops at the first fault. So each edition is checked in a skeleton of its own, and a fault is narrowed
down to the element that is to blame; `new_errors` then tells what an edit added.

Not for markup that is valid but doubtful: see `lint`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

from lxml import etree
from platformdirs import user_cache_path

from pythia_epidoc.epidoc.document import TEI_NAMESPACE, Document
from pythia_epidoc.errors import ConfigError

OWN_SCHEMA = "pythia-transcription.rng"
_RELAXNG_NAMESPACE = "http://relaxng.org/ns/structure/1.0"
_XML_MODEL = re.compile(r"<\?xml-model\s([^>]*?)\?>")
_HREF = re.compile(r"""\bhref\s*=\s*["']([^"']+)["']""")
_TEI = f"{{{TEI_NAMESPACE}}}"
_SKELETON = f"""<TEI xmlns="{TEI_NAMESPACE}"><teiHeader><fileDesc>
<titleStmt><title>t</title></titleStmt><publicationStmt><p>p</p></publicationStmt><sourceDesc><p>s</p></sourceDesc>
</fileDesc></teiHeader><text><body><div type="edition"><ab>α</ab></div></body></text></TEI>"""

_Shell = tuple[str, dict[str, str]]


@dataclass(frozen=True)
class SchemaError:
    """One fault: what is wrong, in words, and the line of the element to blame."""

    message: str
    line: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class Schema:
    """A compiled RelaxNG schema."""

    def __init__(self, path: Path) -> None:
        self.path = path
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        try:
            grammar = etree.parse(path, parser)
            _refuse_remote_parts(grammar, path)
            self._relaxng = etree.RelaxNG(grammar)
        except OSError:
            raise ConfigError("There is no such schema; check the path.", path=path) from None
        except (etree.XMLSyntaxError, etree.RelaxNGError) as error:
            raise ConfigError(f"This is not a RelaxNG schema in XML: {error}.", path=path) from None

    def accepts(self, document: Document) -> bool:
        """True if the file as a whole is valid, with its header, translations and all."""
        return self._is_valid(document.lxml)

    def errors(self, document: Document) -> list[SchemaError]:
        """The faults of a document's editions, apparatus and header, in that order."""
        root = _as_tei(document.lxml)
        found: list[SchemaError] = []
        for part in _text_parts(root):
            found += self._faults(part, ())
        for header in root.iter(f"{_TEI}teiHeader"):
            found += self._header_faults(header)
            break
        return found

    def _is_valid(self, tree: etree._Element) -> bool:
        return bool(self._relaxng.validate(tree))

    def _faults(self, element: etree._Element, chain: tuple[_Shell, ...]) -> Iterator[SchemaError]:
        """Narrow a fault down: `chain` are the ancestors inside the body, emptied of all else."""
        if self._is_valid(_in_body(chain, element)):
            return
        name, parent = _name(element), _local(chain[-1][0]) if chain else "body"
        if chain and parent != "ab" and self._is_valid(_in_body(_plain_block(chain), element)):
            yield _blame(element, f"<{name}> may not stand in <{parent}>.")
            return
        shell = (str(element.tag), {str(key): str(value) for key, value in element.attrib.items()})
        inner = (*chain, shell)
        blamed = False
        if not self._is_valid(_in_body(inner, None)):
            culprit = "" if name in _NEED_CHILDREN else self._culprit(shell, chain)
            if culprit:
                blamed = True
                yield _blame(element, f"{culprit} is not allowed by the schema.")
            elif len(element) == 0:
                yield _blame(element, f"<{name}> lacks an attribute, or has a wrong value.")
                return
            inner = (*chain, (shell[0], {}))
            if not self._is_valid(_in_body(inner, None)):
                inner = chain
        if name not in _ATOMIC:
            for child in element:
                for fault in self._faults(child, inner):
                    blamed = True
                    yield fault
        if not blamed:
            yield _blame(element, f"<{name}> has content that the schema does not allow.")

    def _culprit(self, shell: _Shell, chain: tuple[_Shell, ...]) -> str:
        """The attribute without which the element would be valid, as it is written."""
        tag, attributes = shell
        for key in attributes:
            rest = {other: value for other, value in attributes.items() if other != key}
            if self._is_valid(_in_body((*chain, (tag, rest)), None)):
                return f'{_local(key)}="{attributes[key]}" on <{_local(tag)}>'
        return ""

    def _header_faults(self, header: etree._Element) -> Iterator[SchemaError]:
        skeleton = etree.fromstring(_SKELETON)
        skeleton.replace(skeleton[0], deepcopy(header))
        if self._is_valid(skeleton):
            return
        blamed = False
        for part in header.iter(f"{_TEI}respStmt", f"{_TEI}revisionDesc"):
            if not self._is_valid(_in_header(part)):
                blamed = True
                yield _blame(part, f"<{_name(part)}> is not valid in the header.")
        if not blamed:
            yield _blame(header, "The header is not valid.")


# Invalid without children, so an emptied one proves nothing about its attributes.
_NEED_CHILDREN = frozenset({"app", "choice", "lg", "list", "listApp", "rdgGrp", "subst"})
# Their children may stand nowhere else, so they are blamed as a whole.
_ATOMIC = frozenset({"app", "choice", "list", "listApp", "rdgGrp", "subst"})


def find_schema(document: Document | None = None, explicit: Path | str | None = None) -> Schema:
    """The schema to check against: the one asked for, the document's own, a cached one, or ours."""
    if explicit is not None:
        return load_schema(Path(explicit))
    for candidate in (*_declared_schemas(document), *sorted(schema_cache().glob("*.rng"))):
        return load_schema(candidate)
    return load_schema(own_schema_path())


def load_schema(path: Path) -> Schema:
    """Compile a schema, once for each version of the file: the official one takes seconds."""
    path = path.resolve()
    try:
        return _compiled(path, path.stat().st_mtime_ns)
    except OSError:
        raise ConfigError("There is no such schema; check the path.", path=path) from None


@lru_cache(maxsize=8)
def _compiled(path: Path, modified: int) -> Schema:
    return Schema(path)


def own_schema_path() -> Path:
    """Our schema, inside an installed package or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "schemas" / OWN_SCHEMA
    return installed if installed.is_file() else package.parent / "schemas" / OWN_SCHEMA


def schema_cache() -> Path:
    """The folder in which a user keeps schemas such as tei-epidoc.rng for every file."""
    return user_cache_path("pythia-epidoc", appauthor=False) / "schemas"


def new_errors(before: Document, after: Document, schema: Schema) -> list[SchemaError]:
    """The faults of `after` that `before` did not have."""
    errors = schema.errors(after)
    if not errors:
        return []
    known = Counter(schema.errors(before))
    added: list[SchemaError] = []
    for error in errors:
        if known[error]:
            known[error] -= 1
        else:
            added.append(error)
    return added


def _declared_schemas(document: Document | None) -> Iterator[Path]:
    """Local RelaxNG files that the document names in an xml-model instruction."""
    if document is None or document.path is None or document.root is None:
        return
    for model in _XML_MODEL.finditer(document.text, 0, document.root.start):
        href = _HREF.search(model.group(1))
        if href is None or not href.group(1).endswith(".rng"):
            continue
        url = urlsplit(href.group(1))
        if url.scheme in ("", "file") and not url.netloc:
            path = document.path.parent / unquote(url.path)
            if path.is_file():
                yield path


def _refuse_remote_parts(grammar: etree._ElementTree, path: Path) -> None:
    """libxml2 would fetch parts of a schema from the network; this project never does."""
    for part in grammar.iter(f"{{{_RELAXNG_NAMESPACE}}}include", f"{{{_RELAXNG_NAMESPACE}}}externalRef"):
        if urlsplit(part.get("href") or "").scheme not in ("", "file"):
            raise ConfigError(
                f"The schema is loaded in part from {part.get('href')}; save it whole on this machine.",
                path=path,
            )


def _as_tei(root: etree._Element) -> etree._Element:
    """A copy to validate: in the TEI namespace, without comments, instructions and entities."""
    copy = deepcopy(root)
    etree.strip_tags(copy, etree.Comment, etree.PI, etree.Entity)
    for element in copy.iter():
        if isinstance(element.tag, str) and not element.tag.startswith("{"):
            element.tag = f"{_TEI}{'TEI' if element.tag == 'TEI.2' else element.tag}"
    return copy


def _text_parts(root: etree._Element) -> list[etree._Element]:
    """Outermost editions and apparatus; without any, the children of the body or the root itself."""
    outermost = [
        div
        for div in root.iter(f"{_TEI}div")
        if div.get("type") in ("edition", "apparatus")
        and not any(
            ancestor.get("type") in ("edition", "apparatus") for ancestor in div.iterancestors(f"{_TEI}div")
        )
    ]
    if outermost:
        return outermost
    body = next(root.iter(f"{_TEI}body"), None)
    if body is not None:
        return list(body)
    return [] if root.tag == f"{_TEI}TEI" else [root]


def _in_body(chain: tuple[_Shell, ...], element: etree._Element | None) -> etree._Element:
    """A TEI document whose body holds only these ancestors and, innermost, this element."""
    skeleton = etree.fromstring(_SKELETON)
    innermost = skeleton[1][0]
    if chain or element is not None:
        del innermost[:]
    for tag, attributes in chain:
        innermost = etree.SubElement(innermost, tag, attributes)
    if element is not None:
        copy = deepcopy(element)
        copy.tail = None
        innermost.append(copy)
    return skeleton


def _in_header(part: etree._Element) -> etree._Element:
    skeleton = etree.fromstring(_SKELETON)
    header = skeleton[0]
    copy = deepcopy(part)
    copy.tail = None
    (header[0][0] if _name(part) == "respStmt" else header).append(copy)
    return skeleton


def _plain_block(chain: tuple[_Shell, ...]) -> tuple[_Shell, ...]:
    return (chain[0], (f"{_TEI}ab", {}))


def _blame(element: etree._Element, message: str) -> SchemaError:
    return SchemaError(message, cast("int | None", element.sourceline))


def _name(element: etree._Element) -> str:
    return _local(str(element.tag))


def _local(name: str) -> str:
    return name.rpartition("}")[2]
