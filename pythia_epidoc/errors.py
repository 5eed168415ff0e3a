"""Everything that can go wrong because of user input, as one small tree.

    PythiaError
    ├── DocumentError      a file cannot be read (missing, not well-formed, encoding, unsafe)
    ├── EditError          an edit cannot be applied (overlap, file changed on disk)
    ├── ConversionError    Leiden or PHI input cannot be converted (strict mode)
    ├── CorpusError        a corpus or record cannot be used
    ├── ModelError         a checkpoint is damaged, foreign or does not fit
    ├── ConfigError        a setting or option makes no sense
    └── Cancelled          the user stopped a long operation

Errors are raised where they are found and caught only at the doors (CLI, language server, batch).
"""

from __future__ import annotations

from pathlib import Path


class PythiaError(Exception):
    """One sentence a scholar understands, with the place it speaks of."""

    def __init__(
        self,
        message: str,
        *,
        path: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = [str(part) for part in (self.path, self.line, self.column) if part is not None]
        return f"{':'.join(place)}: {self.message}" if place else self.message


class DocumentError(PythiaError):
    """A file cannot be read as XML."""


class EditError(PythiaError):
    """An edit cannot be applied safely."""


class ConversionError(PythiaError):
    """Leiden or PHI text cannot be converted under the chosen options."""


class CorpusError(PythiaError):
    """A corpus directory or record cannot be used."""


class ModelError(PythiaError):
    """A checkpoint cannot be loaded or does not fit the request."""


class ConfigError(PythiaError):
    """A setting has a value that makes no sense."""


class Cancelled(PythiaError):
    """A long operation was stopped on request."""

    def __init__(self, message: str = "Stopped on request.") -> None:
        super().__init__(message)
