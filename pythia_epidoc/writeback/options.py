"""How restorations are written into a file: the form, how many, in whose name, with what date."""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass, field

from pythia_epidoc.errors import ConfigError

INLINE, STANDOFF, ACCEPT = "inline", "standoff", "accept"
FORMS = (INLINE, STANDOFF, ACCEPT)
DEFAULT_RESP_ID = "pythia"
ACCEPT_ABOVE = 0.8
"""Below this probability `accept` leaves a gap alone, unless told otherwise."""
_XML_NAME = re.compile(r"[^\W\d][\w.-]*")


def today() -> str:
    """The date to sign with; SOURCE_DATE_EPOCH, where set, makes runs repeatable."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if epoch.isdigit():
        return datetime.datetime.fromtimestamp(int(epoch), tz=datetime.timezone.utc).date().isoformat()
    return datetime.date.today().isoformat()


@dataclass(frozen=True)
class WriteOptions:
    """Settings of write-back."""

    form: str = INLINE
    top: int = 5
    """Alternatives written for each lacuna."""
    min_probability: float | None = None
    """Hypotheses below it are not written; None means none for alternatives, 0.8 for `accept`."""
    resp_id: str = DEFAULT_RESP_ID
    date: str = field(default_factory=today)
    final: bool = False
    """Accept without keeping the former markup, so that `strip` cannot bring it back."""

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ConfigError(f"The form is {', '.join(FORMS[:-1])} or {FORMS[-1]}, not {self.form!r}.")
        if self.top < 1:
            raise ConfigError("At least one alternative must be asked for.")
        if not _XML_NAME.fullmatch(self.resp_id):
            raise ConfigError(f"{self.resp_id!r} cannot be an xml:id; use letters, digits, '-' and '_'.")
        try:
            is_date = datetime.date.fromisoformat(self.date).isoformat() == self.date  # not 20251231
        except ValueError:
            is_date = False
        if not is_date:
            raise ConfigError(f"{self.date!r} is not a date such as 2025-12-31.")

    @property
    def threshold(self) -> float:
        if self.min_probability is not None:
            return self.min_probability
        return ACCEPT_ABOVE if self.form == ACCEPT else 0.0
