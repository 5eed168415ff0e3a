"""Restoration of damaged ancient Greek texts inside EpiDoc XML."""

import os

# Some virtual machines advertise AMX but crash when it is used; oneDNN must be told before torch loads.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")

__version__ = "0.1.0"
