"""Which index is in force: the one named, the one the settings name, or the one in its usual place.

In `pythia-epidoc.toml`:  parallels = "my-collection.db"   (relative to that file; "" for none)
"""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from pythia_epidoc.errors import ConfigError
from pythia_epidoc.settings import settings_files

KEY = "parallels"


def usual_place() -> Path:
    """Where an index is made if nobody says where."""
    return user_data_path("pythia-epidoc", appauthor=False) / "parallels.db"


def configured(command: str = "", folder: Path | None = None) -> Path | None:
    """The index the settings name for a command, or the one in its usual place if it exists."""
    for file in settings_files(folder):
        for table in (file.section(command) if command else {}, file.common()):
            if KEY in table:
                return _named(table[KEY], file.path)
    usual = usual_place()
    return usual if usual.is_file() else None


def _named(value: object, settings: Path) -> Path | None:
    if not isinstance(value, str):
        raise ConfigError(f"{KEY} must be the name of an index.", path=settings)
    return settings.parent / Path(value).expanduser() if value else None
