"""Restorations → edits, and edits that take them back. Pure functions; files change in `epidoc.edits`."""

from pythia_epidoc.writeback.compose import compose
from pythia_epidoc.writeback.marks import find_marks
from pythia_epidoc.writeback.options import ACCEPT, FORMS, INLINE, STANDOFF, WriteOptions
from pythia_epidoc.writeback.pending import (
    Alternative,
    PendingAlternatives,
    accept_pending,
    pending,
    reject_pending,
)
from pythia_epidoc.writeback.strip import strip
from pythia_epidoc.writeback.write import Written, accept_hypothesis, write, write_back

__all__ = [
    "ACCEPT",
    "FORMS",
    "INLINE",
    "STANDOFF",
    "Alternative",
    "PendingAlternatives",
    "WriteOptions",
    "Written",
    "accept_hypothesis",
    "accept_pending",
    "compose",
    "find_marks",
    "pending",
    "reject_pending",
    "strip",
    "write",
    "write_back",
]
