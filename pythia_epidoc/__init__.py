"""Restoration of damaged ancient Greek texts inside EpiDoc XML."""

__version__ = "0.1.0"
