"""The I.PHI dataset as a collection: each of its texts converted to EpiDoc, then read like any other.

Not for the notation: see `pythia_epidoc.leiden`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pythia_epidoc.corpus.sources import RawFile
from pythia_epidoc.errors import ConversionError, CorpusError
from pythia_epidoc.leiden import RawText, convert_raw, read_texts


@dataclass(frozen=True)
class PhiText:
    """A text of the dataset before conversion; its identifier is `phi` and PHI's number."""

    id: str
    raw: RawText

    def as_file(self) -> RawFile:
        return RawFile(self.id, convert_raw(self.raw).xml.encode())


def phi_texts(path: Path) -> Iterator[PhiText]:
    """The texts of an I.PHI JSON file, one at a time however long it is."""
    taken: set[str] = set()
    try:
        with path.open(encoding="utf-8") as stream:
            for order, raw in enumerate(read_texts(stream, "iphi", path), 1):
                identifier = stem = f"phi{raw.metadata.phi_id}" if raw.metadata.phi_id else f"text-{order}"
                number = 2
                while identifier in taken:
                    identifier = f"{stem}-{number}"
                    number += 1
                taken.add(identifier)
                yield PhiText(identifier, raw)
    except FileNotFoundError:
        raise CorpusError("There is no such file or folder.", path=path) from None
    except UnicodeDecodeError:
        raise CorpusError("This JSON file is not in UTF-8.", path=path) from None
    except ConversionError as error:
        raise CorpusError(error.message, path=path, line=error.line) from None
